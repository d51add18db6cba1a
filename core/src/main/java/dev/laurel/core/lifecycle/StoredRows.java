package dev.laurel.core.lifecycle;

import dev.laurel.core.archive.Archive;
import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The final ranks of a season with their entries, in short transactions that are all of one state:
 * a revert between two of them ends it. Belongs to one thread.
 */
final class StoredRows implements Archive.Rows {
  static final int CHUNK = 1000;

  private final Store store;
  private final Users users;
  private final Board board;
  private final Season season;
  private final State state;
  private long next;

  StoredRows(Store store, Users users, Board board, Season season, State state) {
    this.store = store;
    this.users = users;
    this.board = board;
    this.season = season;
    this.state = state;
  }

  /**
   * Which ranks a season has. A revert moves the line when it changes an entry, and the revision
   * when the ranks are to be written anew; so equal states have equal ranks, whatever status the
   * season had in between.
   */
  record State(long line, int revision) {
    /** Null if the season is in none of these, so that its ranks may be others than they seem. */
    static @Nullable State of(ReadTransaction tx, Season season, Set<SeasonStatus> expected) {
      Season now = tx.season(season.id());
      return now == null || !expected.contains(now.status())
          ? null
          : new State(tx.position(season.id()), tx.finalRevision(season.id()));
    }
  }

  /**
   * @throws CancellationException if the ranks are others by now
   */
  @Override
  public List<ArchivedRow> next() {
    List<ArchivedRow> rows = store.read(this::read);
    next += rows.size();
    return rows;
  }

  /** How many were read. */
  long count() {
    return next;
  }

  private List<ArchivedRow> read(ReadTransaction tx) {
    if (!state.equals(new State(tx.position(season.id()), tx.finalRevision(season.id())))) {
      throw new CancellationException("season " + season.id() + " was revised meanwhile");
    }
    List<FinalRank> ranks = tx.finalRanks(season.id(), next, CHUNK);
    int[] numbers = ranks.stream().mapToInt(FinalRank::user).toArray();
    List<@Nullable Entry> entries = tx.entries(season.id(), numbers);
    // Also those whom another node has met.
    UserDictionary ids = users.follow(tx, board.tenant());
    Set<Integer> erased = users.erased(board.tenant());
    List<ArchivedRow> rows = new ArrayList<>(ranks.size());
    for (int i = 0; i < numbers.length; i++) {
      Entry entry = entries.get(i);
      if (entry == null) {
        throw new IllegalStateException("season " + season.id() + ": a rank without an entry");
      }
      // What is personal of whoever is being erased may still be in the store.
      rows.add(
          new ArchivedRow(
              ids.id(numbers[i]),
              ranks.get(i),
              erased.contains(numbers[i]) ? entry.withoutMetadata() : entry));
    }
    return rows;
  }
}
