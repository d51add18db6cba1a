package dev.laurel.server.bench;

import java.time.Duration;

/**
 * The times of a run, by {@link System#nanoTime}. The warm-up is from the beginning to {@code
 * from}; what counts is from there until before {@code to}; then answers are awaited until {@code
 * giveUp}.
 */
record Window(long begin, long from, long to, long giveUp) {
  static Window starting(long begin, Duration warmup, Duration duration, Duration patience) {
    long from = begin + warmup.toNanos();
    long to = from + duration.toNanos();
    return new Window(begin, from, to, to + patience.toNanos());
  }

  boolean counts(long nanos) {
    return nanos - from >= 0 && nanos - to < 0;
  }

  boolean isOver(long nanos) {
    return nanos - to >= 0;
  }

  double seconds() {
    return (to - from) / 1e9;
  }
}
