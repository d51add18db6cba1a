package dev.laurel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads that only the store can answer: those of all boards, while Redis is away. */
class StoredReadsTest {
  private static final int AT_ONCE = 2;
  private static final int WAITING = 256;

  @TempDir Path folder = Path.of("");

  @Test
  void answer_crowdBeyondTheQueue_isToldToComeBack() throws Exception {
    try (RedisServer server = RedisServer.start(folder.resolve("redis"));
        Store store = SqliteStore.open(folder.resolve("data"), new ManualClock());
        Harness node =
            new Harness(store, new ManualClock(), 1 << 16, Nodes.indexes(server.url(), "crowd"))) {
      Board board = node.board("crowd", Update.LATEST);
      node.submit(board, Harness.score("a", 1));
      server.stop();
      CountDownLatch inside = new CountDownLatch(AT_ONCE);
      CountDownLatch hold = new CountDownLatch(1);
      BlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();
      int crowd = AT_ONCE + WAITING + 50;
      for (int i = 0; i < crowd; i++) {
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    outcomes.add(
                        node.rankings.answer(
                            board,
                            board.primary(),
                            List.of(),
                            view -> {
                              // First, so that an index that is away does not count.
                              long size = view.ranking().size();
                              inside.countDown();
                              await(hold);
                              return size;
                            }));
                  } catch (RejectedException e) {
                    outcomes.add(e.rejection().code());
                  }
                });
      }
      // The queue is bounded by a look at its length, which others may have taken as well.
      for (int i = 0; i < 10; i++) {
        assertThat(outcomes.poll(2, TimeUnit.MINUTES)).isEqualTo(ErrorCode.OVERLOADED);
      }
      await(inside);
      hold.countDown();
      for (int i = 10; i < crowd; i++) {
        assertThat(outcomes.poll(2, TimeUnit.MINUTES)).isNotNull();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
