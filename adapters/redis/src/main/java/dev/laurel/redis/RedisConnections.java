package dev.laurel.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one server, to the master that sentinels name, or to all masters of a cluster.
 * Redis may be down when it is made: it connects when it can. Thread-safe.
 */
final class RedisConnections implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(1);

  /** For what blocks, in threads that keep no process alive. */
  private static final Executor ASIDE = task -> Thread.ofVirtual().start(task);

  private final ClientResources resources;
  private final AbstractRedisClient client;
  private final AtomicBoolean connecting = new AtomicBoolean();
  private volatile @Nullable Connected connected;

  /** One of two kinds of connection, which have this in common. */
  private record Connected(
      RedisClusterAsyncCommands<byte[], byte[]> commands,
      Function<String, CompletableFuture<?>> loader) {}

  /**
   * @param patience how long the first connection may take, at least {@link #CONNECT}; after it one
   *     is made aside
   */
  RedisConnections(RedisAddress address, Duration patience) {
    Duration connect = patience.compareTo(CONNECT) > 0 ? patience : CONNECT;
    resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            // Its default grows to half a minute, in which reads would come from the store.
            .reconnectDelay(
                Delay.exponential(
                    Duration.ofMillis(10), Duration.ofMillis(500), 2, TimeUnit.MILLISECONDS))
            .build();
    for (RedisURI node : address.nodes()) {
      node.setTimeout(connect);
    }
    if (address.isCluster()) {
      RedisClusterClient cluster = RedisClusterClient.create(resources, address.nodes());
      cluster.setOptions(options(ClusterClientOptions.builder(), connect).build());
      client = cluster;
    } else {
      RedisClient single = RedisClient.create(resources, address.nodes().getFirst());
      single.setOptions(
          options(ClientOptions.builder(), connect)
              // At once: a queue would only delay the turn to the store. (A cluster needs one, as
              // it connects to a master when it is first used.)
              .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
              .build());
      client = single;
    }
    awaitQuietly(connect(), connect);
  }

  private static <B extends ClientOptions.Builder> B options(B builder, Duration connect) {
    builder
        .autoReconnect(true)
        .requestQueueSize(65_536)
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(connect)
                .keepAlive(
                    // A host that vanished without a word is given up after seconds, not hours.
                    SocketOptions.KeepAliveOptions.builder()
                        .enable()
                        .idle(Duration.ofSeconds(5))
                        .interval(Duration.ofSeconds(1))
                        .count(3)
                        .build())
                .build());
    if (builder instanceof ClusterClientOptions.Builder cluster) {
      cluster.topologyRefreshOptions(
          ClusterTopologyRefreshOptions.builder()
              .enablePeriodicRefresh(Duration.ofSeconds(10))
              .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
              .build());
    }
    return builder;
  }

  private CompletableFuture<?> connect() {
    if (!connecting.compareAndSet(false, true)) {
      return CompletableFuture.completedFuture(null);
    }
    return CompletableFuture.supplyAsync(this::open, ASIDE)
        .whenComplete(
            (made, _) -> {
              connected = made;
              connecting.set(false);
            });
  }

  /** Blocks. */
  private Connected open() {
    return switch (client) {
      case RedisClusterClient cluster -> of(cluster.connect(ByteArrayCodec.INSTANCE));
      case RedisClient single -> of(single.connect(ByteArrayCodec.INSTANCE));
      default -> throw new IllegalStateException(client.toString());
    };
  }

  private static Connected of(StatefulRedisConnection<byte[], byte[]> connection) {
    return new Connected(
        connection.async(),
        library -> connection.async().functionLoad(library, true).toCompletableFuture());
  }

  private static Connected of(StatefulRedisClusterConnection<byte[], byte[]> connection) {
    return new Connected(
        connection.async(),
        library ->
            CompletableFuture.allOf(
                connection
                    .async()
                    .upstream()
                    .commands()
                    .functionLoad(library, true)
                    .asMap()
                    .values()
                    .stream()
                    // A master that is down does not keep the others from having it.
                    .map(loaded -> loaded.handle((_, _) -> true).toCompletableFuture())
                    .toArray(CompletableFuture[]::new)));
  }

  private static void awaitQuietly(CompletableFuture<?> done, Duration patience) {
    try {
      done.get(2 * patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      // It is down or slow. Whoever calls tries again, and is told.
    }
  }

  /** Null if there is no connection yet; then one is being made. */
  @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands() {
    Connected current = connected;
    if (current == null) {
      connect().exceptionally(_ -> null);
      return null;
    }
    return current.commands;
  }

  /** Loads a library of functions, on every master. */
  CompletableFuture<?> load(String library) {
    Connected current = connected;
    return current == null
        ? CompletableFuture.failedFuture(new IllegalStateException("not connected"))
        : current.loader.apply(library);
  }

  /**
   * The client's own end may never come: it waits, without a limit, for connections that it was
   * making when a master died (issue 2278 of Lettuce). What it leaves ends with the threads.
   */
  @Override
  public void close() {
    awaitQuietly(
        CompletableFuture.runAsync(() -> client.shutdown(Duration.ZERO, CONNECT), ASIDE), CONNECT);
    resources.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
