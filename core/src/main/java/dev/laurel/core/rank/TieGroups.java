package dev.laurel.core.rank;

/**
 * Tells, of all rows met in their order from the first, where those begin who share each one's
 * rank. Not thread-safe.
 */
public final class TieGroups {
  private long position;
  private long rank;
  private long place;

  /** The first place, from 1, of those who have the next row's rank. */
  public long place(long nextRank) {
    position++;
    if (nextRank != rank) {
      rank = nextRank;
      place = position;
    }
    return place;
  }
}
