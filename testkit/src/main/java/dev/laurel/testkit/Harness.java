package dev.laurel.testkit;

import dev.laurel.core.archive.Archive;
import dev.laurel.core.archive.ArchiveSharing;
import dev.laurel.core.archive.Archives;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.RulesDefinition;
import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.board.SeasonSteps;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.guard.Guards;
import dev.laurel.core.lifecycle.ArchiveProgress;
import dev.laurel.core.lifecycle.ArchiveRequests;
import dev.laurel.core.lifecycle.FinalRanks;
import dev.laurel.core.lifecycle.OneByOne;
import dev.laurel.core.lifecycle.SeasonArchiver;
import dev.laurel.core.lifecycle.SeasonKeeper;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.PipelineObserver;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.privacy.Erasure;
import dev.laurel.core.privacy.Profiles;
import dev.laurel.core.privacy.UserData;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.CatchUpObserver;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.repair.IndexChecks;
import dev.laurel.core.repair.RepairQueue;
import dev.laurel.core.scoring.ExpressionCompiler;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.season.CronParser;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.WriteTransaction;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The core on a given store, wired as the server wires it, with a clock to turn by hand. */
public final class Harness implements AutoCloseable {
  private static final CronParser NO_CRON =
      (expression, zone) -> {
        throw new IllegalStateException("this test did not bring a cron parser");
      };

  private static final ExpressionCompiler NO_EXPRESSIONS =
      (text, features) -> {
        throw new IllegalStateException("this test did not bring a compiler");
      };

  /** For each line that may wait: more than a plain one takes, less than one with metadata. */
  static final long LINE_BYTES = 2048;

  private static final SeasonArchiver.Times ARCHIVE_TIMES =
      new SeasonArchiver.Times(Duration.ofDays(30).toMillis(), Duration.ofDays(30).toMillis());

  public final Store store;
  public final ManualClock clock;

  /** The same, as the parts of the node see it. */
  public final RememberedStore remembered;

  public final BoardDirectory directory;
  public final Calendars calendars;
  public final Boards boards;
  public final SeasonKeeper seasons;
  public final FinalRanks finals;
  public final Users users;
  public final Archives archives;

  /** Why erasures were not finished at once. */
  public final List<Throwable> erasureFailures = new CopyOnWriteArrayList<>();

  public final RankIndex index;
  public final Rankings rankings;
  public final Profiles profiles;
  public final Erasure erasure;
  public final RepairQueue repairs;
  public final IndexChecks checks;
  public final ArchiveProgress progress;
  public final SeasonArchiver archiver;
  public final ArchiveRequests requests;
  public final Guards guards = new Guards();
  public final ScorePipeline pipeline;

  /** What the guards of boards caught. */
  public final Queue<GuardRule> caught = new ConcurrentLinkedQueue<>();

  public final Queue<Heard> heard = new ConcurrentLinkedQueue<>();

  /** Boards for whose seasons nothing can be made to happen. */
  public final Set<String> broken = ConcurrentHashMap.newKeySet();

  /** What the pipeline and the index reported as failed. */
  public final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** What checks found wrong. */
  public final Queue<String> drifts = new ConcurrentLinkedQueue<>();

  /** Makes the rank index of a node; {@link LocalRankIndex} is one, others need no budget. */
  @FunctionalInterface
  public interface IndexSource {
    RankIndex open(Store store, Users users, long indexBytes, CatchUpObserver observer);
  }

  public Harness(Store store, ManualClock clock) {
    this(store, clock, 1 << 16, Long.MAX_VALUE);
  }

  public Harness(Store store, ManualClock clock, int queueLines, long indexBytes) {
    this(store, clock, NO_CRON, queueLines, indexBytes);
  }

  public Harness(Store store, ManualClock clock, Archive archive) {
    this(store, clock, NO_CRON, 1 << 16, Long.MAX_VALUE, LocalRankIndex::new, archive);
  }

  public Harness(Store store, ManualClock clock, int queueLines, IndexSource indexes) {
    this(store, clock, NO_CRON, queueLines, Long.MAX_VALUE, indexes, new NoArchive());
  }

  public Harness(
      Store store, ManualClock clock, CronParser crons, int queueLines, long indexBytes) {
    this(store, clock, crons, queueLines, indexBytes, LocalRankIndex::new, new NoArchive());
  }

  /**
   * @param decisive tells the pipeline the time
   */
  public Harness(Store store, ManualClock clock, InstantSource decisive) {
    this(
        store,
        clock,
        decisive,
        NO_CRON,
        1 << 16,
        Long.MAX_VALUE,
        LocalRankIndex::new,
        new NoArchive());
  }

