package dev.laurel.core.repair;

import org.jspecify.annotations.Nullable;

/**
 * What a user has in the store and in the index.
 *
 * @param store null if nothing
 * @param index null if nothing
 */
public record Difference(String userId, @Nullable Value store, @Nullable Value index) {
  /** A row without its rank, which follows from all others. */
  public record Value(long score, long reached) {}

  /** How they differ. */
  public enum Kind {
    /** The index lacks it. */
    MISSING,
    /** The store lacks it. */
    SURPLUS,
    CHANGED,
    /** The row is right, and is not where its score belongs. */
    MISPLACED
  }

  public Kind kind() {
    if (index == null) {
      return Kind.MISSING;
    }
    if (store == null) {
      return Kind.SURPLUS;
    }
    return store.equals(index) ? Kind.MISPLACED : Kind.CHANGED;
  }
}
