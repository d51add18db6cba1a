package dev.laurel.server.bench;

import dev.laurel.server.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A bench from the start to the end: server, board, run, reports, and everything put away. */
public final class Bench {
  private final BenchOptions options;
  private final PrintWriter out;
  private final PrintWriter err;

  private Bench(BenchOptions options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.out = out;
    this.err = err;
  }

  /**
   * @throws BenchException if it could not run
   */
  public static RunResult run(BenchOptions options, PrintWriter out, PrintWriter err)
      throws InterruptedException {
    return new Bench(options, out, err).run();
  }

  private RunResult run() throws InterruptedException {
    String url = options.url();
    if (url != null) {
      return run(Target.of(url, options.key(), options.board(), options.tls()), null);
    }
    err.println("starting a server of its own");
    err.flush();
    try (StartedServer server = StartedServer.start()) {
      return run(Target.of(server.url(), server.key(), options.board(), options.tls()), server);
    }
  }

  private RunResult run(Target target, @Nullable StartedServer own) throws InterruptedException {
    BenchBoard board = new BenchBoard(target, options, err);
    try (AdminCalls admin = new AdminCalls(target)) {
      board.prepare(admin);
      try {
        Instant date = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        RunResult result = drive(target);
        report(new Report(options, result, date, Machine.describe(), Version.current()));
        return result;
      } finally {
        if (own == null) {
          board.finish(admin);
        }
      }
    }
  }

  private RunResult drive(Target target) throws InterruptedException {
    Duration time = options.warmup().plus(options.duration());
    try (Progress progress = Progress.ofTime(err, options.terminal(), time)) {
      return LoadRun.run(target, LoadPlan.of(options), progress);
    }
  }

  private void report(Report report) {
    out.print(TableReport.write(report));
    out.flush();
    save(options.report(), () -> HtmlReport.write(report));
    save(options.json(), () -> JsonReport.write(report));
  }

  private void save(@Nullable Path file, Supplier<String> text) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, text.get());
      err.println("wrote " + file);
      err.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
