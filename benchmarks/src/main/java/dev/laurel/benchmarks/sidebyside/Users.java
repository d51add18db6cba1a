package dev.laurel.benchmarks.sidebyside;

import java.util.SplittableRandom;

/**
 * The users of a run and what everybody has as a score. No two have the same one, so Laurel and
 * Redis, which decide ties differently, must tell the same ranks.
 *
 * @param scores by user, a shuffle of 0 to n - 1
 */
record Users(int[] scores) {
  static Users of(int count) {
    SplittableRandom random = new SplittableRandom(1);
    int[] scores = new int[count];
    for (int i = 0; i < count; i++) {
      int j = random.nextInt(i + 1);
      scores[i] = scores[j];
      scores[j] = i;
    }
    return new Users(scores);
  }

  int count() {
    return scores.length;
  }

  /** 11 bytes: the id of everything that is asked by HTTP, and of its Redis. */
  static String id(int user) {
    return "user_%06d".formatted(user);
  }

  /** 17 bytes: redis-benchmark always writes twelve digits. */
  static String rawId(int user) {
    return "user_%012d".formatted(user);
  }

  long rank(int user) {
    return (long) scores.length - scores[user];
  }
}
