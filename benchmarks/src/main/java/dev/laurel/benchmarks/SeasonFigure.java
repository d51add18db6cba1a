package dev.laurel.benchmarks;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.sql.SqliteStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * What windows cost: a submission with one and with three of them (goal m), and what 1,000 boards
 * of three windows on 100 tenants cost to make, to keep and to write to. In process, on SQLite with
 * fsync on.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.SeasonFigure</pre>
 */
public final class SeasonFigure {
  private static final int ROUNDS = 5;

  private static final WindowDefinition DAILY =
      new WindowDefinition(
          "daily", new Schedule.Daily(), "Europe/Berlin", null, null, null, List.of());
  private static final WindowDefinition WEEKLY =
      new WindowDefinition(
          "weekly", new Schedule.Weekly(DayOfWeek.MONDAY), null, null, null, null, List.of());

  private final InProcess core;

  private SeasonFigure(InProcess core) {
    this.core = core;
  }

  /** One window and three. */
  private static void windows(int lines) throws IOException {
    try (WorkFolder oneFolder = WorkFolder.create("laurel-one");
        WorkFolder threeFolder = WorkFolder.create("laurel-three");
        InProcess ones = open(oneFolder.path());
        InProcess threes = open(threeFolder.path())) {
      Board one = ones.board(1, "one", WindowDefinition.ALL_TIME);
      Board three = threes.board(1, "three", DAILY, WEEKLY, WindowDefinition.ALL_TIME);
      double cost =
          InTurns.cost(
              new InTurns.Side("one window", ones, one),
              new InTurns.Side("three windows", threes, three),
              lines,
              ROUNDS);
      System.out.printf(
          "%,d a request: median cost of three windows %.2f times one (goal: < 2)%n", lines, cost);
    }
  }

  private static InProcess open(Path folder) {
    return new InProcess(SqliteStore.open(folder, InstantSource.system()));
  }

  private void many() {
    Random random = new Random(2);
    List<Board> all = new ArrayList<>();
    long start = System.nanoTime();
    for (int t = 0; t < 100; t++) {
      int tenant = t;
      long id = core.store.write(tx -> tx.createTenant("tenant-" + tenant, "Tenant", 1)).id();
      for (int b = 0; b < 10; b++) {
        all.add(core.board(id, "board-" + b, DAILY, WEEKLY, WindowDefinition.ALL_TIME));
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("1,000 boards of three windows made in %.1f s%n", seconds);
    core.seasons.turn();
    start = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      core.seasons.turn();
    }
    System.out.printf(
        "a turn of the scheduler with nothing to do: %.0f us, once a second%n",
        (System.nanoTime() - start) / 1e3 / 100);
    start = System.nanoTime();
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      replies.add(core.submit(all.get(random.nextInt(all.size())), random, 1, 1000));
    }
    replies.forEach(CompletableFuture::join);
    System.out.printf(
        "submissions of one line to random boards: %,.0f/s%n",
        20_000 / ((System.nanoTime() - start) / 1e9));
  }

  public static void main(String[] args) throws IOException {
    windows(1);
    windows(1000);
    try (WorkFolder folder = WorkFolder.create("laurel-seasons");
        InProcess core = open(folder.path())) {
      new SeasonFigure(core).many();
    }
  }
}
