package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.SourcePartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Streams that come again: where a command is in its stream says whether it was taken. */
interface SourceCases extends PipelineCases {
  Digest TOPIC = Digest.of("topic");

  @Test
  default void submit_redeliveredInOtherPieces_countsEveryOffsetOnce(Random random) {
    Board board = harness().board("stream", Update.SUM);
    int end = 200;
    int done = 0;
    while (done < end) {
      // Redeliveries begin anywhere before, and end anywhere after.
      int from = random.nextInt(done + 1);
      int to = Math.min(end, done + random.nextInt(20));
      if (from < to) {
        take(board, TOPIC, from, to);
      }
      done = Math.max(done, to);
    }
    assertThat(scoreOf(board, "a")).isEqualTo(end);
    restart();
    Board after = current(board);
    take(after, TOPIC, 0, end);
    assertThat(scoreOf(after, "a")).isEqualTo(end);
    assertEqualsOracle(after);
  }

  @Test
  default void submit_sameOffsetsOfAnotherTopicPartitionOrBoard_countAgain() {
    Board board = harness().board("one", Update.SUM);
    Board other = harness().board("two", Update.SUM);
    take(board, TOPIC, 0, 5);
    take(board, Digest.of("made again"), 0, 5);
    take(other, TOPIC, 0, 5);
    assertThat(scoreOf(board, "a")).isEqualTo(10);
    assertThat(scoreOf(other, "a")).isEqualTo(5);
  }

  @Test
  default void submit_storeDown_takesNothingAndTheRetryCounts() {
    Board board = harness().board("down", Update.SUM);
    take(board, TOPIC, 0, 1);
    store().failNextWrite(FaultyStore.Fault.UNAVAILABLE);
    assertThat(PipelineCases.refusal(take(board, TOPIC, 1, 3)))
        .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    store().failNextWrite(FaultyStore.Fault.LOST_ANSWER);
    take(board, TOPIC, 1, 3);
    take(board, TOPIC, 1, 3);
    assertThat(scoreOf(board, "a")).isEqualTo(3);
  }

  @Test
  default void submit_boardCompletedMeanwhile_whatWasTakenIsADuplicateAndTheRestRefused() {
    Board board = harness().board("over", Update.SUM);
    take(board, TOPIC, 0, 2);
    harness()
        .boards
        .change(board, BoardChange.status(BoardStatus.COMPLETED), null, b -> new byte[0]);
    Reply reply = take(board, TOPIC, 0, 3);
    List<Outcome> outcomes = ((Reply.Done) reply).outcomes();
    assertThat(outcomes.subList(0, 2))
        .allSatisfy(
            o -> assertThat(((Outcome.Accepted) o).effect()).isEqualTo(Outcome.Effect.DUPLICATE));
    assertThat(((Outcome.Rejected) outcomes.getLast()).rejection().code())
        .isEqualTo(ErrorCode.BOARD_NOT_ACTIVE);
  }

  /** Whoever died before the dead letter was out finds it refused again, and nothing twice. */
  @Test
  default void submit_refusedAndRedelivered_isRefusedAgainUntilSettled() {
    Board board = harness().board("refused", Update.SUM);
    take(board, TOPIC, 0, 2);
    harness().boards.change(board, BoardChange.status(BoardStatus.PAUSED), null, b -> new byte[0]);
    take(board, TOPIC, 2, 4);
    harness().boards.change(board, BoardChange.status(BoardStatus.ACTIVE), null, b -> new byte[0]);
    take(board, TOPIC, 4, 5);
    restart();
    Board after = current(board);

    List<Outcome> again = ((Reply.Done) take(after, TOPIC, 0, 6)).outcomes();
    assertThat(again.subList(2, 4))
        .allSatisfy(
            o ->
                assertThat(((Outcome.Rejected) o).rejection().code())
                    .isEqualTo(ErrorCode.BOARD_NOT_ACTIVE));
    assertThat(again).filteredOn(o -> o instanceof Outcome.Rejected).hasSize(2);
    assertThat(scoreOf(after, "a")).isEqualTo(4);

    store()
        .write(
            tx -> {
              tx.moveOffsets(Map.of(new SourcePartition(0, TOPIC, 0), 2L));
              return true;
            });
    List<Outcome> settled = ((Reply.Done) take(after, TOPIC, 2, 4)).outcomes();
    assertThat(((Outcome.Accepted) settled.getFirst()).effect())
        .isEqualTo(Outcome.Effect.DUPLICATE);
    assertThat(settled.getLast()).isInstanceOf(Outcome.Rejected.class);
    assertEqualsOracle(after);
  }

  /** One point for each offset. */
  private Reply take(Board board, Digest topic, int from, int to) {
    List<Command> commands = new ArrayList<>();
    long[] offsets = new long[to - from];
    for (int i = 0; i < offsets.length; i++) {
      commands.add(score("a", 1));
      offsets[i] = (long) from + i;
    }
    SourcePartition partition = new SourcePartition(board.id(), topic, 0);
    return harness()
        .await(
            new Request(board, commands, 0, false, null, new Request.Source(partition, offsets)));
  }
}
