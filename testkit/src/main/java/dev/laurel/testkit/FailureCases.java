package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens when the store or a request fails, or too much waits. */
interface FailureCases extends PipelineCases {
  /** As much metadata as a line may have, nearly. */
  String LARGE = "{\"a\":\"" + "x".repeat(4000) + "\"}";

  @Test
  default void submit_commitAnswerLost_isDecidedByTheStampAndAppliedOnce() {
    Board board = harness().board("lost", Update.SUM);
    harness().index.catchUp(board, board.primary());
    harness().submit(board, score("a", 1));
    store().failNextWrite(FaultyStore.Fault.LOST_ANSWER);
    Outcome.Accepted outcome = PipelineCases.accepted(harness().submit(board, score("a", 2)));
    assertThat(outcome.score()).isEqualTo(3);
    assertEqualsOracle(board);
  }

  @Test
  default void submit_commitLost_isRefusedAndNothingIsApplied() {
    Board board = harness().board("rolled-back", Update.SUM);
    harness().index.catchUp(board, board.primary());
    harness().submit(board, score("a", 1));
    store().failNextWrite(FaultyStore.Fault.LOST_COMMIT);
    assertThat(PipelineCases.refusal(harness().submit(board, score("a", 2))))
        .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    assertThat(scoreOf(board, "a")).isEqualTo(1);
    assertThat(PipelineCases.accepted(harness().submit(board, score("a", 2))).score()).isEqualTo(3);
    assertEqualsOracle(board);
  }

  /** What is thrown when the work is done may have come after the commit. */
  @ParameterizedTest
  @EnumSource(
      value = FaultyStore.Fault.class,
      names = {"ERROR_AFTERWARDS", "ERROR_BEFORE"})
  default void submit_errorAroundTheCommit_isAppliedOnce(FaultyStore.Fault fault) {
    Board board = harness().board("error", Update.SUM);
    harness().index.catchUp(board, board.primary());
    harness().submit(board, score("a", 1));
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    store().failNextWrite(fault);
    for (int i = 0; i < 10; i++) {
      replies.add(
          harness().pipeline.submit(new Request(board, List.of(score("a", 10)), 1, true, null)));
    }
    int applied = 0;
    for (CompletableFuture<Reply> reply : replies) {
      // A culprit that is alone is refused, and whoever is refused was not applied.
      applied += reply.join() instanceof Reply.Done ? 1 : 0;
    }
    assertThat(applied).isGreaterThanOrEqualTo(9);
    assertThat(scoreOf(board, "a")).isEqualTo(1 + 10 * applied);
    assertEqualsOracle(board);
  }

  @Test
  default void submit_storeDown_isRefusedAndWorksAgainLater() {
    Board board = harness().board("down", Update.SUM);
    harness().submit(board, score("a", 1));
    store().failNextWrite(FaultyStore.Fault.UNAVAILABLE);
    assertThat(PipelineCases.refusal(harness().submit(board, score("a", 2))))
        .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    assertThat(PipelineCases.accepted(harness().submit(board, score("a", 2))).score()).isEqualTo(3);
  }

  @Test
  default void submit_requestThatCannotBeStored_failsAlone() {
    Board board = harness().board("culprit", Update.SUM);
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
          harness()
              .pipeline
              .submit(
                  new Request(
                      board, List.of(score("u" + i, 1)), 1, false, i == 23 ? poison : null)));
    }
    for (int i = 0; i < 50; i++) {
      Reply reply = replies.get(i).join();
      if (i == 23) {
        assertThat(PipelineCases.refusal(reply)).isEqualTo(ErrorCode.INTERNAL_ERROR);
      } else {
        assertThat(PipelineCases.accepted(reply).effect()).isEqualTo(Outcome.Effect.APPLIED);
      }
    }
    assertEqualsOracle(board);
  }

  @Test
  default void submit_queueFull_isRefusedAndNothingAcknowledgedIsLost() {
    FullQueue full = fillQueue("full", null);
    // Of 100 places the last ones are for tenants who have none yet.
    assertThat(full.accepted()).isEqualTo(89);
    assertThat(full.refused()).isEqualTo(61);
  }

  /** A few large ones fill the memory as well as many small ones. */
  @Test
  default void submit_queueFullOfBytes_isRefusedAndNothingAcknowledgedIsLost() {
    FullQueue full = fillQueue("heavy", LARGE);
    // The first one, which is being committed, counts too.
    long room = 100 * Harness.LINE_BYTES - score("first", 1).bytes();
    assertThat(full.accepted()).isEqualTo((int) (room / noted("user-000", LARGE).bytes()));
    assertThat(full.refused()).isEqualTo(150 - full.accepted());
    harness().pipeline.close();
    assertThat(harness().pipeline.waitingBytes()).isZero();
  }

  /** Larger than all that may wait, but alone: it would else be refused for ever. */
  @Test
  default void submit_requestLargerThanTheQueue_isTakenWhenNothingWaits() {
    Board made = harness().board("alone", Update.SUM);
    replace(node(store().lanes()));
    Board board = harness().boards.require(made.tenant(), "alone");
    Command large = noted("u", LARGE);
    assertThat(large.bytes()).isGreaterThan(Harness.LINE_BYTES);
    assertThat(PipelineCases.accepted(harness().submit(board, large)).score()).isEqualTo(1);
  }

  private static Command noted(String user, @Nullable String metadata) {
    return new Command.Score(user, "1", null, null, null, metadata);
  }

  /** What became of requests that came during a commit. */
  record FullQueue(int accepted, int refused) {}

  /** A commit that takes long, and 150 requests of one line meanwhile, where 100 lines may wait. */
  private FullQueue fillQueue(String name, @Nullable String metadata) {
    Board made = harness().board(name, Update.SUM);
    // The lanes share the queue, and a board is in one of them.
    replace(node(100 * store().lanes()));
    Board board = harness().boards.require(made.tenant(), name);
    CountDownLatch hold = new CountDownLatch(1);
    // The first commit waits in its answer encoder, so that everything else must queue.
    CountDownLatch inside = new CountDownLatch(1);
    var first =
        harness()
            .pipeline
            .submit(
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
                          PipelineCases.awaitQuietly(hold);
                          return new byte[0];
                        })));
    PipelineCases.awaitQuietly(inside);
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      Command next = noted("user-%03d".formatted(i), metadata);
      replies.add(harness().pipeline.submit(new Request(board, List.of(next), 1, false, null)));
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
    long entries = store().read(tx -> tx.ranks().count(board.primary().id()));
    assertThat(entries).isEqualTo(accepted + 1);
    return new FullQueue(accepted, refused);
  }
}
