package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.Users;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells of which seasons that are over an index may have another order than their final ranks: an
 * index sorts equals by the ids of today, and the final ranks keep the places that were given. They
 * differ only if somebody who was erased has an equal. Thread-safe.
 */
final class ErasedTies {
  /** So that it does not grow for ever: what is dropped is found out again. */
  private static final int MAX_SEASONS = 10_000;

  private final Users users;
  private final Map<Long, Looked> bySeason = new ConcurrentHashMap<>();

  /** What was found when the season stood at a line, and so many had been erased. */
  private record Looked(long line, int erased, boolean tied) {}

  ErasedTies(Users users) {
    this.users = users;
  }

  /**
   * Never blocks. Of a ranking that is elsewhere, and would have to be asked, the answer is yes.
   */
  boolean in(Board board, Season season, Ranking ranking) {
    Set<Integer> erased = users.erased(board.tenant());
    int count = erased.size();
    if (count == 0 || ranking.isShared()) {
      return count > 0;
    }
    Looked known = bySeason.get(season.id());
    if (known == null || known.line != ranking.line() || known.erased != count) {
      known = new Looked(ranking.line(), count, isOneTied(erased, ranking));
      if (bySeason.size() >= MAX_SEASONS) {
        bySeason.clear();
      }
      bySeason.put(season.id(), known);
    }
    return known.tied;
  }

  private static boolean isOneTied(Set<Integer> erased, Ranking ranking) {
    for (int user : erased) {
      Ranking.Row row = ranking.row(user);
      if (row != null && isTied(ranking, row)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTied(Ranking ranking, Ranking.Row row) {
    int[] equals = {0};
    ranking.page(
        Math.max(0, ranking.position(row.user()) - 1),
        3,
        (rank, user, score, reached) ->
            equals[0] += score == row.score() && reached == row.reached() ? 1 : 0);
    return equals[0] > 1;
  }
}
