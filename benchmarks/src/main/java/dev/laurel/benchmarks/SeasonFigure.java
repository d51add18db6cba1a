package dev.laurel.benchmarks;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.sql.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
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
  private static final int LINES = 300_000;

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

  /**
   * One window and three, each on a store of its own: entries are put off, and on a shared one each
   * would pay for what the other left. A round is long enough to pay for its own.
   */
  private static void windows(int lines) throws IOException {
    Path oneFolder = Files.createTempDirectory("laurel-one");
    Path threeFolder = Files.createTempDirectory("laurel-three");
    try (InProcess ones = open(oneFolder);
        InProcess threes = open(threeFolder)) {
      Random random = new Random(lines);
      Board one = ones.board(1, "one", WindowDefinition.ALL_TIME);
      Board three = threes.board(1, "three", DAILY, WEEKLY, WindowDefinition.ALL_TIME);
      ones.rate(one, random, lines, LINES);
      threes.rate(three, random, lines, LINES);
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        double single = ones.rate(one, random, lines, LINES);
        double triple = threes.rate(three, random, lines, LINES);
        ratios.add(single / triple);
        System.out.printf(
            "%,d a request: one window %,.0f lines/s, three windows %,.0f lines/s: three cost %.2f%n",
            lines, single, triple, single / triple);
      }
      ratios.sort(null);
      System.out.printf(
          "%,d a request: median cost of three windows %.2f times one (goal: < 2)%n",
          lines, ratios.get(ROUNDS / 2));
    }
    delete(oneFolder);
    delete(threeFolder);
  }

  private static InProcess open(Path folder) {
    return new InProcess(SqliteStore.open(folder, InstantSource.system()));
  }

  static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
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
    Path folder = Files.createTempDirectory("laurel-seasons");
    try (InProcess core = open(folder)) {
      new SeasonFigure(core).many();
    }
    delete(folder);
  }
}
