package dev.laurel.benchmarks.attacks;

import java.util.Arrays;

/** How long calls took. Thread-safe. */
final class Durations {
  private long[] nanos = new long[4096];
  private int count;

  synchronized void add(long taken) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = taken;
  }

  synchronized int count() {
    return count;
  }

  /** In milliseconds; of the longest for 1. */
  synchronized double millis(double part) {
    if (count == 0) {
      return Double.NaN;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[(int) Math.min(count - 1, Math.floor(part * count))] / 1e6;
  }
}
