package dev.laurel.core.live;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import java.util.List;

/**
 * Hears of every change of a season after it was committed and published, on the committer's
 * thread: take note and return. Changes of one season come in the order of their lines.
 */
@FunctionalInterface
public interface ChangeListener {
  void changed(Board board, Season season, long line, List<RankIndex.Change> changes);
}
