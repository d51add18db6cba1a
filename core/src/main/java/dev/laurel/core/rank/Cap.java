package dev.laurel.core.rank;

import org.jspecify.annotations.Nullable;

/**
 * What a snapshot of a season with so many places holds: every entry down to its floor, and none
 * below. So it is right as long as it has at least as many entries as places; how many below the
 * floor come, go and change does not matter.
 *
 * @param floor the last place that is held; null if all entries are
 */
record Cap(int places, @Nullable Place floor) {
  /** Small boards too can lose some before they must be read from the store again. */
  private static final int MIN_SLACK = 64;

  /** How many entries a trim leaves: the difference to the places is how many may drop out. */
  int kept() {
    return places + Math.max(places, MIN_SLACK);
  }

  /**
   * Above it a trim is due. Far from what a trim leaves, so that it is paid for by many entries.
   */
  int limit() {
    return 2 * kept();
  }

  boolean holds(long key, long reached, int user, IdOrder ids) {
    return floor == null || !floor.isBefore(key, reached, user, ids);
  }
}
