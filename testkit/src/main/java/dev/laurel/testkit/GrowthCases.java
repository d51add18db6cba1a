package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.guard.Trial;
import dev.laurel.core.hooks.Outgoing;
import dev.laurel.core.lifecycle.AnomalySweep;
import dev.laurel.core.lifecycle.IdSweep;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.query.StoredRanking;
import dev.laurel.core.rank.IndexMemory;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.review.LongWork;
import dev.laurel.core.review.Reviews;
import dev.laurel.core.review.Selection;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.IdChunk;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.Webhook;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What would grow for ever, and does not. */
interface GrowthCases extends PipelineCases {
  private int usersStored() {
    return harness().users.followNow(Tenant.DEFAULT).size();
  }

  private void change(Board board, BoardStatus status) {
    harness().boards.change(board, BoardChange.status(status), null, b -> new byte[0]);
  }

  @Test
  default void submit_refused_makesNoUsers() {
    Board board =
        harness().board("shut", Order.HIGHEST_FIRST, Ties.SHARED, Update.SUM, new Bounds(0, 10));
    Board days =
        harness()
            .board(
                "days",
                Update.SUM,
                new WindowDefinition(
                    "daily", new Schedule.Daily(), "UTC", null, Duration.ZERO, null, List.of()));
    int before = usersStored();
    assertThat(PipelineCases.rejection(harness().submit(board, score("much", 11))))
        .isEqualTo(ErrorCode.SCORE_OUT_OF_BOUNDS);
    long longAgo = clock().millis() - Duration.ofDays(3).toMillis();
    assertThat(PipelineCases.rejection(harness().submit(days, score("late", 1, longAgo, null))))
        .isEqualTo(ErrorCode.SEASON_CLOSED);
    change(board, BoardStatus.PAUSED);
    for (int i = 0; i < 50; i++) {
      assertThat(PipelineCases.refusal(harness().submit(board, score("stranger-" + i, 1))))
          .isEqualTo(ErrorCode.BOARD_NOT_ACTIVE);
    }
    assertThat(usersStored()).isEqualTo(before);
    // Together with one that is taken, a later one may need the user's number too.
    change(board, BoardStatus.ACTIVE);
    harness().submit(board, score("ann", 9), score("ann", -2));
    assertThat(scoreOf(board, "ann")).isEqualTo(7);
    assertThat(usersStored()).isEqualTo(before + 1);
  }

  /** A node that still takes the board for paused finds out under the lock. */
  @Test
  default void submit_takenAgainByAnotherNode_isTakenHereToo() {
    Board board = harness().board("again", Update.SUM);
    change(board, BoardStatus.PAUSED);
    Harness other = node(1000);
    try {
      change(board, BoardStatus.ACTIVE);
      PipelineCases.accepted(other.submit(board, score("newcomer", 4)));
      assertThat(PipelineCases.rankOf(other, board, "newcomer")).isEqualTo(1);
    } finally {
      other.close();
    }
  }

  @Test
  default void index_seasonsThatAreOver_areForgotten() {
    clock().set(Instant.parse("2026-11-15T12:00:30Z"));
    Board board =
        harness()
            .board(
                "hours",
                Update.SUM,
                new WindowDefinition(
                    "hourly", new Schedule.Hourly(), "UTC", null, Duration.ZERO, null, List.of()),
                WindowDefinition.ALL_TIME);
    for (int i = 0; i < 30; i++) {
      clock().turn(Duration.ofHours(1));
      harness().seasons.turn();
      harness().finals.writeAll(() -> false);
      harness().submit(board, score("ann", 1));
      harness().index.keepOnly(harness().directory.listed());
      assertThat(harness().index.seasons()).isLessThanOrEqualTo(4);
    }
    Board now = harness().boards.require(Tenant.DEFAULT, "hours");
    assertThat(scoreOf(now, "ann")).isEqualTo(1);
    assertThat(harness().index.ranking(now, now.seasons().getLast()))
        .as("what is listed stays loaded")
        .isNotNull();
  }

  /** A commit was prepared, the season was forgotten and read again before the commit. */
  @Test
  default void index_forgottenDuringACommit_doesNotAnswerFromBeforeIt() {
    Board board = harness().board("held", Update.LATEST);
    harness().submit(board, score("ann", 1));
    Season season = board.primary();
    long line = store().read(tx -> tx.position(season.id()));
    int ann = harness().users.of(board.tenant()).find("ann");
    Entry after = new Entry(9, clock().millis(), clock().millis(), line + 1, line + 1, false, null);
    RankIndex.Change change = new RankIndex.Change(ann, true, 9, after.reached(), false);
    RankIndex.Draft draft =
        harness()
            .index
            .draft(
                board,
                season,
                new RankIndex.Step(board.epoch(), line, line + 1, 1),
                List.of(change));
    harness().index.keepOnly(id -> false);
    harness().index.catchUp(board, season);
    store()
        .write(
            tx -> {
              tx.lockShard(board.shard());
              tx.append(
                  board.shard(), List.of(Samples.line(board.shard(), line + 1, board.id(), ann)));
              tx.putEntries(List.of(new EntryWrite(season.id(), ann, after)));
              tx.moveSeasons(Map.of(season.id(), line + 1));
              return true;
            });
    draft.publish();
    draft.awaitVisible();
    assertThat(scoreOf(board, "ann")).isEqualTo(9);
  }

