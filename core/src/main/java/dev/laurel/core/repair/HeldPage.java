package dev.laurel.core.repair;

import dev.laurel.core.model.Order;
import dev.laurel.core.rank.Place;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import org.jspecify.annotations.Nullable;

/**
 * Rows of an index in its order, and what it says of the same users one by one, at one line.
 *
 * @param size of the whole index
 * @param last the last row's place; null if there is no row
 * @param misplaced which of the rows is not after the one before, or is another one if it is asked
 *     for by its user; -1 if none
 */
record HeldPage(long offset, long size, Held held, @Nullable Place last, int misplaced) {
  static final int ROWS = 500;

  private static final int NONE = -1;

  /**
   * @param before the page that this one follows; null for the first
   */
  static HeldPage read(
      Ranking ranking, Order order, UserDictionary ids, @Nullable HeldPage before) {
    Place from = before == null ? null : before.last;
    long offset = 0;
    if (before != null && from != null) {
      // By the place if rows have moved since; else by the number, which no wrong place misleads.
      offset =
          ranking.line() == before.held.line()
              ? before.offset + before.held.users().length
              : ranking.countUpTo(order.score(from.key()), from.reached(), from.user());
    }
    Rows rows = new Rows((int) Math.max(0, Math.min(ROWS, ranking.size() - offset)));
    ranking.page(offset, rows.users.length, rows);
    Held held = Held.of(ranking, order, rows.users);
    Place last = from;
    int misplaced = NONE;
    for (int i = 0; i < rows.users.length && misplaced == NONE; i++) {
      Place place = new Place(order.key(rows.scores[i]), rows.reached[i], rows.users[i]);
      boolean follows =
          last == null || last.isBefore(place.key(), place.reached(), place.user(), ids);
      if (!follows || !rows.isAt(i, held)) {
        misplaced = i;
      }
      last = place;
    }
    return new HeldPage(offset, ranking.size(), held, last, misplaced);
  }

  boolean isEnd() {
    return offset + held.users().length >= size;
  }

  /** Takes the rows of a page. */
  private static final class Rows implements Ranking.RowSink {
    final int[] users;
    final long[] ranks;
    final long[] scores;
    final long[] reached;
    private int count;

    Rows(int limit) {
      users = new int[limit];
      ranks = new long[limit];
      scores = new long[limit];
      reached = new long[limit];
    }

    @Override
    public void accept(long rank, int user, long score, long at) {
      users[count] = user;
      ranks[count] = rank;
      scores[count] = score;
      reached[count++] = at;
    }

    boolean isAt(int row, Held held) {
      return held.ranks()[row] == ranks[row]
          && held.scores()[row] == scores[row]
          && held.reached()[row] == reached[row];
    }
  }
}
