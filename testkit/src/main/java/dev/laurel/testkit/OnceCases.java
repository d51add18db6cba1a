package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.Digest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Event ids and idempotency keys: one effect, one answer. */
interface OnceCases extends PipelineCases {
  @Test
  default void submit_sameEventIdAgain_changesNothingAndTellsTheFirstOutcome() {
    Board board = harness().board("events", Update.SUM);
    Outcome.Accepted first =
        PipelineCases.accepted(harness().submit(board, score("a", 5, null, "e1")));
    clock().turn(Duration.ofSeconds(1));
    harness().submit(board, score("a", 1));
    Outcome.Accepted again =
        PipelineCases.accepted(harness().submit(board, score("a", 5, null, "e1")));
    assertThat(again.effect()).isEqualTo(Outcome.Effect.DUPLICATE);
    assertThat(again.score()).isEqualTo(first.score());
    assertThat(again.reached()).isEqualTo(first.reached());
    assertThat(scoreOf(board, "a")).isEqualTo(6);
  }

  @Test
  default void submit_sameEventIdTwiceInOneRequest_countsOnce() {
    Board board = harness().board("twice", Update.SUM);
    Reply reply = harness().submit(board, score("a", 5, null, "e1"), score("a", 5, null, "e1"));
    assertThat(effects(reply)).containsExactly(Outcome.Effect.APPLIED, Outcome.Effect.DUPLICATE);
    assertThat(scoreOf(board, "a")).isEqualTo(5);
  }

  @Test
  default void submit_eventIdWithAnotherPayload_isRefused() {
    Board board = harness().board("conflict", Update.SUM);
    harness().submit(board, score("a", 5, null, "e1"));
    assertThat(PipelineCases.rejection(harness().submit(board, score("a", 6, null, "e1"))))
        .isEqualTo(ErrorCode.EVENT_ID_CONFLICT);
    assertThat(scoreOf(board, "a")).isEqualTo(5);
  }

