package dev.laurel.core.live;

import dev.laurel.core.rank.Ranking;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of one user of a range.
 *
 * @param delta null if the entry was removed, or the score before is not known
 * @param score null if the entry was removed
 * @param reached when that score was reached; null if the entry was removed
 * @param rank 0 if the user left the range
 * @param position the place among all, from 1; 0 if the user left the range
 */
public record Update(
    int user,
    @Nullable Long delta,
    @Nullable Long score,
    @Nullable Long reached,
    long rank,
    long position) {

  private record Placed(Ranking.Row row, long position) {}

  public boolean isLeft() {
    return position == 0;
  }

  /**
   * From one picture of a range to another: those who left, then those who came or are different,
   * by position. Every row whose place changed is among them, so whoever has the rows of the first
   * picture has those of the second after taking these away and putting them at their positions.
   * Null if the range itself moved: then only the whole picture helps.
   *
   * @param now the state of the second picture: it is asked about those who left
   */
  static @Nullable List<Update> between(Picture before, Picture after, Ranking now) {
    if (before.anchor() != after.anchor()
        || before.from() != after.from()
        || !Objects.equals(before.outsider(), after.outsider())) {
      return null;
    }
    Map<Integer, Placed> old = new HashMap<>();
    for (int i = 0; i < before.rows().size(); i++) {
      Ranking.Row row = before.rows().get(i);
      old.put(row.user(), new Placed(row, before.from() + i + 1));
    }
    List<Update> updates = new ArrayList<>();
    List<Update> inRange = new ArrayList<>();
    for (int i = 0; i < after.rows().size(); i++) {
      Ranking.Row row = after.rows().get(i);
      Placed here = new Placed(row, after.from() + i + 1);
      Placed was = old.remove(row.user());
      if (!here.equals(was)) {
        Long delta =
            was == null ? gained(before, row) : Long.valueOf(row.score() - was.row.score());
        inRange.add(
            new Update(row.user(), delta, row.score(), row.reached(), row.rank(), here.position));
      }
    }
    for (Ranking.Row row : before.rows()) {
      if (old.containsKey(row.user())) {
        Ranking.Row elsewhere = now.row(row.user());
        updates.add(
            elsewhere == null
                ? new Update(row.user(), null, null, null, 0, 0)
                : new Update(
                    row.user(),
                    elsewhere.score() - row.score(),
                    elsewhere.score(),
                    elsewhere.reached(),
                    0,
                    0));
      }
    }
    updates.addAll(inRange);
    return updates;
  }

  /** Whether the user came into the range, and nobody could tell what the score was before. */
  boolean isUnknownBefore() {
    return delta == null && !isLeft();
  }

  /** The same of a user whose score before is known now. */
  Update since(long scoreBefore) {
    Long now = score;
    return now == null ? this : new Update(user, now - scoreBefore, now, reached, rank, position);
  }

  /** Of one who was not in the range. */
  private static @Nullable Long gained(Picture before, Ranking.Row row) {
    Ranking kept = before.kept();
    if (kept == null || !kept.knows(row.user())) {
      return null;
    }
    Ranking.Row was = kept.row(row.user());
    return was == null ? row.score() : row.score() - was.score();
  }
}
