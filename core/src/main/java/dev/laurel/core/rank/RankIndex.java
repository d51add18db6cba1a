package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Ranks by season, following the ledger. An index never holds a truth of its own: whatever it lost
 * or missed, it reads again from the store. Thread-safe.
 */
public interface RankIndex extends AutoCloseable, RememberedStore.Part {
  /**
   * The season's ranks now, or null if only the store can answer. Never blocks: the methods of a
   * ranking that is elsewhere may throw {@link NotFetchedException}. Of a season with a capacity
   * they may be more than the places, and without those who are far from them: see {@link
   * CappedRanking}. A board of another epoch is never answered from here.
   */
  @Nullable Ranking ranking(Board board, Season season);

  /** The same for a check: without what this node has copied of it for its readers. */
  default @Nullable Ranking original(Board board, Season season) {
    return ranking(board, season);
  }

  /** The epoch of the store, as far as this node knows. */
  long epoch();

  /** Says in which epoch the store is: what was read in another one is not used any more. */
  void enter(long epoch);

  @Override
  default void enter(ReadTransaction tx) {
    enter(tx.epoch());
  }

  /**
   * Another node has written lines about the board. A season that is known here catches up, in the
   * background.
   *
   * @param line the last of them, which may or may not have touched this season
   */
  void follow(Board board, Season season, long line);

  /**
   * Other nodes have written lines about these boards since the last call. What is held of their
   * seasons is brought to where the transaction is, if it stood where they began, and else in the
   * background. Every change comes by here, so that none is missed.
   */
  default void follow(ReadTransaction tx, List<Moved> boards) {
    for (Moved moved : boards) {
      for (Season season : moved.board().seasons()) {
        follow(moved.board(), season, moved.line());
      }
    }
  }

  /**
   * A board that lines were written about.
   *
   * @param line the last of them
   * @param users whom they name
   */
  record Moved(Board board, long line, int[] users) {}

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
  Draft draft(Board board, Season season, Step step, List<Change> changes);

  /**
   * A commit moves a season from one line to another.
   *
   * @param epoch in which that is so
   * @param from 0 if no line has touched the season before
   * @param stamp of the line it is moved to: what tells that line from another history's
   */
  record Step(long epoch, long from, long to, long stamp) {}

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

  /**
   * A commit moved the season to this line, and it could not be published: so nobody reads an older
   * state here from now on, and the season catches up by itself. Of a season that is not held,
   * nothing.
   */
  void missed(Board board, Season season, long line);

  /** Brings the season to where the store is. Blocks. */
  void catchUp(Board board, Season season);

  /**
   * Builds the season anew from its entries, whatever is held of it, beside what is read, and puts
   * it in the place of that. Blocks.
   */
  void rebuild(Board board, Season season);

  /**
   * A user has another id by now, which an index elsewhere keeps. Blocks. What is held in this
   * process's memory follows the ids by itself.
   */
  default void renamed(Board board, Season season) {}

  /**
   * Forgets what is known here of all other seasons: a season that no board lists is read from its
   * final ranks, and never from here. Whoever needs a forgotten one after all loads it again.
   */
  void keepOnly(LongPredicate listed);

  /** Whether the season is held now, as far as this node knows. Does not load it. */
  boolean isLoaded(Season season);

  /** Seasons that are held, and whose reads come from the store until they have caught up. */
  long behind();

  /** How many seasons were built from their entries, for metrics and tests. */
  long loads();

  /** Of how many seasons something is known here, loaded or not. */
  int seasons();

  /** Entries of a season as far as this node knows, 0 if it is not loaded. */
  long size(Season season);

  /** Entries of all seasons that this node knows of. */
  long size();

  /** Fails with what is wrong if it is elsewhere and does not answer now. Blocks for a moment. */
  default void check() {}

  /** Whether it is known that it is elsewhere and does not answer now. Never blocks. */
  default boolean isDown() {
    return false;
  }

  @Override
  void close();
}
