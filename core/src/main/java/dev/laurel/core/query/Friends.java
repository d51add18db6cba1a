package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Some users of a board, with their ranks among all and among each other, from one state of it.
 *
 * @param found best first, each user once; those outside last
 * @param missing those without an entry, each once, in the order asked
 */
public record Friends(List<Friend> found, List<String> missing) {
  /**
   * One of them.
   *
   * @param rank {@link Ranking#OUTSIDE} if there is no place for the entry
   */
  public record Friend(long rank, int user, long score, long reached, long rankAmong) {}

  /** Sorts after every rank. */
  private static final long NO_PLACE = Integer.MAX_VALUE;

  /** All are looked up together, so that they wait for memory together and not one by one. */
  public static Friends of(Board board, Rankings.View view, List<String> userIds) {
    String[] ids = userIds.toArray(String[]::new);
    int[] users = new int[ids.length];
    long[] rank = new long[ids.length];
    long[] score = new long[ids.length];
    long[] reached = new long[ids.length];
    view.users().find(ids, ids.length, users);
    view.ranking().ranks(users, ids.length, rank, score, reached);

    Set<String> missing = new LinkedHashSet<>();
    // A rank and an index in one number: they fit, as users have int numbers.
    long[] best = new long[ids.length];
    int count = 0;
    for (int i = 0; i < ids.length; i++) {
      if (rank[i] == 0) {
        missing.add(ids[i]);
      } else {
        best[count++] = (rank[i] == Ranking.OUTSIDE ? NO_PLACE : rank[i]) << 32 | i;
      }
    }
    Arrays.sort(best, 0, count);
    Ties ties = board.ties();
    if (ties != Ties.EARLIEST_FIRST || (count > 0 && best[count - 1] >>> 32 == NO_PLACE)) {
      sortTies(best, count, board.order(), users, score, reached, view.users());
    }

    List<Friend> found = new ArrayList<>(count);
    for (int n = 0; n < count; n++) {
      int i = (int) best[n];
      if (!found.isEmpty() && found.getLast().user() == users[i]) {
        continue;
      }
      long place = found.size() + 1L;
      boolean tied = place > 1 && found.getLast().score() == score[i];
      long among =
          switch (ties) {
            case EARLIEST_FIRST -> place;
            case SHARED -> tied ? found.getLast().rankAmong() : place;
            case DENSE -> place == 1 ? 1 : found.getLast().rankAmong() + (tied ? 0 : 1);
          };
      found.add(new Friend(rank[i], users[i], score[i], reached[i], among));
    }
    return new Friends(found, new ArrayList<>(missing));
  }

  /** Those of the same rank, or of none, in the one order. */
  private static void sortTies(
      long[] best,
      int count,
      Order order,
      int[] users,
      long[] score,
      long[] reached,
      UserDictionary ids) {
    for (int from = 0, to; from < count; from = to) {
      to = from + 1;
      while (to < count && best[to] >>> 32 == best[from] >>> 32) {
        to++;
      }
      if (to - from == 1) {
        continue;
      }
      long[] ordered =
          Arrays.stream(best, from, to)
              .boxed()
              .sorted(
                  (a, b) -> compare(a.intValue(), b.intValue(), order, users, score, reached, ids))
              .mapToLong(Long::longValue)
              .toArray();
      System.arraycopy(ordered, 0, best, from, ordered.length);
    }
  }

  private static int compare(
      int i, int j, Order order, int[] users, long[] score, long[] reached, UserDictionary ids) {
    if (score[i] != score[j]) {
      return Long.compare(order.key(score[i]), order.key(score[j]));
    }
    return reached[i] != reached[j]
        ? Long.compare(reached[i], reached[j])
        : ids.compare(users[i], users[j]);
  }
}
