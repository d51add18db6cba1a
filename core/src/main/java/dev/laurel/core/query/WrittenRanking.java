package dev.laurel.core.query;

import dev.laurel.core.model.Order;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.FinalRank;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that were written down in their order. Nothing is loaded: pages are read by position, and a
 * place is searched for in the positions, which is some twenty look-ups in a million.
 *
 * <p>Entries of equal score and time were written in the order of their users' ids. Who was erased
 * since has kept the place and has another id, so such rows say nothing about the order, and a
 * search passes over them.
 */
abstract class WrittenRanking implements Ranking {
  /** Of rows that are read one after the other. */
  private static final int CHUNK = 1000;

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

  /** What the row's user is called. */
  abstract String id(FinalRank row);

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
  public final boolean isWritten() {
    return true;
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
  public final long after(long score, long reached, int user, long position) {
    if (position >= 0 && position < size) {
      FinalRank there = at(position);
      if (there.score() == score
          && there.reached() == reached
          && (there.user() == user || there.user() == 0 || user == 0)) {
        return position + 1;
      }
    }
    // The ranks were written anew meanwhile, or the row was seen when they were not yet.
    return countUpTo(score, reached, user);
  }

  @Override
  public final long countUpTo(long score, long reached, int user) {
    Equals equals = equals(score, reached);
    FinalRank own = equals.isEmpty() || user == 0 ? null : find(user, equals);
    if (own != null) {
      return own.position() + 1;
    }
    return equals.isEmpty() || user == 0 ? equals.from : search(users.id(user), equals);
  }

  /** The user's row among those with this score and time; null if it is not among them. */
  final @Nullable FinalRank find(int user, long score, long reached) {
    return find(user, equals(score, reached));
  }

  private @Nullable FinalRank find(int user, Equals equals) {
    if (equals.isEmpty()) {
      return null;
    }
    FinalRank first = at(equals.from);
    if (first.user() == user) {
      return first;
    }
    String id = users.id(user);
    if (UserIds.mayBeErased(id)) {
      return scan(user, equals);
    }
    // Before it there may be erased ones, who belong nowhere.
    FinalRank found = telling(search(id, equals), equals.to);
    return found != null && found.user() == user ? found : null;
  }

  /** Right after the last row that comes before the id. */
  private long search(String id, Equals equals) {
    long low = equals.from;
    long high = equals.to;
    while (low < high) {
      long middle = (low + high) >>> 1;
      FinalRank telling = telling(middle, high);
      if (telling != null && UserIds.compare(id(telling), id) < 0) {
        low = telling.position() + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The first row in [from, to) whose id tells the order; null if there is none. */
  private @Nullable FinalRank telling(long from, long to) {
    int limit = 1;
    for (long next = from; next < to; limit = CHUNK) {
      for (FinalRank row : rows(next, (int) Math.min(limit, to - next))) {
        if (!UserIds.mayBeErased(id(row))) {
          return row;
        }
        next++;
      }
    }
    return null;
  }

  private @Nullable FinalRank scan(int user, Equals equals) {
    for (long next = equals.from; next < equals.to; next += CHUNK) {
      for (FinalRank row : rows(next, (int) Math.min(CHUNK, equals.to - next))) {
        if (row.user() == user) {
          return row;
        }
      }
    }
    return null;
  }

  /** The positions [from, to) of those with one score and one time. */
  private record Equals(long from, long to) {
    boolean isEmpty() {
      return from == to;
    }
  }

  private Equals equals(long score, long reached) {
    long key = order.key(score);
    long from =
        count(
            0,
            size,
            row ->
                order.key(row.score()) != key
                    ? order.key(row.score()) < key
                    : row.reached() < reached);
    // Mostly there is one, and the next row is another's.
    long to = from;
    for (long step = 1; to < size && isAt(to, score, reached); step *= 2) {
      long end = Math.min(size, to + step);
      if (isAt(end - 1, score, reached)) {
        to = end;
      } else {
        to = count(to, end, row -> row.score() == score && row.reached() == reached);
      }
    }
    return new Equals(from, to);
  }

  private boolean isAt(long position, long score, long reached) {
    FinalRank row = at(position);
    return row.score() == score && row.reached() == reached;
  }

  @Override
  public final long better(long score) {
    return count(0, size, row -> order.isBetter(row.score(), score));
  }

  /** Up to where the rows of [from, to) are; the others are not. */
  private long count(long from, long to, Predicate<FinalRank> isBefore) {
    long low = from;
    long high = to;
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
