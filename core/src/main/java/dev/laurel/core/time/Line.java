package dev.laurel.core.time;

import java.util.concurrent.TimeUnit;

/**
 * A clock that said {@code millis} when the one that nobody sets said {@code nanos}, and what
 * follows from that for any other moment.
 */
record Line(long millis, long nanos) {
  /** Clocks are corrected by a little all the time. */
  static final long TOLERANCE = 10_000;

  long at(long now) {
    return millis + TimeUnit.NANOSECONDS.toMillis(now - nanos);
  }

  /** Whether a clock that was read between two moments goes on as this says. */
  boolean fits(long read, long asked, long now) {
    return read >= at(asked) - TOLERANCE && read <= at(now) + TOLERANCE;
  }
}