  private Harness(
      Store store,
      ManualClock clock,
      CronParser crons,
      int queueLines,
      long indexBytes,
      IndexSource indexes,
      Archive archive) {
    this(store, clock, clock, crons, queueLines, indexBytes, indexes, archive);
  }

  private Harness(
      Store store,
      ManualClock clock,
      InstantSource decisive,
      CronParser crons,
      int queueLines,
      long indexBytes,
      IndexSource indexes,
      Archive archive) {
    this.store = store;
    this.remembered = new RememberedStore(store);
    this.directory = new BoardDirectory(remembered);
    this.clock = clock;
    this.calendars = new Calendars(crons, 60_000, 10);
    SeasonSteps steps = new SeasonSteps(calendars, this::happened);
    this.boards = new Boards(remembered, directory, steps, clock);
    this.seasons =
        new SeasonKeeper(remembered, directory, boards, calendars, steps, oneByOne("board"));
    this.users = new Users(remembered);
    this.finals =
        new FinalRanks(remembered, directory, boards, users, this::happened, oneByOne("season"));
    this.repairs = new RepairQueue(clock, failures::add);
    this.index = indexes.open(remembered, users, indexBytes, repairs);
    remembered.remember(index);
    remembered.remember(repairs);
    this.checks = new IndexChecks(remembered, index, users, repairs, clock, drifts::add);
    this.profiles = new Profiles(remembered, users, directory, index, clock);
    remembered.remember(profiles);
    this.erasure =
        new Erasure(
            remembered,
            directory,
            profiles,
            new UserData(remembered, directory),
            clock,
            erasureFailures::add);
    this.archives = new Archives(remembered, archive, ArchiveSharing.unneeded(remembered, archive));
    this.rankings = new Rankings(remembered, index, users, archives);
    this.progress = new ArchiveProgress(clock::nanos, failures::add);
    this.archiver =
        new SeasonArchiver(remembered, directory, boards, users, archives, ARCHIVE_TIMES, progress);
    this.requests = new ArchiveRequests(remembered, directory, boards, progress);
    this.pipeline =
        new ScorePipeline(
            remembered,
            directory,
            users,
            index,
            calendars,
            seasons,
            new Scorers(NO_EXPRESSIONS),
            guards,
            caught::add,
            decisive,
            List.of(),
            new PipelineObserver() {
              @Override
              public void committed(int requests, int lines, long nanos) {}

              @Override
              public void failed(int requests, Throwable cause) {
                failures.add(cause);
              }
            },
            new ScorePipeline.Limits(queueLines, 1 << 12, queueLines * LINE_BYTES));
    boards.follow();
  }

  /** What happened to seasons, as others hear of it. */
  public record Heard(String season, SeasonEvent event) {}

  private void happened(WriteTransaction tx, Board board, Season season, SeasonEvent event) {
    if (broken.contains(board.uuid())) {
      throw new IllegalStateException("told to fail: " + board.uuid());
    }
    heard.add(new Heard(season.label(), event));
  }

  /** To go through many, on this clock. */
  public <K> OneByOne<K> oneByOne(String what) {
    return new OneByOne<>(what, clock::nanos, failures::add);
  }

  /** A board with whole-number scores. */
  public Board board(
      String uuid,
      Order order,
      Ties ties,
      Update update,
      Bounds bounds,
      WindowDefinition... windows) {
    boards.create(
        Tenant.DEFAULT,
        "test",
        new BoardDefinition(
            uuid,
            null,
            null,
            new RulesDefinition(
                order, ties, update, 0, Long.toString(bounds.min()), Long.toString(bounds.max())),
            null,
            null,
            null,
            null,
            null,
            List.of(windows),
            null,
            null),
        null,
        b -> new byte[0]);
    return boards.require(Tenant.DEFAULT, uuid);
  }

  public Board board(String uuid, Update update, WindowDefinition... windows) {
    return board(
        uuid,
        Order.HIGHEST_FIRST,
        Ties.EARLIEST_FIRST,
        update,
        new Bounds(Long.MIN_VALUE, Long.MAX_VALUE),
        windows);
  }

  public Reply submit(Board board, Command... commands) {
    return submit(board, null, commands);
  }

  public Reply submit(Board board, Request.@Nullable Idempotency idempotency, Command... commands) {
    return await(new Request(board, List.of(commands), 1, true, idempotency));
  }

  public Reply await(Request request) {
    try {
      return pipeline.submit(request).get(2, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new AssertionError("no reply within 30 s", e);
    }
  }

  public static Command score(String user, long value) {
    return new Command.Score(user, Long.toString(value), null, null, null, null);
  }

  public static Command score(String user, long value, @Nullable Long at, @Nullable String id) {
    return new Command.Score(user, Long.toString(value), null, at, id, null);
  }

  /** Leaves the store open. */
  @Override
  public void close() {
    pipeline.close();
    index.close();
  }
}
