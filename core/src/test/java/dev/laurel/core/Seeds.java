package dev.laurel.core;

import java.util.Random;

/**
 * Random tests that can be repeated: a failure names its seed, and {@code -Dlaurel.seed=…} runs it
 * again. (jqwik 1.9.3 is built for an older JUnit platform than ours.)
 */
public final class Seeds {
  private Seeds() {}

  /** A test body with its source of randomness. */
  @FunctionalInterface
  public interface Body {
    void run(Random random) throws Exception;
  }

  public static void withSeed(Body body) {
    long seed = Long.getLong("laurel.seed", System.nanoTime());
    try {
      body.run(new Random(seed));
    } catch (Throwable failure) {
      throw new AssertionError("seed: run again with -Dlaurel.seed=" + seed, failure);
    }
  }
}
