package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A commit waits for others who write, and never for those who read, however many those are. */
interface LaneCases extends PipelineCases {
  default void takeEveryReader() {
    store().refuseReadsOf("laurel-commit");
  }

  @AfterEach
  default void giveReadersBack() {
    store().refuseReadsOf(null);
  }

  @Test
  default void submit_whileEveryReaderIsTaken_numbersUsersAndLoadsThem() {
    Board board = harness().board("crowded", Update.SUM);
    harness().submit(board, score("a", 1));
    takeEveryReader();
    assertThat(PipelineCases.accepted(harness().submit(board, score("b", 2))).score()).isEqualTo(2);
    store().refuseReadsOf(null);
    replace(node(1 << 16)); // which knows nobody yet
    Board known = harness().boards.require(board.tenant(), "crowded");
    takeEveryReader();
    assertThat(PipelineCases.accepted(harness().submit(known, score("a", 2))).score()).isEqualTo(3);
    assertThat(outcome(harness().submit(known, new Command.Delete("nobody"))))
        .isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  default void submit_whileEveryReaderIsTaken_opensItsSeason() {
    Board board =
        harness()
            .board(
                "late",
                Update.SUM,
                new WindowDefinition(
                    "daily", new Schedule.Daily(), "UTC", null, Duration.ZERO, null, List.of()));
    harness().submit(board, score("a", 1));
    clock().turn(Duration.ofDays(3)); // and nobody has turned the season clock
    takeEveryReader();
    assertThat(PipelineCases.accepted(harness().submit(board, score("b", 2))).score()).isEqualTo(2);
  }

  static Outcome outcome(Reply reply) {
    return ((Reply.Done) reply).outcomes().getFirst();
  }
}
