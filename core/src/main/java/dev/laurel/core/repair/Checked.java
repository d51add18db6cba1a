package dev.laurel.core.repair;

import org.jspecify.annotations.Nullable;

/** What came of comparing a season's index with the store. */
public sealed interface Checked {
  /**
   * They say the same.
   *
   * @param side of both
   */
  record Equal(Side side) implements Checked {}

  /**
   * They differ, at the same line.
   *
   * @param first null if only the counts tell
   */
  record Drift(Side store, Side index, @Nullable Difference first) implements Checked {}

  /** This node does not hold the season, so there is nothing to compare. */
  record NotLoaded() implements Checked {}

  /** The index did not answer, so nobody reads from it either. */
  record NoAnswer(String why) implements Checked {}

  /**
   * What one of them has.
   *
   * @param count entries at one line
   * @param checksum over the entries that were compared, whatever their order
   */
  record Side(long count, long checksum) {}
}