  @Test
  default void submit_sameKeyFromManyThreads_oneEffectOneAnswer() throws Exception {
    Board board = harness().board("keys", Update.SUM);
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
                return harness().submit(board, key("k1", "p"), score("a", 5));
              },
              r -> Thread.ofVirtual().start(r)));
    }
    go.countDown();
    List<String> answers = new ArrayList<>();
    int done = 0;
    for (CompletableFuture<Reply> future : replies) {
      Reply reply = future.get(2, TimeUnit.MINUTES);
      done += reply instanceof Reply.Done ? 1 : 0;
      answers.add(answer(reply));
    }
    assertThat(done).isEqualTo(1);
    assertThat(answers).containsOnly(answers.getFirst());
    assertThat(scoreOf(board, "a")).isEqualTo(5);
  }

  @Test
  default void submit_sameKeyAfterRestartAndOtherWrites_getsTheFirstAnswerWithItsRank() {
    Board board = harness().board("replay", Update.SUM);
    String first = answer(harness().submit(board, key("k1", "p"), score("a", 5)));
    harness().submit(board, score("b", 50));
    restart();
    Board again = harness().boards.require(board.tenant(), "replay");
    Reply reply = harness().submit(again, key("k1", "p"), score("a", 5));
    assertThat(reply).isInstanceOf(Reply.Replayed.class);
    assertThat(answer(reply)).isEqualTo(first).contains("rank=1");
    assertThat(scoreOf(again, "a")).isEqualTo(5);
  }

  @Test
  default void submit_sameKeyOtherPayload_isRefused() {
    Board board = harness().board("reuse", Update.SUM);
    harness().submit(board, key("k1", "p"), score("a", 5));
    Reply reply = harness().submit(board, key("k1", "q"), score("a", 6));
    assertThat(PipelineCases.refusal(reply)).isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT);
    assertThat(scoreOf(board, "a")).isEqualTo(5);
  }

  @Test
  default void submit_rejectedWithKey_leavesTheKeyUnused() {
    Board board =
        harness()
            .board("unused", Order.HIGHEST_FIRST, Ties.SHARED, Update.LATEST, new Bounds(0, 10));
    assertThat(PipelineCases.rejection(harness().submit(board, key("k1", "p"), score("a", 11))))
        .isEqualTo(ErrorCode.SCORE_OUT_OF_BOUNDS);
    assertThat(harness().submit(board, key("k1", "p2"), score("a", 10)))
        .isInstanceOf(Reply.Done.class);
  }

  /** Not waited for one by one, so that both are in one batch more often than not. */
  @Test
  default void submit_rejectedBesideAcceptedWithItsKey_eachGetsItsOwn() {
    Board board =
        harness()
            .board("beside", Order.HIGHEST_FIRST, Ties.SHARED, Update.LATEST, new Bounds(0, 10));
    List<CompletableFuture<Reply>> rejected = new ArrayList<>();
    List<CompletableFuture<Reply>> accepted = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rejected.add(harness().pipeline.submit(keyed(board, key("k" + i, "p"), 11)));
      accepted.add(harness().pipeline.submit(keyed(board, key("k" + i, "q"), 10)));
    }
    for (int i = 0; i < 200; i++) {
      assertThat(rejected.get(i).join()).isInstanceOf(Reply.Done.class);
      assertThat(((Reply.Done) rejected.get(i).join()).answer()).isNull();
      assertThat(answer(accepted.get(i).join())).isEqualTo("score=10 rank=1");
    }
  }

  @Test
  default void submit_sameEventIdUnderAKey_keepsAnAnswerWithTheRank() {
    Board board = harness().board("event-key", Update.SUM);
    harness().submit(board, score("a", 5, null, "e1"));
    harness().submit(board, score("b", 50));
    Reply first = harness().submit(board, key("k1", "p"), score("a", 5, null, "e1"));
    assertThat(answer(first)).isIn(RANK_TOLD, RANK_NOT_KNOWN);
    Reply again = harness().submit(board, key("k1", "p"), score("a", 5, null, "e1"));
    assertThat(answer(again)).isEqualTo(answer(first));
  }

  /** What is kept of a repeated event; an index in memory can always tell its rank. */
  String RANK_TOLD = "score=5 rank=2";

  /** One elsewhere is not asked inside a commit about a user whom the batch does not move. */
  String RANK_NOT_KNOWN = "score=5 rank=0";

  /** A window may have no season for years; what is repeated has reached another one. */
  @Test
  default void submit_sameEventIdWhereTheFirstWindowHasNoSeason_isADuplicate() {
    Schedule far = new Schedule.Every(1, Schedule.Unit.WEEKS, LocalDate.of(2090, 1, 1));
    Board board =
        harness()
            .board(
                "far",
                Update.SUM,
                new WindowDefinition("far", far, null, null, null, null, List.of()),
                WindowDefinition.ALL_TIME);
    harness().submit(board, score("b", 50));
    harness().submit(board, score("a", 5, null, "e1"));
    Outcome.Accepted again =
        PipelineCases.accepted(harness().submit(board, score("a", 5, null, "e1")));
    assertThat(again.effect()).isEqualTo(Outcome.Effect.DUPLICATE);
    assertThat(again.season()).isEqualTo(board.newest(board.windows().getLast()));
    assertThat(answer(harness().submit(board, key("k1", "p"), score("a", 5, null, "e1"))))
        .isIn(RANK_TOLD, RANK_NOT_KNOWN);
    Reply batch = harness().submit(board, score("a", 5, null, "e1"), score("c", 7, null, "e2"));
    assertThat(effects(batch)).containsExactly(Outcome.Effect.DUPLICATE, Outcome.Effect.APPLIED);
    Reply inOne = harness().submit(board, score("d", 1, null, "e3"), score("d", 1, null, "e3"));
    assertThat(effects(inOne)).containsExactly(Outcome.Effect.APPLIED, Outcome.Effect.DUPLICATE);
  }

  @Test
  default void submit_actionAgain_isRefusedForSevenDaysAndOfTheSameUserOnly() {
    Board board = harness().board("actions", Update.BEST);
    assertThat(PipelineCases.accepted(harness().submit(board, award("a", 5, "x"))).score())
        .isEqualTo(5);
    Reply twice = harness().submit(board, award("a", 7, "y"), award("a", 7, "y"));
    assertThat(((Reply.Done) twice).outcomes().getLast()).isInstanceOf(Outcome.Rejected.class);
    assertThat(PipelineCases.rejection(harness().submit(board, award("a", 9, "x"))))
        .isEqualTo(ErrorCode.ACTION_REPLAYED);
    harness().submit(board, award("b", 5, "x"));
    // An action is not an event.
    harness().submit(board, score("c", 1, null, "x"));
    assertThat(scoreOf(board, "a")).isEqualTo(12);
    assertThat(scoreOf(board, "b")).isEqualTo(5);
    restart();
    Board again = harness().boards.require(board.tenant(), "actions");
    clock().turn(Duration.ofDays(7).minusMillis(1));
    assertThat(PipelineCases.rejection(harness().submit(again, award("a", 9, "x"))))
        .isEqualTo(ErrorCode.ACTION_REPLAYED);
    clock().turn(Duration.ofMillis(1));
    harness().submit(again, award("a", 9, "x"));
    assertThat(PipelineCases.rejection(harness().submit(again, award("a", 9, "x"))))
        .isEqualTo(ErrorCode.ACTION_REPLAYED);
    assertThat(scoreOf(again, "a")).isEqualTo(21);
  }

  @Test
  default void submit_keyAfterItsTime_isFreeForAnotherPayload() {
    Board board = harness().board("key-time", Update.SUM);
    harness().submit(board, forADay("p"), score("a", 5));
    clock().turn(Duration.ofHours(24).minusMillis(1));
    assertThat(PipelineCases.refusal(harness().submit(board, forADay("q"), score("a", 6))))
        .isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT);
    clock().turn(Duration.ofMillis(1));
    assertThat(harness().submit(board, forADay("q"), score("a", 6))).isInstanceOf(Reply.Done.class);
    assertThat(harness().submit(board, forADay("q"), score("a", 6)))
        .isInstanceOf(Reply.Replayed.class);
    assertThat(scoreOf(board, "a")).isEqualTo(11);
  }

  private static Command award(String user, long points, String action) {
    return new Command.Award(user, points, action, null);
  }

  private static Request.Idempotency forADay(String payload) {
    Request.Idempotency forEver = key("k1", payload);
    return new Request.Idempotency(
        forEver.caller(),
        forEver.key(),
        forEver.payload(),
        forEver.answer(),
        Duration.ofHours(24).toMillis());
  }

  private static Request keyed(Board board, Request.Idempotency key, long value) {
    return new Request(board, List.of(score("a", value)), 1, true, key);
  }

  static Request.Idempotency key(String key, String payload) {
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

  static String answer(Reply reply) {
    return switch (reply) {
      case Reply.Done(var _, byte[] answer) when answer != null ->
          new String(answer, StandardCharsets.UTF_8);
      case Reply.Replayed(byte[] answer) -> new String(answer, StandardCharsets.UTF_8);
      default -> throw new AssertionError("no answer: " + reply);
    };
  }

  static List<Outcome.Effect> effects(Reply reply) {
    return ((Reply.Done) reply)
        .outcomes().stream().map(o -> ((Outcome.Accepted) o).effect()).toList();
  }
}
