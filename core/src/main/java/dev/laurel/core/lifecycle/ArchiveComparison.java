package dev.laurel.core.lifecycle;

import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.model.UserIds;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares the archive of a season with its rows in the store, one by one: after these are removed
 * there is no other copy. Belongs to one thread.
 *
 * <p>A user who was erased since is the same one, see {@link
 * dev.laurel.core.archive.Archives#open}: what is left of the metadata does not matter.
 */
final class ArchiveComparison {
  private final ArchivedSeason archived;

  ArchiveComparison(ArchivedSeason archived) {
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
    if (!stored.userId().equals(kept.userId())) {
      return false;
    }
    return stored.entry().equals(kept.entry())
        || (UserIds.mayBeErased(stored.userId())
            && stored.entry().withoutMetadata().equals(kept.entry().withoutMetadata()));
  }
}
