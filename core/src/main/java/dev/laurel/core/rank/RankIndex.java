package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ranks by season, following the ledger. An index never holds a truth of its own: whatever it lost
 * or missed, it reads again from the store. Thread-safe.
 */
public interface RankIndex extends AutoCloseable {
  /**
   * The season's ranks now, or null if only the store can answer. Never blocks: the methods of a
   * ranking that is elsewhere may throw {@link NotFetchedException}.
   */
  @Nullable Ranking ranking(Board board, Season season);

  /**
   * Prepares a commit's changes of one season, before the commit: it moves the season from one line
   * to another. Nothing is visible until {@link Draft#publish}.
   */
  Draft draft(Board board, Season season, long from, long to, List<Change> changes);

  /** What becomes of one user's entry. */
  record Change(int user, boolean present, long score, long reached, boolean hasMetadata) {}

  /** A prepared state. Publish it after the commit, or drop it. */
  interface Draft {
    /**
     * The season as it will be, or null if this index does not know. It may know the rows of single
     * users only, and may have to ask for them.
     */
    @Nullable Ranking ranking();

    /**
     * Makes the commit visible. If this index is not where the commit started, it is marked behind
     * (its reads go to the store) and catches up by itself; so after this call nobody reads an
     * older state here.
     */
    void publish();

    /**
     * After {@link #publish}: returns when readers see the commit, or when the index is marked
     * behind. An index elsewhere takes a moment; the commits of a batch share it.
     */
    default void awaitVisible() {}
  }

  /** Brings the season to where the store is. Blocks. */
  void catchUp(Board board, Season season);

  /** How many seasons were built from their entries, for metrics and tests. */
  long loads();

  /** Entries of a season as far as this node knows, 0 if it is not loaded. */
  long size(Season season);

  /** Entries of all seasons that this node knows of. */
  long size();

  @Override
  void close();
}
