package dev.laurel.testkit;

import dev.laurel.core.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that stands still until it is turned. Thread-safe.
 *
 * <p>It is two, as on a real machine: the time of day, and one that only goes forward. {@link
 * #turn} and {@link #set} let time pass on both; {@link #jump} moves the time of day alone.
 */
public final class ManualClock implements TimeSource {
  private final AtomicReference<Reading> now;

  private record Reading(Instant instant, long nanos) {}

  public ManualClock(Instant start) {
    this.now = new AtomicReference<>(new Reading(start, 0));
  }

  /** Stands at a fixed time that no test should depend on. */
  public ManualClock() {
    this(Instant.parse("2026-11-15T12:00:00Z"));
  }

  @Override
  public Instant instant() {
    return now.get().instant;
  }

  /** How much time has passed. */
  @Override
  public long nanos() {
    return now.get().nanos;
  }

  /** Turns it by this much, backwards if negative, and says the new time. */
  public Instant turn(Duration by) {
    return now.updateAndGet(r -> passed(r, r.instant.plus(by))).instant;
  }

  public void set(Instant to) {
    now.updateAndGet(r -> passed(r, to));
  }

  private static Reading passed(Reading from, Instant to) {
    long nanos = Duration.between(from.instant, to).toNanos();
    return new Reading(to, from.nanos + Math.max(0, nanos));
  }

  /** Somebody sets the time of day, and no time passes. */
  public void jump(Duration by) {
    now.updateAndGet(r -> new Reading(r.instant.plus(by), r.nanos));
  }
}
