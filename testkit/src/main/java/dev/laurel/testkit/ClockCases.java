package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.time.ClockObserver;
import dev.laurel.core.time.WatchedClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A clock jumps while requests are on their way. */
interface ClockCases extends SeasonCases {
  @Test
  default void submit_whenTheClockJumpsBeforeItsTurn_isRefusedAndNothingIsApplied() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    WatchedClock watched = new WatchedClock(clock(), false, Long.MAX_VALUE, ClockObserver.NONE);
    try (Harness node = new Harness(store(), clock(), watched)) {
      Board board =
          node.board("day", Update.SUM, SeasonCases.window("daily", new Schedule.Daily()));
      Board endless = node.board("endless", Update.SUM);
      PipelineCases.accepted(node.submit(board, score("a", 1)));
      PipelineCases.accepted(node.submit(endless, score("a", 1)));
      CountDownLatch held = new CountDownLatch(1);
      CountDownLatch jumped = new CountDownLatch(1);
      CompletableFuture<Void> holder =
          CompletableFuture.runAsync(
              () ->
                  store()
                      .write(
                          tx -> {
                            tx.lockShard(Math.min(board.shard(), endless.shard()));
                            tx.lockShard(Math.max(board.shard(), endless.shard()));
                            held.countDown();
                            PipelineCases.awaitQuietly(jumped);
                            return true;
                          }),
              task -> Thread.ofPlatform().start(task));
      PipelineCases.awaitQuietly(held);
      CompletableFuture<Reply> day = node.pipeline.submit(one(board));
      CompletableFuture<Reply> other = node.pipeline.submit(one(endless));
      clock().jump(Duration.ofDays(1));
      jumped.countDown();
      holder.orTimeout(1, TimeUnit.MINUTES).join();
      assertThat(PipelineCases.refusal(day.orTimeout(1, TimeUnit.MINUTES).join()))
          .isEqualTo(ErrorCode.CLOCK_IN_DOUBT);
      // Where it does not matter which time it is, nothing is refused.
      PipelineCases.accepted(other.orTimeout(1, TimeUnit.MINUTES).join());
      clock().jump(Duration.ofDays(-1));
      assertThat(PipelineCases.accepted(node.submit(board, score("a", 1))).score()).isEqualTo(2);
    }
  }

  private static Request one(Board board) {
    return new Request(board, List.of(score("a", 1)), 1, true, null);
  }
}
