package dev.laurel.redis;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Stops the waiting for a server that does not answer: after a few failures in a row every call is
 * refused at once, but for one now and then that looks whether it is back. Thread-safe.
 */
final class Breaker {
  private static final int FAILURES = 3;
  private static final long PAUSE_NANOS = 500_000_000;

  private final LongSupplier nanoTime;
  private final AtomicInteger failures = new AtomicInteger();

  /** When the next call may try; meaningless while it is closed. */
  private final AtomicLong next = new AtomicLong();

  Breaker(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether a call may go out now; it must be told what came of it. */
  boolean permits() {
    if (!isOpen()) {
      return true;
    }
    long now = nanoTime.getAsLong();
    long at = next.get();
    return now - at >= 0 && next.compareAndSet(at, now + PAUSE_NANOS);
  }

  void succeeded() {
    if (failures.get() != 0) {
      failures.set(0);
    }
  }

  void failed() {
    if (failures.incrementAndGet() >= FAILURES) {
      next.set(nanoTime.getAsLong() + PAUSE_NANOS);
    }
  }

  boolean isOpen() {
    return failures.get() >= FAILURES;
  }
}
