package dev.laurel.server.bench;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.ToLongBiFunction;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows how far a phase is: a bar on a terminal, else a line now and then. For one thread. */
final class Progress implements AutoCloseable {
  private static final long EVERY_NANOS = Duration.ofSeconds(5).toNanos();

  private final PrintWriter err;
  private final String name;
  private final long size;
  private final ToLongBiFunction<Long, Collected> done;
  private final int perRequest;
  private final @Nullable ProgressBar bar;
  private long told;

  private Progress(
      PrintWriter err,
      boolean terminal,
      String name,
      String unit,
      long size,
      int perRequest,
      ToLongBiFunction<Long, Collected> done) {
    this.err = err;
    this.name = name;
    this.size = size;
    this.perRequest = perRequest;
    this.done = done;
    this.bar = terminal ? bar(name, unit, size) : null;
  }

  /** Of loading so many users. */
  static Progress ofUsers(PrintWriter err, boolean terminal, int users, int batch) {
    return new Progress(
        err,
        terminal,
        "loading",
        " users",
        users,
        batch,
        (_, collected) -> collected.requestsSoFar() * batch);
  }

  /** Of running for so long. */
  static Progress ofTime(PrintWriter err, boolean terminal, Duration time) {
    return new Progress(
        err,
        terminal,
        "running",
        " ms",
        time.toMillis(),
        1,
        (nanos, _) -> Duration.ofNanos(nanos).toMillis());
  }

  private static ProgressBar bar(String name, String unit, long size) {
    return new ProgressBarBuilder()
        .setTaskName(name)
        .setInitialMax(size)
        .setUnit(unit, 1)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(250)
        .setConsumer(new ConsoleProgressBarConsumer(new PrintStream(System.err, true)))
        .build();
  }

  void at(long nanos, Collected collected) {
    if (bar == null && nanos - told < EVERY_NANOS) {
      return;
    }
    told = nanos;
    long now = Math.min(size, done.applyAsLong(nanos, collected));
    double seconds = collected.secondsSoFar();
    double items = (double) collected.requestsSoFar() * perRequest;
    String rate =
        seconds <= 0 ? "warming up" : String.format(Locale.ROOT, "%,d/s", (long) (items / seconds));
    if (bar != null) {
      bar.stepTo(now);
      bar.setExtraMessage(" " + rate);
    } else {
      err.println(
          String.format(Locale.ROOT, "%s: %d %%, %s", name, 100 * now / Math.max(1, size), rate));
      err.flush();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
