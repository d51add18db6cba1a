package dev.laurel.core.live;

import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a range in one state of its season.
 *
 * @param line the ledger line of that state
 * @param total entries of the season
 * @param anchor where the user stands whom the range is around, from 0; -1 without an entry, and
 *     always 0 for the top
 * @param from the position of the first row, from 0
 * @param outsider the user whom the range is around, if there is an entry and no place for it
 * @param kept the state itself, to be asked later; null if it cannot be kept
 */
public record Picture(
    long line,
    long total,
    long anchor,
    long from,
    List<Ranking.Row> rows,
    Ranking.@Nullable Row outsider,
    UserDictionary users,
    @Nullable Ranking kept) {

  static Picture of(Rankings.View view, Range range) {
    Ranking ranking = view.ranking();
    long anchor = 0;
    long from = 0;
    int count = 0;
    Ranking.Row outsider = null;
    switch (range) {
      case Range.Top(int top) -> count = top;
      case Range.Around(String userId, int window) -> {
        int user = view.users().find(userId);
        Ranking.Row self = user == 0 ? null : ranking.row(user);
        if (self == null) {
          anchor = -1;
        } else {
          // One without a place sees the last places.
          outsider = self.isOutside() ? self : null;
          anchor = self.isOutside() ? ranking.size() : ranking.position(user);
          from = Math.max(0, anchor - window);
          count = (int) (anchor - from) + 1 + window;
        }
      }
    }
    List<Ranking.Row> rows = new ArrayList<>(count);
    if (count > 0) {
      ranking.page(
          from,
          count,
          (rank, user, score, reached) ->
              rows.add(new Ranking.Row(rank, user, score, reached, false)));
    }
    return new Picture(
        ranking.line(),
        ranking.size(),
        anchor,
        from,
        rows,
        outsider,
        view.users(),
        ranking.isFixed() ? ranking : null);
  }

  /** As if the user whom the range is around were not there. */
  Picture ofNobody() {
    return new Picture(line, total, -1, 0, List.of(), null, users, kept);
  }

  boolean isOfNobody() {
    return anchor < 0;
  }
}
