package dev.laurel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica takes the place of the master that sentinels watch. */
class SentinelTest {
  @TempDir Path folder = Path.of("");

  @Test
  void failover_replicaPromoted_readsReturnToIt() {
    try (RedisServer master = RedisServer.start(folder.resolve("master"));
        RedisServer replica = master.replica(folder.resolve("replica"));
        RedisServer sentinel = master.sentinel(folder.resolve("sentinel"), "main");
        Store store = SqliteStore.open(folder.resolve("data"), new ManualClock());
        Harness node =
            new Harness(
                store,
                new ManualClock(),
                1 << 16,
                Nodes.indexes(
                    "redis-sentinel://127.0.0.1:" + sentinel.port() + "/0#main", "sentinel"))) {
      Board board = node.board("board", Update.LATEST);
      write(node, board, 1);
      until("reads come from the master", () -> isRight(node, board, 1) == Rankings.Source.INDEX);
      until(
          "the sentinel knows the replica",
          () -> sentinel.call("SENTINEL", "REPLICAS", "main").contains("" + replica.port()));
      master.stop();
      write(node, board, 2);
      isRight(node, board, 2);
      until("the replica is the master", () -> role(replica).contains("role:master"));
      write(node, board, 3);
      until("reads come from it", () -> isRight(node, board, 3) == Rankings.Source.INDEX);
      assertThat(replica.call("KEYS", "sentinel:*").lines()).hasSize(3);
    }
  }

  private static void write(Harness node, Board board, int score) {
    assertThat(node.submit(board, Harness.score("user-" + score, score)))
        .isInstanceOf(Reply.Done.class);
  }

  private static Rankings.Source isRight(Harness node, Board board, long users) {
    Rankings.Answer<Long> answer =
        node.rankings.answer(board, board.primary(), List.of(), view -> view.ranking().better(0));
    assertThat(answer.value()).isEqualTo(users);
    return answer.source();
  }

  /** A server that changes its role closes its connections: then it has none at the moment. */
  private static String role(RedisServer server) {
    try {
      return server.call("INFO", "replication");
    } catch (UncheckedIOException e) {
      return "";
    }
  }

  private static void until(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(20_000_000);
    }
  }
}
