package dev.laurel.core.repair;

import dev.laurel.core.model.Order;
import dev.laurel.core.rank.Place;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import org.jspecify.annotations.Nullable;

/**
 * What an index holds of some users, all of it at one line.
 *
 * @param ranks 0 where it holds nothing
 * @param floor what is beyond this place is not held; null if all is
 */
record Held(
    long line, int[] users, long[] ranks, long[] scores, long[] reached, @Nullable Place floor) {
  static Held of(Ranking ranking, Order order, int[] users) {
    int count = users.length;
    long[] ranks = new long[count];
    long[] scores = new long[count];
    long[] reached = new long[count];
    ranking.ranks(users, count, ranks, scores, reached);
    return new Held(ranking.line(), users, ranks, scores, reached, floor(ranking, order));
  }

  /** An index that may hold too little to tell that nobody, user 0, has no entry. */
  static @Nullable Place floor(Ranking ranking, Order order) {
    if (ranking.knows(0)) {
      return null;
    }
    Place[] last = new Place[1];
    ranking.page(
        ranking.size() - 1,
        1,
        (rank, user, score, reached) -> last[0] = new Place(order.key(score), reached, user));
    return last[0];
  }

  /** Whether an entry at this place is not held, and need not be. */
  boolean isBeyond(Place place, UserDictionary ids) {
    return floor != null && floor.isBefore(place.key(), place.reached(), place.user(), ids);
  }

  boolean has(int at) {
    return ranks[at] != 0;
  }
}
