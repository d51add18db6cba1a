package dev.laurel.server.bench;

import java.util.SplittableRandom;

/**
 * Few users are asked for often, most rarely: the k-th most popular with a probability that goes
 * with k<sup>-exponent</sup>. For one thread.
 *
 * <p>Rejection-inversion (Hörmann and Derflinger, ACM TOMACS 6/3, 1996): no table, and about 1.1
 * attempts a sample, whatever the number of users.
 */
final class ZipfUsers implements UserPicker {
  /** A prime above every number of users, so that popularity to user is one to one. */
  private static final long SCATTER = 2_654_435_761L;

  private final int users;
  private final double exponent;
  private final SplittableRandom random;
  private final double first;
  private final double last;
  private final double shortcut;

  ZipfUsers(int users, double exponent, SplittableRandom random) {
    this.users = users;
    this.exponent = exponent;
    this.random = random;
    this.first = integral(1.5) - 1;
    this.last = integral(users + 0.5);
    this.shortcut = 2 - inverse(integral(2.5) - Math.pow(2, -exponent));
  }

  /** Popular users are strewn over all numbers, as they would be on a real board. */
  @Override
  public int next() {
    return user(nextPopularity());
  }

  int user(int popularity) {
    return (int) (popularity * SCATTER % users);
  }

  /** From 1, the most popular, on. */
  int nextPopularity() {
    while (true) {
      double u = last + random.nextDouble() * (first - last);
      double x = inverse(u);
      int k = (int) Math.min(users, Math.max(1, Math.round(x)));
      if (k - x <= shortcut || u >= integral(k + 0.5) - Math.pow(k, -exponent)) {
        return k;
      }
    }
  }

  /** Of x<sup>-exponent</sup>, written so that an exponent of 1 needs no case of its own. */
  private double integral(double x) {
    double log = Math.log(x);
    return expRatio((1 - exponent) * log) * log;
  }

  private double inverse(double y) {
    double t = Math.max(-1, y * (1 - exponent));
    return Math.exp(logRatio(t) * y);
  }

  /** log(1 + x) / x. */
  private static double logRatio(double x) {
    return Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x * (0.5 - x / 3);
  }

  /** (e^x - 1) / x. */
  private static double expRatio(double x) {
    return Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x * 0.5 * (1 + x / 3);
  }
}
