package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.ReadTransaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ranks by season, following the ledger. An index never holds a truth of its own: whatever it lost
 * or missed, it reads again from the store. Thread-safe.
 */
public interface RankIndex extends AutoCloseable {
  /**
   * The season's ranks now, or null if only the store can answer. Never blocks. Of a season with a
   * capacity they may be more than the places, and without those who are far from them: see {@link
   * CappedRanking}.
   */
  @Nullable Ranking ranking(Board board, Season season);

  /** Says in which epoch the store is: what was read in another one is not used any more. */
  void enter(long epoch);

  /**
   * Brings a season that is known here to the line where a commit begins, if others have moved it
   * there, so that the commit can be handed over directly. In the commit's transaction, which holds
   * the shard's lock: so what this reads is committed, and nobody moves it meanwhile.
   */
  void prepare(ReadTransaction tx, Board board, Season season, long line);

  /**
   * Prepares a commit's changes of one season, before the commit: it moves the season from one line
   * to another. Nothing is visible until {@link Draft#publish}.
   */
  Draft draft(Board board, Season season, long from, long to, List<Change> changes);

  /** What becomes of one user's entry. */
  record Change(int user, boolean present, long score, long reached, boolean hasMetadata) {}

  /** A prepared state. Publish it after the commit, or drop it. */
  interface Draft {
    /** The season as it will be, or null if this index does not know. */
    @Nullable Ranking ranking();

    /**
     * Makes the commit visible. If this index is not where the commit started, it is marked behind
     * (its reads go to the store) and catches up by itself; so after this call nobody reads an
     * older state here.
     */
    void publish();
  }

  @Override
  void close();
}
