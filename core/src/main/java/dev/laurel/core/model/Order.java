package dev.laurel.core.model;

/**
 * Which score is better. Every ordered structure of Laurel sorts ascending by {@link #key}, so that
 * "better" is written once: here.
 */
public enum Order {
  HIGHEST_FIRST,
  LOWEST_FIRST;

  /** A sort key that ascends from the best score to the worst; {@link #score} is its inverse. */
  public long key(long score) {
    // Bitwise not, not negation: Long.MIN_VALUE has no negative.
    return this == HIGHEST_FIRST ? ~score : score;
  }

  public long score(long key) {
    return this == HIGHEST_FIRST ? ~key : key;
  }

  public boolean isBetter(long score, long than) {
    return key(score) < key(than);
  }
}
