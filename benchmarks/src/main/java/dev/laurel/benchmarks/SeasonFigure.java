package dev.laurel.benchmarks;

import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.RulesDefinition;
import dev.laurel.core.board.SeasonSteps;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.lifecycle.SeasonKeeper;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.PipelineObserver;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.Store;
import dev.laurel.cron.CronUtilsParser;
import dev.laurel.sql.SqliteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
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
public final class SeasonFigure implements AutoCloseable {
  private static final int USERS = 100_000;
  private static final int ROUNDS = 5;
  private static final int TOTAL_LINES = 60_000;
  private static final int CONNECTIONS = 256;

  private static final WindowDefinition DAILY =
      new WindowDefinition(
          "daily", new Schedule.Daily(), "Europe/Berlin", null, null, null, List.of());
  private static final WindowDefinition WEEKLY =
      new WindowDefinition(
          "weekly", new Schedule.Weekly(DayOfWeek.MONDAY), null, null, null, null, List.of());

  private final InstantSource clock = InstantSource.system();
  private final Store store;
  private final BoardDirectory directory = new BoardDirectory();
  private final Boards boards;
  private final SeasonKeeper seasons;
  private final LocalRankIndex index;
  private final ScorePipeline pipeline;

  private SeasonFigure(Path folder) {
    store = SqliteStore.open(folder, clock);
    Calendars calendars = new Calendars(new CronUtilsParser(), 60_000);
    SeasonSteps steps = new SeasonSteps(calendars, (tx, board, season, event) -> {});
    boards = new Boards(store, directory, steps, clock);
    seasons = new SeasonKeeper(store, directory, boards, calendars, steps);
    Users users = new Users(store);
    index = new LocalRankIndex(store, users, Long.MAX_VALUE, Throwable::printStackTrace);
    Scorers scorers =
        new Scorers(
            (text, features) -> {
              throw new IllegalStateException();
            });
    pipeline =
        new ScorePipeline(
            store,
            directory,
            users,
            index,
            calendars,
            seasons,
            scorers,
            clock,
            List.of(),
            new PipelineObserver() {
              @Override
              public void committed(int requests, int lines, long nanos) {}

              @Override
              public void failed(int requests, Throwable cause) {
                cause.printStackTrace();
              }
            },
            1 << 20,
            8192);
  }

  private Board board(long tenant, String uuid, WindowDefinition... windows) {
    boards.create(
        tenant,
        "bench",
        new BoardDefinition(
            uuid,
            null,
            null,
            new RulesDefinition(null, null, Update.SUM, 0, null, null),
            null,
            null,
            null,
            null,
            null,
            List.of(windows),
            null,
            null),
        null,
        board -> new byte[0]);
    return boards.require(tenant, uuid);
  }

  private CompletableFuture<Reply> submit(Board board, Random random, int lines, int users) {
    List<Command> commands = new ArrayList<>(lines);
    for (int i = 0; i < lines; i++) {
      commands.add(new Command.Score("user_" + random.nextInt(users), "1", null, null, null, null));
    }
    return pipeline.submit(new Request(board, commands, 1, false, null));
  }

  /** Lines a second of one board, by requests of so many lines, 256 of them at a time. */
  private double rate(Board board, Random random, int lines) {
    int requests = TOTAL_LINES / lines;
    long start = System.nanoTime();
    Deque<CompletableFuture<Reply>> replies = new ArrayDeque<>();
    for (int i = 0; i < requests; i++) {
      if (replies.size() == CONNECTIONS) {
        replies.remove().join();
      }
      replies.add(submit(board, random, lines, USERS));
    }
    replies.forEach(CompletableFuture::join);
    return requests * lines / ((System.nanoTime() - start) / 1e9);
  }

  private void windows(int lines) {
    Random random = new Random(lines);
    Board one = board(1, "one-" + lines, WindowDefinition.ALL_TIME);
    Board three = board(1, "three-" + lines, DAILY, WEEKLY, WindowDefinition.ALL_TIME);
    rate(one, random, lines);
    rate(three, random, lines);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      double single = rate(one, random, lines);
      double triple = rate(three, random, lines);
      double further = (1 / triple - 1 / single) / 2 * single;
      ratios.add(further);
      System.out.printf(
          "%,d a request: one window %,.0f lines/s, three windows %,.0f lines/s: three cost %.2f,"
              + " a further window %.2f of the first%n",
          lines, single, triple, single / triple, further);
    }
    ratios.sort(null);
    System.out.printf(
        "%,d a request: median cost of a further window %.2f (goal: < 0.5)%n",
        lines, ratios.get(ROUNDS / 2));
  }

  private void many() {
    Random random = new Random(2);
    List<Board> all = new ArrayList<>();
    long start = System.nanoTime();
    for (int t = 0; t < 100; t++) {
      int tenant = t;
      long id = store.write(tx -> tx.createTenant("tenant-" + tenant, "Tenant", 1)).id();
      for (int b = 0; b < 10; b++) {
        all.add(board(id, "board-" + b, DAILY, WEEKLY, WindowDefinition.ALL_TIME));
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("1,000 boards of three windows made in %.1f s%n", seconds);
    seasons.turn();
    start = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      seasons.turn();
    }
    System.out.printf(
        "a turn of the scheduler with nothing to do: %.0f us, once a second%n",
        (System.nanoTime() - start) / 1e3 / 100);
    start = System.nanoTime();
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      replies.add(submit(all.get(random.nextInt(all.size())), random, 1, 1000));
    }
    replies.forEach(CompletableFuture::join);
    System.out.printf(
        "submissions of one line to random boards: %,.0f/s%n",
        20_000 / ((System.nanoTime() - start) / 1e9));
  }

  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("laurel-seasons");
    try (SeasonFigure figure = new SeasonFigure(folder)) {
      figure.windows(1);
      figure.windows(1000);
      figure.many();
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void close() {
    pipeline.close();
    index.close();
    store.close();
  }
}
