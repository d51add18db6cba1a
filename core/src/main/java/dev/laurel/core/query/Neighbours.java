package dev.laurel.core.query;

import dev.laurel.core.rank.Ranking;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user and who stands around, from one state of the board.
 *
 * @param above from the best to the user's nearest; shorter at the top of the board. The last
 *     places for a user who is outside
 * @param below from the user's nearest on; shorter at the bottom
 */
public record Neighbours(Ranking.Row user, List<Ranking.Row> above, List<Ranking.Row> below) {
  /** Null if the user has no entry. */
  public static @Nullable Neighbours of(Ranking ranking, int user, int window) {
    Ranking.Row self = ranking.row(user);
    if (self == null) {
      return null;
    }
    long position = self.isOutside() ? ranking.size() : ranking.position(user);
    long from = Math.max(0, position - window);
    int before = (int) (position - from);
    List<Ranking.Row> rows = new ArrayList<>(before + 1 + window);
    Ranking.RowSink sink =
        (rank, number, score, reached) ->
            rows.add(new Ranking.Row(rank, number, score, reached, false));
    if (self.isOutside()) {
      ranking.page(from, before + 1 + window, sink);
    } else {
      ranking.around(user, position, before, window, sink);
    }
    return new Neighbours(
        self,
        List.copyOf(rows.subList(0, Math.min(before, rows.size()))),
        List.copyOf(rows.subList(Math.min(before + 1, rows.size()), rows.size())));
  }
}
