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

  /** Whether a user at this rank of a field of this size is in the tier. */
  public boolean includes(long rank, long size) {
    if (percent == 0) {
      return rank >= from && rank <= to;
    }
    return rank == 1 || rank <= Math.floorDiv(Math.multiplyExact(size, (long) percent), 10_000L);
  }

  /** The number of the first tier that includes the rank, or {@link #NONE}. */
  public static int of(List<PrizeTier> tiers, long rank, long size) {
    for (int i = 0; i < tiers.size(); i++) {
      if (tiers.get(i).includes(rank, size)) {
        return i;
      }
    }
    return NONE;
  }
}
