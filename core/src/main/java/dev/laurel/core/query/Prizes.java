package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who wins what in a season.
 *
 * @param size how many entries the season has
 * @param total how many of them win something
 * @param winners a part of them, best first
 * @param revision how often they were computed anew after they were final
 */
public record Prizes(
    List<PrizeTier> tiers, long size, long total, List<Winner> winners, int revision) {
  /** Bounds one answer. */
  public static final int MAX_WINNERS = 10_000;

  /** One of them, with the number of the tier in the list. */
  public record Winner(String userId, long rank, long score, int tier) {}

  /** Which of the winners are asked for, by their number among all of them, from 0. */
  public record Part(long offset, int limit) {
    static final Part FIRST = new Part(0, MAX_WINNERS);
  }

  /** The first tier that includes a user counts; ranks decide, so tied users win the same. */
  static Prizes of(
      Board board,
      List<PrizeTier> tiers,
      int revision,
      Ranking ranking,
      UserDictionary users,
      Part part) {
    WinnerPlaces places = new WinnerPlaces(tiers, ranking, board.order(), board.ties());
    List<Winner> winners = new ArrayList<>();
    Tiers won = new Tiers(board, tiers, ranking);
    for (WinnerPlaces.Range range : places.part(part.offset(), part.limit())) {
      ranking.page(
          range.begin(),
          (int) range.length(),
          (rank, user, score, reached) ->
              winners.add(new Winner(users.id(user), rank, score, won.of(rank, score))));
    }
    return new Prizes(tiers, ranking.size(), places.total(), List.copyOf(winners), revision);
  }

  /** What one user wins; null if nothing. */
  static @Nullable Winner winner(
      Board board, List<PrizeTier> tiers, Ranking ranking, UserDictionary users, String userId) {
    Ranking.Row row = ranking.row(users.find(userId));
    if (row == null || row.isOutside() || tiers.isEmpty()) {
      return null;
    }
    int tier = new Tiers(board, tiers, ranking).of(row.rank(), row.score());
    return tier == PrizeTier.NONE ? null : new Winner(userId, row.rank(), row.score(), tier);
  }

  /** The tiers of rows, whichever they are. */
  private static final class Tiers {
    private final List<PrizeTier> tiers;
    private final Ranking ranking;
    private final boolean dense;
    private long rank;
    private int tier;

    Tiers(Board board, List<PrizeTier> tiers, Ranking ranking) {
      this.tiers = tiers;
      this.ranking = ranking;
      this.dense = board.ties() == Ties.DENSE;
    }

    int of(long nextRank, long score) {
      if (nextRank != rank) {
        rank = nextRank;
        // Other ranks are the first place of those who have them.
        long place = dense ? ranking.better(score) + 1 : rank;
        tier = PrizeTier.of(tiers, rank, place, ranking.size());
      }
      return tier;
    }
  }
}
