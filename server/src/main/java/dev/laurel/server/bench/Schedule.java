package dev.laurel.server.bench;

/**
 * When requests are due at a constant rate. It only moves on when a request is taken, so requests
 * that could not be sent in time stay due since then: that wait is part of their latency (no
 * coordinated omission). For one thread.
 */
final class Schedule {
  private final double nanosApart;
  private long begin;
  private long taken;
  private long due;

  Schedule(double perSecond) {
    this.nanosApart = 1e9 / perSecond;
  }

  void begin(long nanos) {
    begin = nanos;
    taken = 0;
    due = nanos;
  }

  /** Of the next request. */
  long due() {
    return due;
  }

  void take() {
    taken++;
    // From the beginning on, so that rounding does not add up.
    due = begin + (long) (taken * nanosApart);
  }
}
