package dev.laurel.redis;

import dev.laurel.core.access.Buckets;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Buckets that nodes share. While Redis does not answer, each node counts by itself: a limit that
 * is too generous for a while is better than one that refuses everybody. Thread-safe.
 */
public final class RedisBuckets implements Buckets {
  private final RedisConnections connections;
  private final String prefix;
  private final Buckets local;
  private final Consumer<Throwable> onError;
  private final Breaker breaker = new Breaker(System::nanoTime);
  private volatile @Nullable ProxyManager<byte[]> manager;

  /**
   * @param local what to turn to
   */
  public RedisBuckets(
      RedisAddress address, String prefix, Buckets local, Consumer<Throwable> onError) {
    this.connections = new RedisConnections(address, RedisLink.SHORT);
    this.prefix = prefix;
    this.local = local;
    this.onError = onError;
  }

  @Override
  public boolean mayWait() {
    return true;
  }

  @Override
  public Taken take(String key, int perMinute) {
    if (!breaker.permits()) {
      return local.take(key, perMinute);
    }
    try {
      ProxyManager<byte[]> buckets = manager();
      if (buckets == null) {
        throw new IllegalStateException("redis is not connected");
      }
      ConsumptionProbe probe =
          buckets
              .builder()
              .build(
                  (prefix + ":rate:" + key).getBytes(StandardCharsets.UTF_8),
                  () -> configuration(perMinute))
              .tryConsumeAndReturnRemaining(1);
      breaker.succeeded();
      return new Taken(
          probe.isConsumed(),
          probe.getRemainingTokens(),
          probe.getNanosToWaitForRefill(),
          probe.getNanosToWaitForReset());
    } catch (RuntimeException e) {
      breaker.failed();
      onError.accept(e);
      return local.take(key, perMinute);
    }
  }

  private static BucketConfiguration configuration(int perMinute) {
    return BucketConfiguration.builder()
        .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, Duration.ofMinutes(1)))
        .build();
  }

  private @Nullable ProxyManager<byte[]> manager() {
    ProxyManager<byte[]> known = manager;
    if (known != null) {
      return known;
    }
    Bucket4jLettuce.LettuceBasedProxyManagerBuilder<byte[]> builder =
        switch (connections.commands()) {
          case RedisAsyncCommands<byte[], byte[]> one -> Bucket4jLettuce.casBasedBuilder(one);
          case RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster ->
              Bucket4jLettuce.casBasedBuilder(cluster);
          case null, default -> null;
        };
    if (builder == null) {
      return null;
    }
    ProxyManager<byte[]> made =
        builder
            .requestTimeout(RedisLink.SHORT)
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                    Duration.ofSeconds(10)))
            .build();
    manager = made;
    return made;
  }

  @Override
  public void close() {
    connections.close();
  }
}
