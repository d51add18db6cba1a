package dev.laurel.server.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.core.access.Buckets;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;

/**
 * Buckets in memory. A node alone needs no others; several nodes without Redis each allow as much.
 */
public final class LocalBuckets implements Buckets {
  /** A bucket that nobody took from for a minute is full, and needs not be remembered. */
  private final Cache<String, Bucket> buckets =
      Caffeine.newBuilder().maximumSize(200_000).expireAfterAccess(Duration.ofSeconds(90)).build();

  @Override
  public boolean mayWait() {
    return false;
  }

  @Override
  public Taken take(String key, int perMinute) {
    ConsumptionProbe probe =
        buckets.get(key, _ -> bucket(perMinute)).tryConsumeAndReturnRemaining(1);
    return new Taken(
        probe.isConsumed(),
        probe.getRemainingTokens(),
        probe.getNanosToWaitForRefill(),
        probe.getNanosToWaitForReset());
  }

  private static Bucket bucket(int perMinute) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, Duration.ofMinutes(1)))
        .build();
  }
}
