package dev.laurel.server.imports;

import dev.laurel.server.client.ClientTls;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One import: this thread reads the file and cuts it into batches, one lane a sender sends them, in
 * order. A user's lines are all in one lane, so their order holds whatever the number of lanes.
 *
 * <p>Nothing is counted twice because every batch has a key of its own content and place ({@link
 * BatchCutter}): the server answers a repeated one from memory. The state file only saves the time
 * to send again what is done. At any moment there are at most three batches a lane in memory.
 */
public final class Importer {
  private static final int QUEUE = 2;
  private static final int POLL_MILLIS = 100;
  private static final int TOLD_ON_A_TERMINAL = 20;

  private final Options options;
  private final ServerApi api;
  private final ServerApi.BoardFacts board;
  private final ImportInput input;
  private final Rejects rejects;
  private final ImportProgress progress;
  private final List<Lane> lanes = new ArrayList<>();
  private volatile @Nullable RuntimeException failure;
  private volatile boolean endOfFile;

  /** Guarded by this. */
  private ImportState state;

  private final long linesBefore;

  /**
   * What to import, and where to.
   *
   * @param file {@code -} for standard input
   * @param state null to keep none
   * @param terminal whether {@code err} is one
   */
  public record Options(
      String file,
      Path folder,
      @Nullable ImportFormat format,
      CsvOptions csv,
      String url,
      String board,
      @Nullable String key,
      @Nullable String tenant,
      ClientTls tls,
      int parallel,
      Duration patience,
      @Nullable Path state,
      @Nullable Path rejects,
      boolean terminal) {}

  /**
   * What came of all lines, those of earlier runs included.
   *
   * @param held lines that are in and do not count until somebody has looked at them
   * @param before lines that an earlier run had done
   */
  public record Summary(
      long applied,
      long unchanged,
      long duplicate,
      long held,
      long rejected,
      long before,
      double seconds) {
    public long lines() {
      return applied + unchanged + duplicate + held + rejected;
    }
  }

  private final class Lane {
    final BlockingQueue<Batch> waiting = new ArrayBlockingQueue<>(QUEUE);
    final BatchCutter cutter;
    final Thread thread;

    Lane(int number, ImportState.Lane done) {
      cutter = new BatchCutter(options.board(), state.lanes().size(), number, done, this::enqueue);
      thread = Thread.ofVirtual().name("import-" + number).unstarted(this::run);
    }

    private void enqueue(Batch batch) {
      try {
        while (!waiting.offer(batch, POLL_MILLIS, TimeUnit.MILLISECONDS)) {
          stopIfFailed();
        }
      } catch (InterruptedException e) {
        throw new ImportException("interrupted", e);
      }
    }

    private void run() {
      try {
        while (failure == null) {
          boolean last = endOfFile;
          Batch batch = waiting.poll(last ? 0 : POLL_MILLIS, TimeUnit.MILLISECONDS);
          if (batch != null) {
            List<ServerApi.Result> results =
                batch.good().isEmpty() ? List.of() : api.send(batch, () -> failure == null);
            requireBegun(batch, results);
            done(batch, results);
          } else if (last) {
            return;
          }
        }
      } catch (InterruptedException e) {
        fail(new ImportException("interrupted", e));
      } catch (RuntimeException e) {
        fail(e);
      }
    }
  }

  private Importer(
      Options options,
      ServerApi api,
      ServerApi.BoardFacts board,
      ImportInput input,
      ImportState state,
      PrintWriter err) {
    this.options = options;
    this.api = api;
    this.board = board;
    this.input = input;
    this.state = state;
    this.linesBefore = state.counts().total();
    this.rejects =
        new Rejects(
            err,
            options.terminal() ? TOLD_ON_A_TERMINAL : Integer.MAX_VALUE,
            options.rejects(),
            input.lines().header(),
            linesBefore > 0);
    this.progress = new ImportProgress(err, options.terminal(), options.file(), input.size());
    for (int i = 0; i < state.lanes().size(); i++) {
      lanes.add(new Lane(i, state.lanes().get(i)));
    }
  }

  /**
   * @throws ImportException if it cannot begin or go on; what was done is done, and the same import
   *     run again goes on from there
   */
  public static Summary run(Options options, InputStream stdin, PrintWriter err) {
    try (ServerApi api =
            new ServerApi(
                options.url(),
                options.board(),
                options.key(),
                options.tenant(),
                options.patience(),
                options.tls());
        ImportInput input =
            ImportInput.open(
                options.file(), options.folder(), stdin, options.format(), options.csv())) {
      ServerApi.BoardFacts board = api.board();
      String created = board.created();
      ImportState begun = options.state() == null ? null : ImportState.load(options.state());
      ImportState state =
          begun == null
              ? ImportState.start(options.url(), options.board(), created, options.parallel())
              : goOn(options, begun, created, err);
      Importer importer = new Importer(options, api, board, input, state, err);
      try (importer.rejects;
          importer.progress) {
        return importer.run();
      }
    }
  }

