package dev.laurel.core.rank;

import org.jspecify.annotations.Nullable;

/**
 * The ranks of one season at one moment: all answers of one Ranking are about the same state, so a
 * page, its total and a user's neighbours always fit together. Ranks start at 1 and follow the
 * board's ties.
 */
public interface Ranking {
  /** Stands for the rank of a user who has an entry but none of the places of a season. */
  long OUTSIDE = -1;

  /** The ledger line this state stands at. */
  long line();

  long size();

  /** Whether it is asked of an index that nodes share, and not of this process's memory. */
  default boolean isShared() {
    return false;
  }

  /** Whether it may be kept and asked later: it stays as it is, and holds nothing open. */
  default boolean isFixed() {
    return false;
  }

  /**
   * False if the user may have an entry that is far from any place and that only the store knows.
   * Then the other answers about the user are those of nobody.
   */
  default boolean knows(int user) {
    return true;
  }

  /** Null if the user has no entry. */
  @Nullable Row row(int user);

  /**
   * Ranks, scores and times of many users at once.
   *
   * @param rank gets 0 where the user has no entry; the other two are meaningless there. {@link
   *     #OUTSIDE} where the entry has no place
   */
  default void ranks(int[] users, int count, long[] rank, long[] score, long[] reached) {
    for (int i = 0; i < count; i++) {
      Row row = row(users[i]);
      rank[i] = row == null ? 0 : row.rank();
      if (row != null) {
        score[i] = row.score();
        reached[i] = row.reached();
      }
    }
  }

  /** The user's place among all, from 0, whatever the ties; -1 if the user has none. */
  long position(int user);

  /** The rows from the place {@code offset} (from 0) on, at most {@code limit}. */
  void page(long offset, int limit, RowSink sink);

  /**
   * The last place that a caller's page may begin at: where each page costs as much as all rows
   * before it, not everyone may ask for any.
   */
  default long deepest() {
    return Long.MAX_VALUE;
  }

  /**
   * The rows before and after a user's own, and that one.
   *
   * @param position of the user, who has a place
   * @param above at most as many as there are
   */
  default void around(int user, long position, int above, int below, RowSink sink) {
    page(position - above, above + 1 + below, sink);
  }

  /**
   * How many entries stand at or before this place in the one order: where a page that continues
   * after a row begins, also if that row has moved since.
   */
  long countUpTo(long score, long reached, int user);

  /**
   * Where a page begins that continues after a row.
   *
   * @param user whose row it was; 0 if only an archive knew, and the user was erased since
   * @param position where it stood
   */
  default long after(long score, long reached, int user, long position) {
    return user == 0 ? Math.clamp(position + 1, 0, size()) : countUpTo(score, reached, user);
  }

  /**
   * Whether the order is one that was written down. Then ids do not tell it: a user who was erased
   * since has another one, and keeps the place.
   */
  default boolean isWritten() {
    return false;
  }

  /** Entries with a strictly better score. */
  long better(long score);

  /**
   * One user's line.
   *
   * @param rank {@link #OUTSIDE} if there is no place for the entry
   */
  record Row(long rank, int user, long score, long reached, boolean hasMetadata) {
    public boolean isOutside() {
      return rank == OUTSIDE;
    }

    public Row outside() {
      return new Row(OUTSIDE, user, score, reached, hasMetadata);
    }
  }

  /** Takes rows from the best to the worst, without an object a row. */
  @FunctionalInterface
  interface RowSink {
    void accept(long rank, int user, long score, long reached);
  }
}
