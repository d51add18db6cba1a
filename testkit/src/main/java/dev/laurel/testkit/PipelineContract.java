package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the path of a score promises, on any store: exact, once, durable, visible. */
@ExtendWith(Seeds.class)
public abstract class PipelineContract {
  @TempDir Path folder;
  private FaultyStore store;
  private Harness harness;
  private final ManualClock clock = new ManualClock();

  protected abstract Store open(Path folder, InstantSource clock);

  @BeforeEach
  void start() {
    store = new FaultyStore(open(folder, clock));
    harness = new Harness(store, clock);
  }

  @AfterEach
  void stop() {
    harness.close();
    store.close();
  }

  private void restart() {
    stop();
    start();
  }

  @ParameterizedTest
  @EnumSource(Ties.class)
  void submit_randomCommands_boardEqualsFoldOverLedger(Ties ties, Random random) {
    for (int run = 0; run < 6; run++) {
      Board board =
          harness.board(
              "random-" + run,
              random.nextBoolean() ? Order.HIGHEST_FIRST : Order.LOWEST_FIRST,
              ties,
              List.of(Update.values()).get(random.nextInt(3)),
              new Bounds(-50, 200));
      for (int round = 0; round < 60; round++) {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
          replies.add(
              harness.pipeline.submit(
                  new Request(board, commands(random), 7, random.nextBoolean(), null)));
        }
        replies.forEach(r -> assertThat(r.join()).isInstanceOf(Reply.Done.class));
        clock.turn(Duration.ofMillis(random.nextInt(4)));
      }
      assertEqualsOracle(board);
    }
    List<Board> boards = List.copyOf(harness.directory.all());
    restart();
    boards.forEach(this::assertEqualsOracle);
  }

  private List<Command> commands(Random random) {
    List<Command> commands = new ArrayList<>();
    for (int i = random.nextInt(20); i >= 0; i--) {
      String user = "u" + random.nextInt(40);
      if (random.nextInt(15) == 0) {
        commands.add(new Command.Delete(user));
        continue;
      }
      Long at = random.nextInt(3) == 0 ? clock.millis() + random.nextInt(2000) - 1500 : null;
      Update mode = random.nextInt(3) == 0 ? List.of(Update.values()).get(random.nextInt(3)) : null;
      String id = random.nextInt(4) == 0 ? "e" + random.nextInt(60) : null;
      String metadata = random.nextInt(5) == 0 ? "{\"n\":1}" : null;
      commands.add(
          new Command.Score(
              user, Integer.toString(random.nextInt(60) - 10), mode, at, id, metadata));
    }
    return commands;
  }

  /** Index, store and ledger say the same. */
  private void assertEqualsOracle(Board board) {
    UserDictionary users = harness.users.of(board.tenant());
    List<LedgerLine> lines =
        store.read(tx -> tx.lines(board.shard(), 0, Long.MAX_VALUE, Integer.MAX_VALUE));
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i).line()).isEqualTo(i + 1);
    }
    Map<Integer, Entry> folded = BoardOracle.fold(board, lines);
    folded.forEach(
        (user, entry) -> {
          List<@Nullable Entry> stored =
              store.read(tx -> tx.entries(board.primary().id(), new int[] {user}));
          assertThat(stored).containsExactly(entry);
        });
    List<BoardOracle.Row> expected = BoardOracle.rank(board, folded, users);
    harness.index.catchUp(board, board.primary());
    var live = harness.rankings.inMemory(board, board.primary());
    assertThat(live).isNotNull();
    assertThat(BoardOracle.rows(live.ranking(), users)).isEqualTo(expected);
    List<BoardOracle.Row> stored =
        harness.rankings.stored(
            board, board.primary(), view -> BoardOracle.rows(view.ranking(), users));
    assertThat(stored).isEqualTo(expected);
    for (BoardOracle.Row row : expected) {
      var found = live.ranking().row(users.find(row.userId()));
      assertThat(found).isNotNull();
      assertThat(found.rank()).isEqualTo(row.rank());
    }
  }

  @Test
  void submit_acknowledged_isVisibleToTheNextRead() {
    Board board = harness.board("visible", Update.LATEST);
    harness.index.catchUp(board, board.primary());
    for (int i = 1; i <= 200; i++) {
      Reply reply = harness.submit(board, score("u" + i, i));
      assertThat(accepted(reply).rank()).isEqualTo(1);
      var view = harness.rankings.inMemory(board, board.primary());
      assertThat(view).isNotNull();
      assertThat(view.ranking().size()).isEqualTo(i);
    }
    assertThat(harness.index.loads()).isEqualTo(1);
  }

  @Test
  void submit_sameEventIdAgain_changesNothingAndTellsTheFirstOutcome() {
    Board board = harness.board("events", Update.SUM);
    Outcome.Accepted first = accepted(harness.submit(board, score("a", 5, null, "e1")));
    clock.turn(Duration.ofSeconds(1));
    harness.submit(board, score("a", 1));
    Outcome.Accepted again = accepted(harness.submit(board, score("a", 5, null, "e1")));
    assertThat(again.effect()).isEqualTo(Outcome.Effect.DUPLICATE);
    assertThat(again.score()).isEqualTo(first.score());
    assertThat(again.reached()).isEqualTo(first.reached());
    assertThat(scoreOf(board, "a")).isEqualTo(6);
  }

  @Test
  void submit_sameEventIdTwiceInOneRequest_countsOnce() {
    Board board = harness.board("twice", Update.SUM);
    Reply reply = harness.submit(board, score("a", 5, null, "e1"), score("a", 5, null, "e1"));
    assertThat(effects(reply)).containsExactly(Outcome.Effect.APPLIED, Outcome.Effect.DUPLICATE);
    assertThat(scoreOf(board, "a")).isEqualTo(5);
  }

  @Test
  void submit_eventIdWithAnotherPayload_isRefused() {
    Board board = harness.board("conflict", Update.SUM);
    harness.submit(board, score("a", 5, null, "e1"));
    assertThat(rejection(harness.submit(board, score("a", 6, null, "e1"))))
        .isEqualTo(ErrorCode.EVENT_ID_CONFLICT);
    assertThat(scoreOf(board, "a")).isEqualTo(5);
  }

  @Test
  void submit_sameKeyFromManyThreads_oneEffectOneAnswer() throws Exception {
    Board board = harness.board("keys", Update.SUM);
    int threads = 16;
    CountDownLatch go = new CountDownLatch(1);
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      replies.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  go.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                return harness.submit(board, key("k1", "p"), score("a", 5));
              },
              r -> Thread.ofVirtual().start(r)));
    }
    go.countDown();
    List<String> answers = new ArrayList<>();
    int done = 0;
    for (CompletableFuture<Reply> future : replies) {
      Reply reply = future.get(30, TimeUnit.SECONDS);
      done += reply instanceof Reply.Done ? 1 : 0;
      answers.add(answer(reply));
    }
    assertThat(done).isEqualTo(1);
    assertThat(answers).containsOnly(answers.getFirst());
    assertThat(scoreOf(board, "a")).isEqualTo(5);
  }

  @Test
  void submit_sameKeyAfterRestartAndOtherWrites_getsTheFirstAnswerWithItsRank() {
    Board board = harness.board("replay", Update.SUM);
    String first = answer(harness.submit(board, key("k1", "p"), score("a", 5)));
    harness.submit(board, score("b", 50));
    restart();
    Board again = harness.boards.require(board.tenant(), "replay");
    Reply reply = harness.submit(again, key("k1", "p"), score("a", 5));
    assertThat(reply).isInstanceOf(Reply.Replayed.class);
    assertThat(answer(reply)).isEqualTo(first).contains("rank=1");
    assertThat(scoreOf(again, "a")).isEqualTo(5);
  }

  @Test
  void submit_sameKeyOtherPayload_isRefused() {
    Board board = harness.board("reuse", Update.SUM);
    harness.submit(board, key("k1", "p"), score("a", 5));
    Reply reply = harness.submit(board, key("k1", "q"), score("a", 6));
    assertThat(refusal(reply)).isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT);
    assertThat(scoreOf(board, "a")).isEqualTo(5);
  }

  @Test
  void submit_rejectedWithKey_leavesTheKeyUnused() {
    Board board =
        harness.board("unused", Order.HIGHEST_FIRST, Ties.SHARED, Update.LATEST, new Bounds(0, 10));
    assertThat(rejection(harness.submit(board, key("k1", "p"), score("a", 11))))
        .isEqualTo(ErrorCode.SCORE_OUT_OF_BOUNDS);
    assertThat(harness.submit(board, key("k1", "p2"), score("a", 10)))
        .isInstanceOf(Reply.Done.class);
  }

  @Test
  void submit_oneBadLine_doesNotFailTheOthers() {
    Board board =
        harness.board("mixed", Order.HIGHEST_FIRST, Ties.SHARED, Update.LATEST, new Bounds(0, 10));
    Reply reply =
        harness.submit(
            board,
            score("a", 1),
            score("", 2),
            score("b", 11),
            new Command.Delete("x"),
            score("c", 3));
    assertThat(reply).isInstanceOf(Reply.Done.class);
    List<Outcome> outcomes = ((Reply.Done) reply).outcomes();
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Accepted.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcomes.get(3)).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcomes.get(4)).isInstanceOf(Outcome.Accepted.class);
    assertEqualsOracle(board);
  }

  @Test
  void submit_commitAnswerLost_isDecidedByTheStampAndAppliedOnce() {
    Board board = harness.board("lost", Update.SUM);
    harness.index.catchUp(board, board.primary());
    harness.submit(board, score("a", 1));
    store.failNextWrite(FaultyStore.Fault.LOST_ANSWER);
    Outcome.Accepted outcome = accepted(harness.submit(board, score("a", 2)));
    assertThat(outcome.score()).isEqualTo(3);
    assertEqualsOracle(board);
  }

  @Test
  void submit_commitLost_isRefusedAndNothingIsApplied() {
    Board board = harness.board("rolled-back", Update.SUM);
    harness.index.catchUp(board, board.primary());
    harness.submit(board, score("a", 1));
    store.failNextWrite(FaultyStore.Fault.LOST_COMMIT);
    assertThat(refusal(harness.submit(board, score("a", 2))))
        .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    assertThat(scoreOf(board, "a")).isEqualTo(1);
    assertThat(accepted(harness.submit(board, score("a", 2))).score()).isEqualTo(3);
    assertEqualsOracle(board);
  }

  @Test
  void submit_storeDown_isRefusedAndWorksAgainLater() {
    Board board = harness.board("down", Update.SUM);
    harness.submit(board, score("a", 1));
    store.failNextWrite(FaultyStore.Fault.UNAVAILABLE);
    assertThat(refusal(harness.submit(board, score("a", 2))))
        .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    assertThat(accepted(harness.submit(board, score("a", 2))).score()).isEqualTo(3);
  }

  @Test
  void submit_requestThatCannotBeStored_failsAlone() {
    Board board = harness.board("culprit", Update.SUM);
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Request.Idempotency poison =
          new Request.Idempotency(
              "c",
              "k" + i,
              Digest.of("p"),
              outcomes -> {
                throw new StoreException("told to fail", new IllegalStateException());
              });
      replies.add(
          harness.pipeline.submit(
              new Request(board, List.of(score("u" + i, 1)), 1, false, i == 23 ? poison : null)));
    }
    for (int i = 0; i < 50; i++) {
      Reply reply = replies.get(i).join();
      if (i == 23) {
        assertThat(refusal(reply)).isEqualTo(ErrorCode.INTERNAL_ERROR);
      } else {
        assertThat(accepted(reply).effect()).isEqualTo(Outcome.Effect.APPLIED);
      }
    }
    assertEqualsOracle(board);
  }

  @Test
  void submit_queueFull_isRefusedAndNothingAcknowledgedIsLost() {
    Board made = harness.board("full", Update.SUM);
    harness.close();
    harness = new Harness(store, clock, 100, Long.MAX_VALUE);
    Board board = harness.boards.require(made.tenant(), "full");
    CountDownLatch hold = new CountDownLatch(1);
    // The first commit waits in its answer encoder, so that everything else must queue.
    CountDownLatch inside = new CountDownLatch(1);
    var first =
        harness.pipeline.submit(
            new Request(
                board,
                List.of(score("first", 1)),
                1,
                false,
                new Request.Idempotency(
                    "c",
                    "k",
                    Digest.of("p"),
                    outcomes -> {
                      inside.countDown();
                      awaitQuietly(hold);
                      return new byte[0];
                    })));
    awaitQuietly(inside);
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      replies.add(
          harness.pipeline.submit(new Request(board, List.of(score("u" + i, 1)), 1, false, null)));
    }
    hold.countDown();
    first.join();
    int accepted = 0;
    int refused = 0;
    for (CompletableFuture<Reply> reply : replies) {
      if (reply.join() instanceof Reply.Refused(var why)) {
        assertThat(why.code()).isEqualTo(ErrorCode.OVERLOADED);
        refused++;
      } else {
        accepted++;
      }
    }
    assertThat(accepted).isEqualTo(100);
    assertThat(refused).isEqualTo(50);
    long entries = store.read(tx -> tx.count(board.primary().id()));
    assertThat(entries).isEqualTo(101);
  }

  @Test
  void submit_boardPausedMeanwhile_isRefused() {
    Board board = harness.board("paused", Update.SUM);
    harness.boards.change(
        board,
        new BoardChange(BoardStatus.PAUSED, null, null, null, null, null),
        null,
        b -> new byte[0]);
    // The caller still holds the version that was active.
    assertThat(refusal(harness.submit(board, score("a", 1)))).isEqualTo(ErrorCode.BOARD_NOT_ACTIVE);
  }

  @Test
  void submit_outsideTheSeason_saysWhy() {
    Board made = harness.board("times", Update.LATEST);
    long now = clock.millis();
    harness.boards.change(
        made,
        new BoardChange(null, null, now - 10_000, now + 10_000, null, null),
        null,
        b -> new byte[0]);
    Board board = harness.boards.require(made.tenant(), "times");
    assertThat(rejection(harness.submit(board, score("a", 1, now - 20_000, null))))
        .isEqualTo(ErrorCode.SEASON_NOT_STARTED);
    assertThat(rejection(harness.submit(board, score("a", 1, now + 20_000, null))))
        .isEqualTo(ErrorCode.SEASON_CLOSED);
    assertThat(rejection(harness.submit(board, score("a", 1, now + 400_000, null))))
        .isEqualTo(ErrorCode.TIME_IN_FUTURE);
    assertThat(accepted(harness.submit(board, score("a", 1))).score()).isEqualTo(1);
    clock.turn(Duration.ofMillis(10_000 + Board.DEFAULT_GRACE - 1));
    assertThat(accepted(harness.submit(board, score("a", 2, now + 9_999, null))).score())
        .isEqualTo(2);
    clock.turn(Duration.ofMillis(1));
    assertThat(rejection(harness.submit(board, score("a", 3, now + 9_999, null))))
        .isEqualTo(ErrorCode.SEASON_CLOSED);
  }

  @Test
  void submit_withoutTimeAfterAFastClock_neverLoses() {
    Board board = harness.board("fast-clock", Update.LATEST);
    harness.submit(board, score("a", 1, clock.millis() + 200_000, null));
    assertThat(accepted(harness.submit(board, score("a", 2))).effect())
        .isEqualTo(Outcome.Effect.APPLIED);
    assertThat(scoreOf(board, "a")).isEqualTo(2);
  }

  @Test
  void delete_thenOlderLatest_staysDeleted() {
    Board board = harness.board("deleted", Update.LATEST);
    long early = clock.millis();
    harness.submit(board, score("a", 5));
    clock.turn(Duration.ofSeconds(1));
    assertThat(accepted(harness.submit(board, new Command.Delete("a"))).effect())
        .isEqualTo(Outcome.Effect.APPLIED);
    assertThat(accepted(harness.submit(board, score("a", 9, early, null))).effect())
        .isEqualTo(Outcome.Effect.UNCHANGED);
    assertThat(rejection(harness.submit(board, new Command.Delete("a"))))
        .isEqualTo(ErrorCode.USER_NOT_FOUND);
    assertEqualsOracle(board);
    assertThat(accepted(harness.submit(board, score("a", 7))).effect())
        .isEqualTo(Outcome.Effect.APPLIED);
    assertEqualsOracle(board);
  }

  @Test
  void index_overItsBudget_unloadsTheIdleSeasonAndLoadsItAgain() {
    Board idle = harness.board("idle", Update.LATEST);
    Board busy = harness.board("busy", Update.LATEST);
    for (int i = 0; i < 60; i++) {
      harness.submit(idle, score("u" + i, i));
      harness.submit(busy, score("u" + i, i));
    }
    Harness small = new Harness(store, clock, 1000, 100 * 48);
    try {
      small.index.catchUp(idle, idle.primary());
      small.index.catchUp(busy, busy.primary());
      assertThat(small.index.size(busy.primary())).isEqualTo(60);
      assertThat(small.index.size(idle.primary())).isZero();
      assertThat(rankOf(small, idle, "u59")).isEqualTo(1);
      small.submit(idle, score("u60", 60));
      assertThat(rankOf(small, idle, "u60")).isEqualTo(1);
      small.index.catchUp(idle, idle.primary());
      assertThat(small.index.size(idle.primary())).isEqualTo(61);
      assertThat(small.index.size(busy.primary())).isZero();
      assertThat(rankOf(small, idle, "u59")).isEqualTo(2);
    } finally {
      small.close();
    }
  }

  @Test
  void index_besideAnotherWriter_noticesAndCatchesUpFromTheLedger() {
    Board board = harness.board("shared", Update.LATEST);
    harness.submit(board, score("a", 1));
    Harness other = new Harness(store, clock);
    try {
      other.index.catchUp(board, board.primary());
      harness.submit(board, score("b", 2));
      // A commit that does not begin where this index stands: it must not answer from the old
      // state.
      other.submit(board, score("c", 3));
      assertThat(rankOf(other, board, "b")).isEqualTo(2);
      other.index.catchUp(board, board.primary());
      assertThat(other.index.size(board.primary())).isEqualTo(3);
      assertThat(other.index.loads()).as("built once, then moved on by the ledger").isEqualTo(1);
    } finally {
      other.close();
    }
  }

  private static long rankOf(Harness node, Board board, String user) {
    return node.rankings.ask(
        board,
        board.primary(),
        view -> {
          var row = view.ranking().row(view.users().find(user));
          return row == null ? 0 : row.rank();
        });
  }

  // --- reading replies

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("waited 30 s");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Request.Idempotency key(String key, String payload) {
    return new Request.Idempotency(
        "caller",
        key,
        Digest.of(payload),
        outcomes ->
            outcomes.stream()
                .map(
                    o ->
                        o instanceof Outcome.Accepted a
                            ? "score=" + a.score() + " rank=" + a.rank()
                            : "rejected")
                .reduce("", String::concat)
                .getBytes(StandardCharsets.UTF_8));
  }

  private static String answer(Reply reply) {
    return switch (reply) {
      case Reply.Done(var _, byte[] answer) when answer != null ->
          new String(answer, StandardCharsets.UTF_8);
      case Reply.Replayed(byte[] answer) -> new String(answer, StandardCharsets.UTF_8);
      default -> throw new AssertionError("no answer: " + reply);
    };
  }

  private static Outcome.Accepted accepted(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Done.class);
    Outcome outcome = ((Reply.Done) reply).outcomes().getFirst();
    assertThat(outcome).isInstanceOf(Outcome.Accepted.class);
    return (Outcome.Accepted) outcome;
  }

  private static List<Outcome.Effect> effects(Reply reply) {
    return ((Reply.Done) reply)
        .outcomes().stream().map(o -> ((Outcome.Accepted) o).effect()).toList();
  }

  private static ErrorCode rejection(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Done.class);
    return ((Outcome.Rejected) ((Reply.Done) reply).outcomes().getFirst()).rejection().code();
  }

  private static ErrorCode refusal(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    return ((Reply.Refused) reply).rejection().code();
  }

  private long scoreOf(Board board, String user) {
    return harness.rankings.ask(
        board,
        board.primary(),
        view -> {
          var row = view.ranking().row(view.users().find(user));
          if (row == null) {
            throw new AssertionError(user + " has no entry");
          }
          return row.score();
        });
  }
}
