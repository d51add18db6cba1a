package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import org.junit.jupiter.api.Test;

/** The same where several nodes number users. */
public interface SharedLaneCases extends LaneCases {
  @Test
  default void delete_ofWhomAnotherNodeNumberedWhileEveryReaderIsTaken_isDone() {
    Board board = harness().board("numbered", Update.SUM);
    harness().submit(board, score("a", 1));
    try (Harness other = node(1 << 16)) {
      other.submit(other.boards.require(board.tenant(), "numbered"), score("b", 2));
    }
    takeEveryReader();
    assertThat(PipelineCases.accepted(harness().submit(board, new Command.Delete("b"))).onBoard())
        .isFalse();
    assertThat(LaneCases.outcome(harness().submit(board, new Command.Delete("c"))))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            rejected ->
                assertThat(rejected.rejection().code()).isEqualTo(ErrorCode.USER_NOT_FOUND));
  }
}
