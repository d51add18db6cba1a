package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.query.Neighbours;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import java.util.List;

/**
 * Whether a ranking, wherever it comes from, says what the oracle says: of those who have a place,
 * and of those who are outside because the season has no more of them.
 */
final class RankingCheck {
  private final List<BoardOracle.Row> all;
  private final List<BoardOracle.Row> placed;
  private final UserDictionary users;

  /**
   * @param all every entry in the one order, ranked as if there were a place for each
   * @param capacity 0 for a place for each
   */
  RankingCheck(List<BoardOracle.Row> all, int capacity, UserDictionary users) {
    this.all = all;
    this.placed = capacity == 0 ? all : all.subList(0, Math.min(capacity, all.size()));
    this.users = users;
  }

  /**
   * @param step 1 to look at every user one by one, which may take a query each; 10 for a tenth
   */
  void check(Ranking ranking, int step) {
    assertThat(ranking.size()).isEqualTo(placed.size());
    assertThat(BoardOracle.rows(ranking, users)).isEqualTo(placed);
    assertThat(ranking.row(0)).isNull();
    checkTogether(ranking);
    for (int i = 0; i < all.size(); i += step) {
      checkUser(ranking, i);
    }
  }

  private void checkTogether(Ranking ranking) {
    int[] numbers = all.stream().mapToInt(row -> users.find(row.userId())).toArray();
    long[] rank = new long[numbers.length];
    long[] score = new long[numbers.length];
    long[] reached = new long[numbers.length];
    ranking.ranks(numbers, numbers.length, rank, score, reached);
    for (int i = 0; i < rank.length; i++) {
      assertThat(rank[i]).as("rank of place " + i).isEqualTo(expected(i));
    }
    assertThat(score).containsExactly(all.stream().mapToLong(BoardOracle.Row::score).toArray());
    assertThat(reached).containsExactly(all.stream().mapToLong(BoardOracle.Row::reached).toArray());
  }

  private long expected(int place) {
    return place < placed.size() ? placed.get(place).rank() : Ranking.OUTSIDE;
  }

  private void checkUser(Ranking ranking, int place) {
    BoardOracle.Row row = all.get(place);
    int user = users.find(row.userId());
    assertThat(ranking.knows(user)).isTrue();
    Ranking.Row found = ranking.row(user);
    assertThat(found).isNotNull();
    assertThat(found.rank()).isEqualTo(expected(place));
    assertThat(found.score()).isEqualTo(row.score());
    assertThat(found.reached()).isEqualTo(row.reached());
    boolean outside = place >= placed.size();
    assertThat(found.isOutside()).isEqualTo(outside);
    assertThat(ranking.position(user)).isEqualTo(outside ? -1 : place);
    assertThat(ranking.countUpTo(row.score(), row.reached(), user))
        .isEqualTo(Math.min(place + 1, placed.size()));

    Neighbours around = Neighbours.of(ranking, user, 2);
    assertThat(around).isNotNull();
    int here = Math.min(place, placed.size());
    assertThat(around.above())
        .extracting(Ranking.Row::user)
        .containsExactlyElementsOf(numbers(Math.max(0, here - 2), here));
    assertThat(around.below())
        .extracting(Ranking.Row::user)
        .containsExactlyElementsOf(numbers(here + 1, here + 3));
  }

  private List<Integer> numbers(int from, int to) {
    int end = Math.min(to, placed.size());
    return placed.subList(Math.min(from, end), end).stream()
        .map(row -> users.find(row.userId()))
        .toList();
  }
}
