package dev.laurel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.query.Rankings;
import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.RedisCluster;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A master of a Redis cluster is killed: the one that has the board. */
class RedisClusterFaultsTest {
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  @TempDir Path folder = Path.of("");

  private RedisServer masterOf(LeadBoard lead, RedisCluster cluster) {
    return cluster.masterOf("{" + LeadBoard.PREFIX + "-" + lead.board.primary().id() + "}");
  }

  private static void report(String what, long begin) {
    System.out.printf(
        "%s: reads came from SQL for %d ms%n",
        what, Duration.ofNanos(System.nanoTime() - begin).toMillis());
  }

  @Test
  void master_killedWithAReplica_readsReturnWhenTheReplicaHasTakenOver() {
    try (RedisCluster cluster = RedisCluster.start(folder.resolve("redis"), 3, true);
        Store store = SqliteStore.open(folder.resolve("data"), new ManualClock())) {
      LeadBoard lead = new LeadBoard(store, cluster.url());
      long begin = System.nanoTime();
      masterOf(lead, cluster).stop();
      lead.writeAndReadOften();
      assertThat(lead.read().source()).isEqualTo(Rankings.Source.SQL);
      lead.awaitIndex();
      report("with a replica", begin);
      lead.writeAndReadOften();
      lead.awaitIndex();
      lead.node.close();
    }
  }

  @Test
  void master_killedWithoutAReplica_readsReturnWhenItIsBackAndEmpty() {
    try (RedisCluster cluster = RedisCluster.start(folder.resolve("redis"), 3);
        Store store = SqliteStore.open(folder.resolve("data"), new ManualClock())) {
      LeadBoard lead = new LeadBoard(store, cluster.url());
      RedisServer master = masterOf(lead, cluster);
      master.stop();
      lead.writeAndReadOften();
      assertThat(lead.read().source()).isEqualTo(Rankings.Source.SQL);
      long begin = System.nanoTime();
      master.start();
      lead.awaitIndex();
      report("without a replica, after it was back", begin);
      lead.writeAndReadOften();
      lead.awaitIndex();
      lead.node.close();
    }
  }

  @Test
  void close_mastersDieAndHang_ends() {
    try (RedisCluster cluster = RedisCluster.start(folder.resolve("redis"), 3);
        Store store = SqliteStore.open(folder.resolve("data"), new ManualClock())) {
      LeadBoard lead = new LeadBoard(store, cluster.url());
      RedisServer asked = masterOf(lead, cluster);
      List<RedisServer> others = cluster.masters().stream().filter(m -> m != asked).toList();
      others.getFirst().pause();
      asked.stop();
      lead.writeAndReadOften();
      assertThat(CompletableFuture.runAsync(lead.node::close)).succeedsWithin(A_MINUTE);
      others.getFirst().resume();
    }
  }
}
