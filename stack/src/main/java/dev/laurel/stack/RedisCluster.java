package dev.laurel.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Redis servers that share the slots among them: a cluster without replicas. */
public final class RedisCluster implements AutoCloseable {
  private static final int SLOTS = 16_384;

  private final List<RedisServer> masters;

  private RedisCluster(List<RedisServer> masters) {
    this.masters = List.copyOf(masters);
  }

  /** Starts so many masters, and waits until all of them know that the cluster is whole. */
  public static RedisCluster start(Path folder, int masters) {
    List<RedisServer> servers = new ArrayList<>();
    for (int i = 0; i < masters; i++) {
      servers.add(
          RedisServer.start(
              folder.resolve("redis-" + i),
              "--cluster-enabled",
              "yes",
              "--cluster-node-timeout",
              "2000"));
    }
    RedisCluster cluster = new RedisCluster(servers);
    for (int i = 0; i < masters; i++) {
      RedisServer server = servers.get(i);
      server.call("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
      server.call(
          "CLUSTER",
          "ADDSLOTSRANGE",
          "" + i * SLOTS / masters,
          "" + ((i + 1) * SLOTS / masters - 1));
      server.call("CLUSTER", "MEET", "127.0.0.1", "" + servers.getFirst().port());
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!servers.stream().allMatch(server -> cluster.isWhole(server))) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the cluster did not form within 30 s");
      }
      LockSupport.parkNanos(20_000_000);
    }
    return cluster;
  }

  private boolean isWhole(RedisServer server) {
    String info = server.call("CLUSTER", "INFO");
    return info.contains("cluster_state:ok")
        && info.contains("cluster_known_nodes:" + masters.size());
  }

  public List<RedisServer> masters() {
    return masters;
  }

  /** Two of them are named: the others are found. */
  public String url() {
    return "redis-cluster://127.0.0.1:%d,127.0.0.1:%d"
        .formatted(masters.getFirst().port(), masters.getLast().port());
  }

  @Override
  public void close() {
    masters.forEach(RedisServer::close);
  }
}
