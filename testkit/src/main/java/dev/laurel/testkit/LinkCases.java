package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * The lines of a user stay linked, whatever clocks say: of several nodes, or of one that steps
 * back.
 */
interface LinkCases extends CorrectionCases {
  private Board daily(String uuid) {
    clock().set(Instant.parse("2026-03-01T23:55:00Z"));
    Board board =
        harness()
            .board(
                uuid,
                Update.SUM,
                new WindowDefinition(
                    "daily",
                    new Schedule.Daily(),
                    "UTC",
                    null,
                    Duration.ofMinutes(5),
                    null,
                    List.of()));
    harness().seasons.turn(); // makes the next day
    return harness().boards.require(board.tenant(), uuid);
  }

  private long pointsAt(Board board, String user, long time) {
    int number = harness().users.of(board.tenant()).find(user);
    return store()
        .read(
            tx -> {
              Season season = tx.seasonAt(board.id(), 0, time);
              Entry entry =
                  season == null ? null : tx.entries(season.id(), new int[] {number}).getFirst();
              return entry == null || entry.deleted() ? -1 : entry.score();
            });
  }

  /**
   * A node's clock says that a day's grace period is over, and the next holder's says it is not.
   */
  @Test
  default void revert_clockBehindTheLastOne_keepsWhatStands() {
    Board board = daily("behind");
    long first = clock().millis();
    harness().submit(board, score("a", 10, first, null));
    clock().set(Instant.parse("2026-03-02T00:05:00.010Z"));
    harness().submit(board, score("a", 5, clock().millis(), null));
    clock().set(Instant.parse("2026-03-02T00:04:59.990Z"));
    long line =
        PipelineCases.accepted(harness().submit(board, score("a", 7, first + 1000, null))).line();
    assertThat(pointsAt(board, "a", first)).isEqualTo(17);
    clock().set(Instant.parse("2026-03-02T00:06:00Z"));
    revert(board, "a", line);
    assertThat(pointsAt(board, "a", first)).isEqualTo(10);
  }

  /** Points that a clock far ahead has put into the next day are found again when it comes. */
  @Test
  default void revert_clockThatWasAhead_keepsWhatStands() {
    Board board = daily("ahead");
    Instant now = clock().instant();
    clock().set(Instant.parse("2026-03-02T00:01:00Z"));
    long tomorrow = clock().millis();
    harness().submit(board, score("a", 10, tomorrow, null));
    clock().set(now.minus(Duration.ofHours(1)));
    harness().submit(board, score("a", 5, clock().millis(), null));
    clock().set(Instant.parse("2026-03-02T00:02:00Z"));
    long line =
        PipelineCases.accepted(harness().submit(board, score("a", 7, tomorrow + 1000, null)))
            .line();
    revert(board, "a", line);
    assertThat(pointsAt(board, "a", tomorrow)).isEqualTo(10);
  }

  /** Whoever waited for the lock is not earlier than whoever had it. */
  @Test
  default void submit_thatWaitedForTheLock_hasTheTimeOfItsCommit() throws InterruptedException {
    Board board = harness().board("waited", Update.LATEST);
    harness().submit(board, score("a", 1)); // so that nothing but the commit needs the store
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(
                () ->
                    store()
                        .write(
                            tx -> {
                              tx.lockShard(board.shard());
                              locked.countDown();
                              PipelineCases.awaitQuietly(release);
                              return true;
                            }));
    PipelineCases.awaitQuietly(locked);
    CountDownLatch there = new CountDownLatch(1);
    store().beforeLocks(there::countDown);
    CompletableFuture<Reply> reply =
        harness().pipeline.submit(new Request(board, List.of(score("a", 2)), 1, false, null));
    PipelineCases.awaitQuietly(there);
    store().beforeLocks(null);
    clock().turn(Duration.ofSeconds(3));
    long later = clock().millis();
    release.countDown();
    other.join();
    assertThat(PipelineCases.accepted(reply.join()).reached()).isEqualTo(later);
  }
}
