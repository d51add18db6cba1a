package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.ReadTransaction;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of a season that is over, as they were written then. Nothing is loaded: pages are read
 * by position, and a user is found by searching the positions for the place of the entry, which is
 * some twenty look-ups in a million. A season with a capacity has ranks for its places only; who
 * has an entry and none of them is outside. Lives as long as its transaction; belongs to one
 * thread.
 */
final class FinalRanking implements Ranking {
  private final ReadTransaction tx;
  private final long season;
  private final Order order;
  private final UserDictionary users;
  private final boolean isCapped;
  private final long size;

  FinalRanking(ReadTransaction tx, Board board, Season season, UserDictionary users) {
    this.tx = tx;
    this.season = season.id();
    this.order = board.order();
    this.users = users;
    this.isCapped = season.capacity() > 0;
    this.size = tx.finalCount(season.id());
  }

  @Override
  public long line() {
    return tx.position(season);
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public @Nullable Row row(int user) {
    Entry entry = entry(user);
    FinalRank found = entry == null ? null : find(user, entry);
    if (entry == null || (found == null && !isCapped)) {
      return null;
    }
    boolean hasMetadata = entry.metadata() != null;
    return found == null
        ? new Row(OUTSIDE, user, entry.score(), entry.reached(), hasMetadata)
        : new Row(found.rank(), user, found.score(), found.reached(), hasMetadata);
  }

  @Override
  public long position(int user) {
    Entry entry = entry(user);
    FinalRank found = entry == null ? null : find(user, entry);
    return found == null ? -1 : found.position();
  }

  private @Nullable FinalRank find(int user, Entry entry) {
    long position = countUpTo(entry.score(), entry.reached(), user) - 1;
    FinalRank found = position < 0 ? null : at(position);
    return found != null && found.user() == user ? found : null;
  }

  private @Nullable Entry entry(int user) {
    Entry entry = user == 0 ? null : tx.entries(season, new int[] {user}).getFirst();
    return entry == null || entry.deleted() ? null : entry;
  }

  private FinalRank at(long position) {
    return tx.finalRanks(season, position, 1).getFirst();
  }

  @Override
  public void page(long offset, int limit, RowSink sink) {
    List<FinalRank> rows = tx.finalRanks(season, offset, limit);
    for (FinalRank row : rows) {
      sink.accept(row.rank(), row.user(), row.score(), row.reached());
    }
  }

  @Override
  public long countUpTo(long score, long reached, int user) {
    long key = order.key(score);
    return count(
        row -> {
          long other = order.key(row.score());
          if (other != key) {
            return other < key;
          }
          return row.reached() != reached
              ? row.reached() < reached
              : row.user() == user || users.compare(row.user(), user) < 0;
        });
  }

  @Override
  public long better(long score) {
    return count(row -> order.isBetter(row.score(), score));
  }

  /** How many of the first rows are; the others are not. */
  private long count(Predicate<FinalRank> isBefore) {
    long low = 0;
    long high = size;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (isBefore.test(at(middle))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
