package dev.laurel.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Redis servers that share the slots among them: masters, and if wanted a replica of each. */
public final class RedisCluster implements AutoCloseable {
  private static final int SLOTS = 16_384;

  private final List<RedisServer> masters;
  private final List<RedisServer> replicas;

  private RedisCluster(List<RedisServer> masters, List<RedisServer> replicas) {
    this.masters = List.copyOf(masters);
    this.replicas = List.copyOf(replicas);
  }

  /** Starts so many masters, and waits until all of them know that the cluster is whole. */
  public static RedisCluster start(Path folder, int masters) {
    return start(folder, masters, false);
  }

  /**
   * The same.
   *
   * @param replicated whether each master has a replica, which takes its place when it is gone
   */
  public static RedisCluster start(Path folder, int masters, boolean replicated) {
    RedisCluster cluster =
        new RedisCluster(
            startAll(folder, "redis-", masters),
            replicated ? startAll(folder, "replica-", masters) : List.of());
    try {
      cluster.join();
      return cluster;
    } catch (Throwable e) {
      cluster.close();
      throw e;
    }
  }

  private static List<RedisServer> startAll(Path folder, String name, int count) {
    List<RedisServer> servers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      servers.add(
          RedisServer.start(
              folder.resolve(name + i),
              "--cluster-enabled",
              "yes",
              "--cluster-node-timeout",
              "2000"));
    }
    return servers;
  }

  private void join() {
    for (int i = 0; i < masters.size(); i++) {
      RedisServer server = masters.get(i);
      server.call("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
      server.call(
          "CLUSTER",
          "ADDSLOTSRANGE",
          "" + i * SLOTS / masters.size(),
          "" + ((i + 1) * SLOTS / masters.size() - 1));
    }
    for (RedisServer server : all()) {
      server.call("CLUSTER", "MEET", "127.0.0.1", "" + masters.getFirst().port());
    }
    await("the cluster forms", () -> all().stream().allMatch(this::isWhole));
    for (int i = 0; i < replicas.size(); i++) {
      replicas.get(i).call("CLUSTER", "REPLICATE", masters.get(i).call("CLUSTER", "MYID"));
    }
    await("the replicas follow", () -> replicas.stream().allMatch(RedisCluster::follows));
  }

  private static void await(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not within two minutes: " + what);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  private boolean isWhole(RedisServer server) {
    String info = server.call("CLUSTER", "INFO");
    return info.contains("cluster_state:ok")
        && info.contains("cluster_known_nodes:" + all().size());
  }

  private static boolean follows(RedisServer replica) {
    return replica.call("INFO", "replication").contains("master_link_status:up");
  }

  private List<RedisServer> all() {
    List<RedisServer> all = new ArrayList<>(masters);
    all.addAll(replicas);
    return all;
  }

  public List<RedisServer> masters() {
    return masters;
  }

  /** The one that a key is kept by, as long as it is the one of its slots. */
  public RedisServer masterOf(String key) {
    int slot = Integer.parseInt(masters.getFirst().call("CLUSTER", "KEYSLOT", key));
    for (int i = 0; i < masters.size() - 1; i++) {
      if (slot < (i + 1) * SLOTS / masters.size()) {
        return masters.get(i);
      }
    }
    return masters.getLast();
  }

  /** All masters are named, as one of them may be the one that is gone. */
  public String url() {
    return masters.stream()
        .map(master -> "127.0.0.1:" + master.port())
        .collect(Collectors.joining(",", "redis-cluster://", ""));
  }

  @Override
  public void close() {
    all().forEach(RedisServer::close);
  }
}
