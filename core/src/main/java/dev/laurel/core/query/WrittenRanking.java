package dev.laurel.core.query;

import dev.laurel.core.model.Order;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.FinalRank;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that were written down in their order. Nothing is loaded: pages are read by position, and a
 * place is searched for in the positions, which is some twenty look-ups in a million.
 */
abstract class WrittenRanking implements Ranking {
  private final Order order;
  private final UserDictionary users;
  private final long size;

  WrittenRanking(Order order, UserDictionary users, long size) {
    this.order = order;
    this.users = users;
    this.size = size;
  }

  /** The rows from a position on. */
  abstract List<FinalRank> rows(long from, int limit);

  /** Null if the user has no row. */
  abstract @Nullable FinalRank find(int user);

  abstract boolean hasMetadata(FinalRank row);

  final UserDictionary users() {
    return users;
  }

  @Override
  public final long size() {
    return size;
  }

  @Override
  public final @Nullable Row row(int user) {
    FinalRank found = user == 0 ? null : find(user);
    return found == null
        ? null
        : new Row(found.rank(), user, found.score(), found.reached(), hasMetadata(found));
  }

  @Override
  public final long position(int user) {
    FinalRank found = user == 0 ? null : find(user);
    return found == null ? -1 : found.position();
  }

  final FinalRank at(long position) {
    return rows(position, 1).getFirst();
  }

  @Override
  public final void page(long offset, int limit, RowSink sink) {
    for (FinalRank row : rows(offset, limit)) {
      sink.accept(row.rank(), row.user(), row.score(), row.reached());
    }
  }

  @Override
  public final long countUpTo(long score, long reached, int user) {
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
  public final long better(long score) {
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
