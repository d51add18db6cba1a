package dev.laurel.core;

import java.util.Random;

/**
 * Random tests that can be repeated: a failure names its seed, and {@code -Dlaurel.seed=…} runs it
 * again. A loop and no property library: most of these tests carry a state from batch to batch and
 * compare it with an oracle. (jqwik 1.9.3 does run on this JUnit; it would add shrinking.)
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
