package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Ties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of a season with a limited number of places: what is beyond the last one is hidden, and
 * who stands there is {@link #OUTSIDE}. It looks the same over whatever it is made of: an index
 * that holds a few more than the places, or the store, which has all. For one thread.
 */
public final class CappedRanking implements Ranking {
  private final Ranking all;
  private final int capacity;
  private final Order order;
  private final Ties ties;
  private final UserDictionary ids;

  /** Rows of users whom {@code all} does not know; null if nobody has looked for them. */
  private final @Nullable Map<Integer, Row> outsiders;

  private boolean lastIsKnown;

  /** Null if places are left. */
  private @Nullable Place last;

  private CappedRanking(
      Ranking all,
      int capacity,
      Order order,
      Ties ties,
      UserDictionary ids,
      @Nullable Map<Integer, Row> outsiders) {
    this.all = all;
    this.capacity = capacity;
    this.order = order;
    this.ties = ties;
    this.ids = ids;
    this.outsiders = outsiders;
  }

  @Override
  public boolean isShared() {
    return all.isShared();
  }

  /** The season's places; the ranking itself if there is one for everybody. */
  public static Ranking of(Ranking all, Board board, Season season, UserDictionary ids) {
    return season.capacity() == 0
        ? all
        : new CappedRanking(all, season.capacity(), board.order(), board.ties(), ids, null);
  }

  /**
   * The same with users whom it does not know, as the store has them now. Null if one of them is
   * not outside: then the store is ahead of this state.
   */
  public @Nullable CappedRanking with(int[] users, List<@Nullable Entry> entries) {
    Map<Integer, Row> found = new HashMap<>();
    for (int i = 0; i < users.length; i++) {
      Entry entry = entries.get(i);
      if (entry == null || entry.deleted()) {
        continue;
      }
      if (!isBeyondTheLast(entry.score(), entry.reached(), users[i])) {
        return null;
      }
      boolean hasMetadata = entry.metadata() != null;
      found.put(users[i], new Row(OUTSIDE, users[i], entry.score(), entry.reached(), hasMetadata));
    }
    return new CappedRanking(all, capacity, order, ties, ids, found);
  }

  @Override
  public long line() {
    return all.line();
  }

  @Override
  public long size() {
    return Math.min(capacity, all.size());
  }

  @Override
  public boolean isFixed() {
    return all.isFixed();
  }

  @Override
  public boolean knows(int user) {
    return outsiders != null || all.knows(user);
  }

  @Override
  public @Nullable Row row(int user) {
    Row row = all.row(user);
    if (row == null) {
      return outsiders == null ? null : outsiders.get(user);
    }
    return isOutside(row.rank(), row.score(), row.reached(), user) ? row.outside() : row;
  }

  @Override
  public void ranks(int[] users, int count, long[] rank, long[] score, long[] reached) {
    all.ranks(users, count, rank, score, reached);
    for (int i = 0; i < count; i++) {
      Row outsider = rank[i] > 0 || outsiders == null ? null : outsiders.get(users[i]);
      if (outsider != null) {
        rank[i] = OUTSIDE;
        score[i] = outsider.score();
        reached[i] = outsider.reached();
      } else if (rank[i] > 0 && isOutside(rank[i], score[i], reached[i], users[i])) {
        rank[i] = OUTSIDE;
      }
    }
  }

  @Override
  public long position(int user) {
    long position = all.position(user);
    return position < capacity ? position : -1;
  }

  @Override
  public void page(long offset, int limit, RowSink sink) {
    if (offset < capacity) {
      all.page(offset, (int) Math.min(limit, capacity - offset), sink);
    }
  }

  @Override
  public long deepest() {
    return all.deepest();
  }

  @Override
  public void around(int user, long position, int above, int below, RowSink sink) {
    all.around(user, position, above, (int) Math.min(below, capacity - 1 - position), sink);
  }

  @Override
  public long countUpTo(long score, long reached, int user) {
    return Math.min(capacity, all.countUpTo(score, reached, user));
  }

  @Override
  public long after(long score, long reached, int user, long position) {
    return Math.min(capacity, all.after(score, reached, user, position));
  }

  @Override
  public boolean isWritten() {
    return all.isWritten();
  }

  @Override
  public long better(long score) {
    return Math.min(capacity, all.better(score));
  }

  /** A rank is never more than the place, and less only if it is shared. */
  private boolean isOutside(long rank, long score, long reached, int user) {
    return rank > capacity
        || (ties != Ties.EARLIEST_FIRST && isBeyondTheLast(score, reached, user));
  }

  private boolean isBeyondTheLast(long score, long reached, int user) {
    if (all.isWritten()) {
      return all.position(user) >= capacity;
    }
    if (!lastIsKnown) {
      all.page(
          capacity - 1L,
          1,
          (rank, other, otherScore, otherReached) ->
              last = new Place(order.key(otherScore), otherReached, other));
      lastIsKnown = true;
    }
    return last != null && last.isBefore(order.key(score), reached, user, ids);
  }
}