  private static ImportState goOn(
      Options options, ImportState begun, String created, PrintWriter err) {
    boolean same =
        begun.board().equals(options.board())
            && begun.url().equals(options.url())
            && (created.isEmpty()
                || begun.boardCreated().isEmpty()
                || begun.boardCreated().equals(created));
    if (!same) {
      throw new ImportException(
          "state: %s is of an import into board %s at %s, made %s: name another with --state, or delete it to import everything"
              .formatted(options.state(), begun.board(), begun.url(), begun.boardCreated()));
    }
    err.printf("going on after %,d lines (%s)%n", begun.counts().total(), options.state());
    if (begun.lanes().size() != options.parallel()) {
      err.println("with --parallel " + begun.lanes().size() + ", as it was begun");
    }
    err.flush();
    return begun;
  }

  private Summary run() {
    lanes.forEach(lane -> lane.thread.start());
    boolean any = false;
    try {
      LineSource lines = input.lines();
      for (ImportLine line = lines.next(); line != null; line = lines.next()) {
        any = true;
        lanes.get(laneOf(line)).cutter.add(line);
        stopIfFailed();
      }
      for (Lane lane : lanes) {
        lane.cutter.finish();
      }
    } catch (IOException e) {
      fail(new ImportException(ImportInput.explain(options.file(), e), e));
    } catch (RuntimeException e) {
      fail(e);
    }
    endOfFile = true;
    join();
    stopIfFailed();
    if (!any) {
      throw new ImportException(options.file() + ": there are no lines to import");
    }
    ImportState.Counts counts = counts();
    return new Summary(
        counts.applied(),
        counts.unchanged(),
        counts.duplicate(),
        counts.held(),
        counts.rejected(),
        linesBefore,
        progress.seconds());
  }

  private int laneOf(ImportLine line) {
    return line instanceof ImportLine.Good good && good.userId() != null
        ? Math.floorMod(good.userId().hashCode(), lanes.size())
        : 0;
  }

  private synchronized void fail(RuntimeException why) {
    if (failure == null) {
      failure = why;
    }
  }

  private void stopIfFailed() {
    RuntimeException why = failure;
    if (why != null) {
      throw why;
    }
  }

  private void join() {
    for (Lane lane : lanes) {
      try {
        lane.thread.join();
      } catch (InterruptedException e) {
        fail(new ImportException("interrupted", e));
      }
    }
  }

  /**
   * A board that has not begun refuses whatever it is sent, and nothing is wrong with the lines:
   * they are not done, and the same command sends them when it has begun. The server keeps no key
   * of a batch of which it took nothing. If the board has begun, a line with a time of its own
   * before the start is a rejected line: no later run would change that.
   */
  private void requireBegun(Batch batch, List<ServerApi.Result> results) {
    if (results.stream().anyMatch(r -> r.outcome() != LineOutcome.REJECTED)) {
      return;
    }
    List<ImportLine.Good> lines = batch.good();
    for (int i = 0; i < lines.size(); i++) {
      ServerApi.Result early = results.get(i);
      if (early.isTooEarly() && !(lines.get(i).timed() && board.hasBegun())) {
        throw new ImportException(
            "board "
                + options.board()
                + " takes none of the lines yet ("
                + early.code()
                + ": "
                + early.message()
                + "): run it again when it has begun");
      }
    }
  }

  private synchronized ImportState.Counts counts() {
    return state.counts();
  }

  private synchronized void done(Batch batch, List<ServerApi.Result> results) {
    ImportState.Counts counts = state.counts();
    int next = 0;
    for (ImportLine line : batch.lines()) {
      ServerApi.Result result =
          switch (line) {
            case ImportLine.Good _ -> results.get(next++);
            case ImportLine.Bad bad ->
                new ServerApi.Result(LineOutcome.REJECTED, bad.code(), bad.message());
          };
      counts = counts.plus(result.outcome());
      if (result.outcome() == LineOutcome.REJECTED) {
        rejects.add(line, result.code(), result.message());
      }
    }
    rejects.flush();
    List<ImportState.Lane> positions = new ArrayList<>(state.lanes());
    positions.set(batch.lane(), new ImportState.Lane(batch.lastLine(), batch.key()));
    state =
        new ImportState(
            state.version(), state.url(), state.board(), state.boardCreated(), positions, counts);
    if (options.state() != null) {
      state.save(options.state());
    }
    progress.at(input.bytesRead(), state.counts().total() - linesBefore);
  }
}
