package dev.laurel.server.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.server.http.Exchange;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How often somebody may do something in a day (UTC). Counted by this process: several nodes each
 * allow as much, and a restart begins anew. Thread-safe.
 */
public final class DailyCap {
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final int most;
  private final InstantSource clock;
  private final Cache<Key, AtomicInteger> counts =
      Caffeine.newBuilder().maximumSize(200_000).expireAfterWrite(Duration.ofDays(1)).build();

  private record Key(String what, String who, long day) {}

  /**
   * @param most 0 for no limit
   */
  public DailyCap(int most, InstantSource clock) {
    this.most = most;
    this.clock = clock;
  }

  /**
   * Counts what a user asks for.
   *
   * @throws dev.laurel.core.model.RejectedException RATE_LIMITED if there were too many today
   */
  public void take(Exchange exchange, String what) {
    if (most == 0) {
      return;
    }
    long now = clock.millis();
    Key key = new Key(what, exchange.caller().callerId(), Math.floorDiv(now, DAY));
    if (counts.get(key, _ -> new AtomicInteger()).incrementAndGet() > most) {
      exchange.header("Retry-After", Long.toString(1 + (DAY - Math.floorMod(now, DAY)) / 1000));
      throw Rejection.of(
              ErrorCode.RATE_LIMITED,
              "%s: too many today (expected: at most %d a day)".formatted(what, most))
          .asException();
    }
  }
}
