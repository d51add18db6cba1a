package dev.laurel.core.rank;

import java.security.SecureRandom;

/**
 * The hash of a user id. It is keyed by secrets of this process, or users could choose ids that
 * collide and make every look-up slow.
 *
 * <p>Stateless; safe for any number of threads.
 */
final class IdHash {
  private static final long SEED_HEAD;
  private static final long SEED_TAIL;
  private static final long SEED_END;

  static {
    SecureRandom random = new SecureRandom();
    SEED_HEAD = random.nextLong() | 1;
    SEED_TAIL = random.nextLong() | 1;
    SEED_END = random.nextLong() | 1;
  }

  private IdHash() {}

  /** Of an id in two longs. */
  static long of(long head, long tail) {
    return mix(mix(head ^ SEED_HEAD, tail ^ SEED_TAIL), SEED_END);
  }

  /** Of an id of at least 8 bytes. */
  static long of(byte[] utf8, int from, int length) {
    long hash = length;
    for (int i = 0; i + 8 <= length; i += 8) {
      hash = mix(hash ^ SEED_HEAD, IdBytes.word(utf8, from + i) ^ SEED_TAIL);
    }
    // The last eight bytes once more, so that no rest is left.
    hash = mix(hash ^ SEED_HEAD, IdBytes.word(utf8, from + length - 8) ^ SEED_END);
    return mix(hash, SEED_TAIL);
  }

  /** The two halves of the 128-bit product, folded: every bit of the input reaches every bit. */
  private static long mix(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b) ^ (a * b);
  }
}
