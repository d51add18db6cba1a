package dev.laurel.server.bench;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The board of a bench: made and filled before, ended after. */
final class BenchBoard {
  private static final int CONNECTIONS = 8;
  private static final int LINES = 1000;
  private static final Duration LONGEST = Duration.ofHours(1);

  private final Target target;
  private final BenchOptions options;
  private final PrintWriter err;

  BenchBoard(Target target, BenchOptions options, PrintWriter err) {
    this.target = target;
    this.options = options;
    this.err = err;
  }

  void prepare(AdminCalls admin) throws InterruptedException {
    if (!options.reuse()) {
      admin.createBoard(options.decimals(), options.windows());
      load();
    }
    long users = admin.users();
    if (users < options.users()) {
      throw new BenchException(
          "board %s has %,d users (expected: %,d)"
              .formatted(target.board(), users, options.users()));
    }
  }

  /** Each user once, at random scores, by batches: the driver itself is the loader. */
  private void load() throws InterruptedException {
    int users = options.users();
    int lines = Math.min(LINES, users);
    LoadPlan plan =
        new LoadPlan(
            List.of(new LaneSpec(CONNECTIONS, false, Map.of(Operation.SCORES, 1.0))),
            1,
            1,
            Duration.ZERO,
            LONGEST,
            Duration.ZERO,
            Math.ceilDiv(users, lines),
            lines,
            options.decimals(),
            options.seed(),
            _ -> UserPicker.inTurn(users));
    RunResult result;
    try (Progress progress = Progress.ofUsers(err, options.terminal(), users, lines)) {
      result = LoadRun.run(target, plan, progress);
    }
    OperationResult scores = result.operations().getFirst();
    if (scores.errorCount() > 0) {
      throw new BenchException("loading the board failed: " + scores.errors());
    }
    err.println(
        String.format(
            Locale.ROOT,
            "loaded %,d users in %.1f s (%,d/s)",
            users,
            result.seconds(),
            (long) (users / result.seconds())));
    err.flush();
  }

  /** There is no way to remove a board, as its ledger is kept; so it is at least closed. */
  void finish(AdminCalls admin) throws InterruptedException {
    if (!options.reuse() && !options.keep()) {
      admin.completeBoard();
      err.println(
          "board "
              + target.board()
              + " is COMPLETED now and takes no more scores; boards cannot be removed");
      err.flush();
    }
  }
}
