package dev.laurel.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is turned. Thread-safe. */
public final class ManualClock implements InstantSource {
  private final AtomicReference<Instant> now;

  public ManualClock(Instant start) {
    this.now = new AtomicReference<>(start);
  }

  /** Stands at a fixed time that no test should depend on. */
  public ManualClock() {
    this(Instant.parse("2026-11-15T12:00:00Z"));
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  /** Turns it by this much, backwards if negative, and says the new time. */
  public Instant turn(Duration by) {
    return now.updateAndGet(instant -> instant.plus(by));
  }

  public void set(Instant to) {
    now.set(to);
  }
}
