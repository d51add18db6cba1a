package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.Digest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the index does is no reason to refuse a score, and after the commit nothing is. */
interface AfterCommitCases extends PipelineCases {
  /** Another core on the same store, whose index is this one over the usual kind. */
  Harness node(FaultyIndex faults);

  @ParameterizedTest
  @ValueSource(strings = {"draft", "ranking", "publish", "awaitVisible"})
  default void submit_indexThatFails_isTakenAndTheNextReadSeesIt(String method) {
    FaultyIndex faults = new FaultyIndex();
    replace(node(faults));
    Board board = harness().board("faults", Update.SUM);
    harness().index.catchUp(board, board.primary());
    harness().submit(board, score("a", 1), score("b", 2));
    faults.failNext(method);
    Reply reply = harness().submit(board, score("a", 10));
    assertThat(faults.hasFailed()).isTrue();
    assertThat(PipelineCases.accepted(reply).score()).isEqualTo(11);
    assertThat(scoreOf(board, "a")).isEqualTo(11);
    assertThat(PipelineCases.rankOf(harness(), board, "a")).isEqualTo(1);
    // The lane goes on, and the season catches up.
    assertThat(PipelineCases.accepted(harness().submit(board, score("b", 20))).score())
        .isEqualTo(22);
    assertThat(PipelineCases.rankOf(harness(), board, "b")).isEqualTo(1);
    assertThat(harness().pipeline.lost()).isNull();
    assertEqualsOracle(board);
  }

  /** Counting it in the store would hold up everyone who waits for the shard. */
  @Test
  default void submit_withAKeyWhileTheIndexCannotTell_keepsAnAnswerWithoutTheRank() {
    Board board = harness().board("unknown", Update.SUM);
    harness().submit(board, score("a", 1), score("b", 2));
    FaultyIndex faults = new FaultyIndex();
    replace(node(faults));
    Board known = harness().boards.require(board.tenant(), "unknown");
    Request.Idempotency key =
        new Request.Idempotency(
            "caller",
            "key",
            Digest.of("payload"),
            outcomes -> outcomes.getFirst().toString().getBytes(StandardCharsets.UTF_8));
    faults.failNext("draft");
    Reply.Done first = (Reply.Done) harness().submit(known, key, score("a", 10));
    assertThat(first.outcomes().getFirst())
        .isInstanceOfSatisfying(
            Outcome.Accepted.class,
            accepted -> {
              assertThat(accepted.rank()).isEqualTo(Outcome.UNKNOWN_RANK);
              assertThat(accepted.score()).isEqualTo(11);
            });
    harness().index.catchUp(known, known.primary());
    Reply again = harness().submit(known, key, score("a", 10));
    assertThat(((Reply.Replayed) again).answer()).isEqualTo(first.answer());
    assertThat(scoreOf(known, "a")).isEqualTo(11);
    assertThat(List.copyOf(harness().failures)).isNotEmpty();
  }
}
