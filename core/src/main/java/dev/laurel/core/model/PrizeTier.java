package dev.laurel.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who wins what when a season is over. By ranks ({@code from..to}) or by share of the field: the
 * best {@code percent} hundredths of a percent, at least one user of a field that is not empty.
 *
 * @param from the first rank, 0 for a tier by share
 * @param to the last rank, 0 for a tier by share
 * @param percent in hundredths of a percent (1..10000), 0 for a tier by ranks
 * @param reward a JSON object, for whoever pays it out
 */
public record PrizeTier(String name, long from, long to, int percent, @Nullable String reward) {
  public static final int NONE = -1;

  /**
   * Whether a user is in the tier. A share is one of people: on a board with dense ranks the tenth
   * rank may have hundreds before it.
   *
   * @param place the first place, from 1, of those who have the user's rank
   * @param size of the field
   */
  public boolean includes(long rank, long place, long size) {
    if (percent == 0) {
      return rank >= from && rank <= to;
    }
    return place == 1 || place <= share(size);
  }

  /** How many of a field are in its share. */
  public long share(long size) {
    return Math.floorDiv(Math.multiplyExact(size, (long) percent), 10_000L);
  }

  /** The number of the first tier that includes the rank and place, or {@link #NONE}. */
  public static int of(List<PrizeTier> tiers, long rank, long place, long size) {
    for (int i = 0; i < tiers.size(); i++) {
      if (tiers.get(i).includes(rank, place, size)) {
        return i;
      }
    }
    return NONE;
  }
}
