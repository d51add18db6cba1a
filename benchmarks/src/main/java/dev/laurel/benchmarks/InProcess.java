package dev.laurel.benchmarks;

import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.RulesDefinition;
import dev.laurel.core.board.SeasonSteps;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.cluster.StoreFollower;
import dev.laurel.core.guard.Guards;
import dev.laurel.core.lifecycle.OneByOne;
import dev.laurel.core.lifecycle.SeasonKeeper;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.PipelineObserver;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.Users;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import dev.laurel.cron.CronUtilsParser;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The core on a store, as the server wires it, without HTTP. */
final class InProcess implements AutoCloseable {
  private static final int USERS = 100_000;
  private static final int CONNECTIONS = 256;

  final Store store;
  final SeasonKeeper seasons;
  private final RememberedStore remembered;
  private final BoardDirectory directory;
  private final Boards boards;
  private final RankIndex index;
  private final ScorePipeline pipeline;
  private @Nullable StoreFollower follower;

  InProcess(Store store) {
    this(store, index -> index);
  }

  /**
   * @param around what to put around the index
   */
  InProcess(Store store, UnaryOperator<RankIndex> around) {
    this.store = store;
    this.remembered = new RememberedStore(store);
    this.directory = new BoardDirectory(remembered);
    InstantSource clock = InstantSource.system();
    Calendars calendars = new Calendars(new CronUtilsParser(), 60_000, 10);
    SeasonSteps steps = new SeasonSteps(calendars, (tx, board, season, event) -> {});
    boards = new Boards(remembered, directory, steps, clock);
    OneByOne<Long> each = new OneByOne<>("board", System::nanoTime, Throwable::printStackTrace);
    seasons = new SeasonKeeper(remembered, directory, boards, calendars, steps, each);
    Users users = new Users(remembered);
    index =
        around.apply(
            new LocalRankIndex(
                remembered, users, Long.MAX_VALUE, (_, _, e) -> e.printStackTrace()));
    remembered.remember(index);
    Scorers scorers =
        new Scorers(
            (text, features) -> {
              throw new IllegalStateException();
            });
    pipeline =
        new ScorePipeline(
            remembered,
            directory,
            users,
            index,
            calendars,
            seasons,
            scorers,
            new Guards(),
            rule -> {},
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
            new ScorePipeline.Limits(1 << 20, 8192, Long.MAX_VALUE / 2));
  }

  Board board(long tenant, String uuid, WindowDefinition... windows) {
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

  /** A board of another node. */
  Board known(long tenant, String uuid) {
    boards.follow();
    return boards.require(tenant, uuid);
  }

  /** Follows what other nodes on the same store commit. */
  void follow() {
    follower =
        new StoreFollower(
            remembered, directory, List.of(), index, _ -> {}, Throwable::printStackTrace);
  }

  /** The line at which readers of the board are here; below 0 while it is not in memory. */
  long line(Board board) {
    Ranking ranking = index.ranking(board, board.seasons().getFirst());
    return ranking == null ? -1 : ranking.line();
  }

  /** Whether all of its seasons are in memory; else they are going to be. */
  boolean isLoaded(Board board) {
    return board.seasons().stream().allMatch(season -> index.ranking(board, season) != null);
  }

  CompletableFuture<Reply> submit(Board board, Random random, int lines, int users) {
    List<Command> commands = new ArrayList<>(lines);
    for (int i = 0; i < lines; i++) {
      commands.add(new Command.Score("user_" + random.nextInt(users), "1", null, null, null, null));
    }
    return pipeline.submit(new Request(board, commands, 1, false, null));
  }

  /** Microseconds that a commit of one line takes, one after the other. */
  double commits(Board board, Random random, int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      submit(board, random, 1, USERS).join();
    }
    return (System.nanoTime() - start) / 1e3 / count;
  }

  /** Lines a second of one board, by requests of so many lines, 256 of them at a time. */
  double rate(Board board, Random random, int lines, int total) {
    return rate(lines, total, () -> submit(board, random, lines, USERS));
  }

  /** The same of many boards, by requests of one line. */
  double rate(List<Board> some, Random random, int total) {
    return rate(1, total, () -> submit(some.get(random.nextInt(some.size())), random, 1, USERS));
  }

  /** The same, each line with an event id of its own and metadata. */
  double usualRate(Board board, Random random, int lines, int total) {
    return rate(lines, total, () -> submitUsual(board, random, lines));
  }

  private CompletableFuture<Reply> submitUsual(Board board, Random random, int lines) {
    List<Command> commands = new ArrayList<>(lines);
    for (int i = 0; i < lines; i++) {
      commands.add(
          new Command.Score(
              "user_" + random.nextInt(USERS),
              "1",
              null,
              null,
              "event-" + random.nextLong(),
              "{\"level\":12,\"hero\":\"elf\"}"));
    }
    return pipeline.submit(new Request(board, commands, 1, false, null));
  }

  private static double rate(int lines, int total, Supplier<CompletableFuture<Reply>> submission) {
    int requests = total / lines;
    long start = System.nanoTime();
    Deque<CompletableFuture<Reply>> replies = new ArrayDeque<>();
    for (int i = 0; i < requests; i++) {
      if (replies.size() == CONNECTIONS) {
        replies.remove().join();
      }
      replies.add(submission.get());
    }
    replies.forEach(CompletableFuture::join);
    return requests * lines / ((System.nanoTime() - start) / 1e9);
  }

  @Override
  public void close() {
    if (follower != null) {
      follower.close();
    }
    pipeline.close();
    index.close();
    store.close();
  }
}
