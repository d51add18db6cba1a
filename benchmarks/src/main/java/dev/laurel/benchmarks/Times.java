package dev.laurel.benchmarks;

import java.util.Arrays;

/** Durations, in steps of 10 microseconds up to 20 seconds. Thread-safe. */
final class Times {
  private static final int STEP = 10_000;
  private final long[] counts = new long[2_000_000];

  synchronized void add(long nanos) {
    counts[(int) Math.min(counts.length - 1, Math.max(0, nanos / STEP))]++;
  }

  synchronized void clear() {
    Arrays.fill(counts, 0);
  }

  private double millis(double part) {
    long rest = (long) (part * Arrays.stream(counts).sum());
    for (int i = 0; i < counts.length; i++) {
      rest -= counts[i];
      if (rest < 0) {
        return i * (STEP / 1e6);
      }
    }
    return counts.length * (STEP / 1e6);
  }

  @Override
  public synchronized String toString() {
    return "p50 %.2f ms, p95 %.2f ms, p99 %.2f ms"
        .formatted(millis(0.5), millis(0.95), millis(0.99));
  }
}
