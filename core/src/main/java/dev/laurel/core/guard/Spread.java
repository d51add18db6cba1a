package dev.laurel.core.guard;

/** Mean and deviation of numbers, one after the other, by Welford's method. One thread. */
final class Spread {
  private static final double MAX = 1_000_000;

  private long count;
  private double mean;
  private double squares;

  Spread copy() {
    Spread copy = new Spread();
    copy.count = count;
    copy.mean = mean;
    copy.squares = squares;
    return copy;
  }

  void add(double x) {
    count++;
    double off = x - mean;
    mean += off / count;
    squares += off * (x - mean);
  }

  /**
   * How many standard deviations x is from the mean, 0 of less than {@code minimum} numbers. Where
   * all were the same, what differs is as far away as can be.
   */
  double zScore(double x, int minimum) {
    if (count < minimum || x == mean) {
      return 0;
    }
    double deviation = Math.sqrt(squares / count);
    double z = (x - mean) / deviation;
    return Double.isInfinite(z) ? Math.copySign(MAX, z) : Math.clamp(z, -MAX, MAX);
  }
}
