package dev.laurel.core.query;

import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.TieGroups;
import dev.laurel.core.rank.UserDictionary;
import java.util.ArrayList;
import java.util.List;

/**
 * Who wins what in a season.
 *
 * @param size how many entries the season has
 * @param winners best first
 * @param revision how often they were computed anew after they were final
 */
public record Prizes(List<PrizeTier> tiers, long size, List<Winner> winners, int revision) {
  /** Bounds one answer: larger fields are exported. */
  public static final int MAX_WINNERS = 10_000;

  /** One of them, with the number of the tier in the list. */
  public record Winner(String userId, long rank, long score, int tier) {}

  /** The first tier that includes a user counts; ranks decide, so tied users win the same. */
  static Prizes of(List<PrizeTier> tiers, int revision, Ranking ranking, UserDictionary users) {
    List<Winner> winners = new ArrayList<>();
    if (!tiers.isEmpty()) {
      TieGroups groups = new TieGroups();
      ranking.page(
          0,
          MAX_WINNERS,
          (rank, user, score, reached) -> {
            int tier = PrizeTier.of(tiers, rank, groups.place(rank), ranking.size());
            if (tier >= 0) {
              winners.add(new Winner(users.id(user), rank, score, tier));
            }
          });
    }
    return new Prizes(tiers, ranking.size(), winners, revision);
  }
}
