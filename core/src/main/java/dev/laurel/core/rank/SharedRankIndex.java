package dev.laurel.core.rank;

import dev.laurel.core.model.Season;
import java.time.Duration;

/** An index that is elsewhere, where nodes share it, and can lose what it holds. Thread-safe. */
public interface SharedRankIndex extends RankIndex {
  /** Whether it could not answer for the season for at least so long. Never blocks. */
  boolean lacks(Season season, Duration atLeast);

  /** The furthest line of the season that this node has heard of in this epoch, 0 if none. */
  long heardOf(Season season);
}