  /** A whole ledger is read in many transactions, none of which keeps the past for long. */
  @Test
  default void review_ofManyLines_readsThemInChunks() {
    Board board = harness().board("long", Update.SUM);
    Board other = harness().board("other", Update.SUM);
    int lines = 0;
    while (lines < 2 * Selection.CHUNK) {
      List<Command> commands = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        commands.add(score("u" + i % 700, 1 + i % 3, null, i % 100 == 0 ? "x" + lines++ : null));
      }
      harness().submit(board, commands.toArray(Command[]::new));
      harness().submit(other, score("u1", 1, null, "x-other" + lines));
      lines += 990;
    }
    CountedCalls counted = new CountedCalls(store());
    LongWork work = new LongWork();
    Selection source = new Selection.Source(null, "x", Long.MIN_VALUE, Long.MAX_VALUE);
    List<LedgerLine> found = source.find(counted.store(), board);
    assertThat(found).hasSize(lines / 100).allMatch(line -> line.board() == board.id());
    Reviews reviews =
        new Reviews(counted.store(), harness().users, harness().pipeline, work, clock());
    GuardRule rule = new GuardRule(GuardRule.Kind.JUMP, 2, GuardRule.Action.FLAG);
    Trial trial = reviews.attempt(board, List.of(rule), Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(trial.looked()).isEqualTo(lines);
    assertThat(trial.rules().getFirst().count()).isEqualTo(333L * lines / 1000);
    assertThat(counted.mostInOne()).isEqualTo(1);
    assertThat(counted.take()).isGreaterThan(6);
  }

