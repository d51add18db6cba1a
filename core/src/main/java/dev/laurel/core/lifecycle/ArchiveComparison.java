package dev.laurel.core.lifecycle;

import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.model.Board;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.Store;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares the archive of a season with its rows in the store, one by one: after these are removed
 * there is no other copy. Belongs to one thread.
 *
 * <p>A user who was erased since is the same one: the store has a pseudonym, and no metadata.
 */
final class ArchiveComparison {
  private final Store store;
  private final Board board;
  private final ArchivedSeason archived;
  private @Nullable Set<Integer> erased;

  ArchiveComparison(Store store, Board board, ArchivedSeason archived) {
    this.store = store;
    this.board = board;
    this.archived = archived;
  }

  /**
   * In words, without a name: it goes to the log. Null if there is none.
   *
   * @param stop asked between chunks
   */
  @Nullable String difference(StoredRows rows, BooleanSupplier stop) {
    long from = 0;
    for (List<ArchivedRow> some = rows.next(); !some.isEmpty(); some = rows.next()) {
      SeasonArchiver.giveWay(stop);
      List<ArchivedRow> kept = archived.rows(from, some.size());
      for (int i = 0; i < Math.min(some.size(), kept.size()); i++) {
        if (!isSame(some.get(i), kept.get(i))) {
          return "another row at position " + (from + i);
        }
      }
      from += some.size();
      if (kept.size() < some.size()) {
        break;
      }
    }
    return archived.users() == from ? null : archived.users() + " rows (expected: another number)";
  }

  private boolean isSame(ArchivedRow stored, ArchivedRow kept) {
    if (!stored.rank().of(0).equals(kept.rank().of(0))) {
      return false;
    }
    if (stored.userId().equals(kept.userId()) && stored.entry().equals(kept.entry())) {
      return true;
    }
    return isErased(stored.rank().user())
        && stored.entry().withoutMetadata().equals(kept.entry().withoutMetadata());
  }

  /** Read when the first one is asked for: mostly nobody is. */
  private boolean isErased(int user) {
    Set<Integer> known = erased;
    if (known == null) {
      known = new HashSet<>();
      for (Profile profile : store.read(tx -> tx.profilesSince(0))) {
        if (profile.tenant() == board.tenant() && profile.state() != Profile.State.KEPT) {
          known.add(profile.user());
        }
      }
      erased = known;
    }
    return known.contains(user);
  }
}
