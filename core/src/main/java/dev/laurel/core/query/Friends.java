package dev.laurel.core.query;

import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.Ranking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Some users of a board, with their ranks among all and among each other, from one state of it.
 *
 * @param found best first
 * @param missing those without an entry, in the order asked
 */
public record Friends(List<Friend> found, List<String> missing) {
  /** One of them. */
  public record Friend(Ranking.Row row, long rankAmong) {}

  public static Friends of(Ties ties, Rankings.View view, List<String> userIds) {
    record Placed(Ranking.Row row, long position) {}
    List<Placed> placed = new ArrayList<>(userIds.size());
    List<String> missing = new ArrayList<>();
    for (String id : new LinkedHashSet<>(userIds)) {
      int user = view.users().find(id);
      Ranking.Row row = user == 0 ? null : view.ranking().row(user);
      if (row == null) {
        missing.add(id);
      } else {
        placed.add(new Placed(row, view.ranking().position(user)));
      }
    }
    placed.sort(Comparator.comparingLong(Placed::position));
    List<Friend> found = new ArrayList<>(placed.size());
    for (int i = 0; i < placed.size(); i++) {
      Ranking.Row row = placed.get(i).row();
      boolean tied = i > 0 && found.getLast().row().score() == row.score();
      long among =
          switch (ties) {
            case EARLIEST_FIRST -> i + 1;
            case SHARED -> tied ? found.getLast().rankAmong() : i + 1;
            case DENSE -> i == 0 ? 1 : found.getLast().rankAmong() + (tied ? 0 : 1);
          };
      found.add(new Friend(row, among));
    }
    return new Friends(found, missing);
  }
}