  /** Several of them at once would be more than the memory for all ranks together. */
  @Test
  default void wholeSeasons_whileSomebodyHasTheMemoryForThem_areNotBuiltBeside() {
    Board board =
        harness()
            .board(
                "whole",
                Update.SUM,
                new WindowDefinition(
                    "daily", new Schedule.Daily(), "UTC", null, Duration.ZERO, null, List.of()));
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      commands.add(score("u" + i, i));
    }
    harness().submit(board, commands.toArray(Command[]::new));
    int[] users = IntStream.rangeClosed(1, 20).toArray();
    long[] ranks = new long[20];
    Runnable ask =
        () ->
            store()
                .read(
                    tx -> {
                      StoredRanking.of(tx, board, board.primary(), harness().users)
                          .ranks(users, 20, ranks, new long[20], new long[20]);
                      return true;
                    });
    IndexMemory memory = harness().users.memory();
    Season season = board.primary();
    try (IndexMemory.Beside _ = memory.beside(Integer.MAX_VALUE * 1000L, Duration.ZERO)) {
      assertThatExceptionOfType(RejectedException.class)
          .isThrownBy(ask::run)
          .matches(e -> e.rejection().code() == ErrorCode.OVERLOADED);
      clock().turn(Duration.ofDays(2));
      harness().seasons.turn();
      harness().finals.writeAll(() -> false);
      assertThat(statusOf(season)).isEqualTo(SeasonStatus.FROZEN);
    }
    ask.run();
    assertThat(ranks).contains(1, 20);
    harness().finals.writeAll(() -> false);
    assertThat(statusOf(season)).isEqualTo(SeasonStatus.FINAL);
  }

  private SeasonStatus statusOf(Season season) {
    return store().read(tx -> Objects.requireNonNull(tx.season(season.id())).status());
  }

  /** An entry comes with its metadata, and an index may be behind by as many as it has. */
  @Test
  default void catchUp_ofManyUsers_readsSomeAtATime() {
    Board board = harness().board("behind", Update.SUM);
    WatchedReads watched = new WatchedReads();
    Store store = watched.of(store());
    try (LocalRankIndex index =
        new LocalRankIndex(store, harness().users, Long.MAX_VALUE, (_, _, _) -> {})) {
      index.catchUp(board, board.primary());
      submitMany(board, 0);
      index.catchUp(board, board.primary());
      assertThat(index.size(board.primary())).isEqualTo(2500);
      submitMany(board, 1000);
      long line = store().read(tx -> tx.lastLines()[board.shard()]);
      int[] all = IntStream.rangeClosed(1, 3500).toArray();
      store.read(
          tx -> {
            index.follow(tx, List.of(new RankIndex.Moved(board, line, all)));
            return true;
          });
      assertThat(index.size(board.primary())).isEqualTo(3500);
    }
    assertThat(watched.most()).isBetween(1, 1000);
  }

  private void submitMany(Board board, int from) {
    Command[] commands = new Command[2500];
    for (int i = 0; i < commands.length; i++) {
      commands[i] = score("u" + (from + i), 1);
    }
    harness().submit(board, commands);
  }

  private IdSweep sweep(Harness node) {
    return new IdSweep(store(), node.directory, clock(), Duration.ofDays(90).toMillis());
  }

  private int idsOf(long board) {
    IdChunk.Times all = new IdChunk.Times(Long.MAX_VALUE, Long.MAX_VALUE);
    return store().read(tx -> tx.idChunk(board, null, all, 1_000)).old();
  }

  /** Nobody can tell by its time that it is a retry, so its id is kept. */
  @Test
  default void ids_ofEventsWithoutATime_areNeverForgotten() {
    Board board = harness().board("untimed", Update.SUM);
    Command event = score("ann", 5, null, "e1");
    PipelineCases.accepted(harness().submit(board, event));
    for (int year = 0; year < 3; year++) {
      clock().turn(Duration.ofDays(365));
      sweep(harness()).turn(() -> false);
      assertThat(PipelineCases.accepted(harness().submit(board, event)).effect())
          .isEqualTo(Outcome.Effect.DUPLICATE);
    }
    assertThat(scoreOf(board, "ann")).isEqualTo(5);
  }

  /** A promise with an end: whatever happens to the id, its event does not count twice. */
  @Test
  default void ids_pastTheHorizon_areForgottenAndTheirEventsRefused() {
    Board board = harness().board("old", Update.SUM);
    long then = clock().millis();
    Command event = score("ann", 5, then, "e1");
    PipelineCases.accepted(harness().submit(board, event));
    PipelineCases.accepted(harness().submit(board, score("ann", 1, then, "e2")));
    Harness other = node(1000);
    try {
      clock().turn(Duration.ofDays(89));
      sweep(harness()).turn(() -> false);
      assertThat(PipelineCases.accepted(harness().submit(board, event)).effect())
          .isEqualTo(Outcome.Effect.DUPLICATE);
      assertThat(idsOf(board.id())).isEqualTo(2);
      clock().turn(Duration.ofDays(2));
      PipelineCases.accepted(harness().submit(board, score("bob", 1, clock().millis(), "new")));
      sweep(harness()).turn(() -> false);
      assertThat(idsOf(board.id())).isEqualTo(1);
      assertThat(PipelineCases.rejection(harness().submit(board, event)))
          .isEqualTo(ErrorCode.EVENT_TOO_OLD);
      // A node that has not heard of it yet.
      assertThat(PipelineCases.rejection(other.submit(board, event)))
          .isEqualTo(ErrorCode.EVENT_TOO_OLD);
      assertThat(scoreOf(board, "ann")).isEqualTo(6);
      int users = usersStored();
      assertThat(PipelineCases.rejection(harness().submit(board, score("zoe", 1, then, "e9"))))
          .isEqualTo(ErrorCode.EVENT_TOO_OLD);
      assertThat(usersStored()).isEqualTo(users);
      // Without an id there is no promise, and of a new board nothing is forgotten.
      PipelineCases.accepted(harness().submit(board, score("ann", 1, then, null)));
      Board fresh = harness().board("fresh", Update.SUM);
      PipelineCases.accepted(harness().submit(fresh, event));
      assertThat(PipelineCases.accepted(harness().submit(fresh, event)).effect())
          .isEqualTo(Outcome.Effect.DUPLICATE);
    } finally {
      other.close();
    }
  }

  /** Answers that are kept for a day, and actions that are not taken again for a week. */
  @Test
  default void ids_withATimeOfTheirOwn_goWhenItIsOver() {
    Board board = harness().board("awards", Update.SUM);
    Request.Idempotency key =
        new Request.Idempotency(
            "me", "k1", Digest.of("p"), o -> new byte[] {1}, Duration.ofDays(1).toMillis());
    harness().submit(board, key, new Command.Award("ann", 5, "a1", null));
    // The key is the board's, the action is the user's on all boards.
    assertThat(idsOf(board.id())).isEqualTo(1);
    assertThat(idsOf(0)).isEqualTo(1);
    clock().turn(Duration.ofHours(26));
    sweep(harness()).turn(() -> false);
    assertThat(idsOf(board.id())).isZero();
    assertThat(idsOf(0)).isEqualTo(1);
    clock().turn(Duration.ofDays(5));
    assertThat(
            PipelineCases.rejection(
                harness().submit(board, new Command.Award("ann", 5, "a1", null))))
        .isEqualTo(ErrorCode.ACTION_REPLAYED);
    clock().turn(Duration.ofDays(2));
    sweep(harness()).turn(() -> false);
    assertThat(idsOf(0)).isZero();
  }

  @Test
  default void idSweep_onSeveralNodes_isDoneByOneADay() {
    Board board = harness().board("once", Update.SUM);
    clock().turn(Duration.ofDays(200));
    sweep(harness()).turn(() -> false);
    putOldId(board);
    IdSweep other = sweep(harness());
    other.turn(() -> false);
    assertThat(idsOf(board.id())).isEqualTo(1);
    clock().turn(Duration.ofDays(1));
    other.turn(() -> false);
    assertThat(idsOf(board.id())).isZero();
  }

  /** A node that is stopped each day in the midst of it would never get to the last boards. */
  @Test
  default void idSweep_stoppedAfterSomeBoards_goesOnThereSoon() {
    List<Board> boards = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      boards.add(harness().board("stop-" + i, Update.SUM));
    }
    clock().turn(Duration.ofDays(200));
    boards.forEach(this::putOldId);
    int[] asked = {0};
    // It is asked once for a board with few ids, and first of all for those of no board.
    sweep(harness()).turn(() -> asked[0]++ >= 3);
    assertThat(boards.stream().map(board -> idsOf(board.id()))).containsExactly(0, 0, 1, 1);
    putOldId(boards.getFirst());
    clock().turn(Duration.ofMinutes(11));
    sweep(harness()).turn(() -> false);
    assertThat(boards.stream().map(board -> idsOf(board.id()))).containsExactly(1, 0, 0, 0);
    clock().turn(Duration.ofDays(1));
    sweep(harness()).turn(() -> false);
    assertThat(boards.stream().map(board -> idsOf(board.id()))).containsOnly(0);
  }

  private void putOldId(Board board) {
    store()
        .write(
            tx -> {
              tx.putIds(
                  List.of(
                      new StoredId(
                          board.id(), Digest.of("k"), Digest.of("p"), 1, true, 1, 1, 1, null)));
              return true;
            });
  }

  @Test
  default void anomalies_pastTheHorizon_areForgotten() {
    Board board = harness().board("caught", Update.SUM);
    GuardRule rule = new GuardRule(GuardRule.Kind.JUMP, 2, GuardRule.Action.FLAG);
    store()
        .write(
            tx -> {
              tx.putGuard(board.id(), List.of(rule));
              return true;
            });
    for (int i = 0; i < 600; i++) {
      harness().submit(board, score("u" + i, 3));
    }
    clock().turn(Duration.ofDays(20));
    harness().submit(board, score("ann", 3));
    clock().turn(Duration.ofDays(11));
    new AnomalySweep(store(), Duration.ofDays(30).toMillis()).turn(() -> false);
    assertThat(
            store().read(tx -> tx.anomalies(board.id(), null, Long.MAX_VALUE, 1_000)).stream()
                .map(Anomaly::line)
                .toList())
        .containsExactly(601L);
    new AnomalySweep(store(), Long.MAX_VALUE).turn(() -> false);
  }

  @Test
  default void deliveries_manyThatEndedLongAgo_goInOneTurn() {
    Outgoing outgoing = new Outgoing(store(), Duration.ofDays(30).toMillis());
    long hook =
        store()
            .<Webhook>write(
                tx ->
                    tx.outbox()
                        .createWebhook(
                            new Webhook(
                                0,
                                Tenant.DEFAULT,
                                "http://localhost/",
                                "0123456789abcdef",
                                Set.of("x"),
                                null,
                                "test",
                                1)))
            .id();
    for (int i = 0; i < 1_200; i++) {
      Delivery delivery =
          new Delivery(
              "d" + i,
              Tenant.DEFAULT,
              hook,
              "x",
              "{\"userId\":\"ann\"}",
              1,
              Delivery.State.PENDING,
              1,
              Outgoing.MAX_TRIES - 1);
      store()
          .write(
              tx -> {
                tx.outbox().add(delivery);
                return true;
              });
      outgoing.sent(delivery, 1, 1, i % 2 == 0 ? 200 : 500, null);
    }
    clock().turn(Duration.ofDays(29));
    outgoing.forget(() -> false);
    assertThat(kept(hook)).isEqualTo(1_200);
    clock().turn(Duration.ofDays(2));
    outgoing.forget(() -> true);
    assertThat(kept(hook)).isEqualTo(1_200);
    outgoing.forget(() -> false);
    assertThat(kept(hook)).isZero();
  }

  private int kept(long hook) {
    return store().read(tx -> tx.outbox().deliveries(hook, null, 10_000)).size();
  }
}
