package dev.laurel.core.board;

import dev.laurel.core.model.Season;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an edit did to a season.
 *
 * @param season as it is after the edit; as it was, if the edit took it away
 */
public record SeasonChange(Kind kind, Season season) {
  /** The names are part of answers. */
  public enum Kind {
    /** It is new. */
    OPENED,
    /** It was over, and goes on. */
    REOPENED,
    /** It begins or ends at another time. */
    MOVED,
    /** It is over. */
    ENDED,
    /** It was made ahead of its start and will not be; nobody had a score in it. */
    REMOVED
  }

  /** All but those that were taken away. */
  static List<SeasonChange> between(List<Season> before, List<Season> after) {
    List<SeasonChange> changes = new ArrayList<>();
    for (Season now : after) {
      Season then =
          before.stream().filter(season -> season.id() == now.id()).findFirst().orElse(null);
      Kind kind = then == null ? Kind.OPENED : kind(then, now);
      if (kind != null) {
        changes.add(new SeasonChange(kind, now));
      }
    }
    return changes;
  }

  private static @Nullable Kind kind(Season before, Season after) {
    if (before.isOver() != after.isOver()) {
      return after.isOver() ? Kind.ENDED : Kind.REOPENED;
    }
    if (before.isOver() && after.status().compareTo(before.status()) < 0) {
      return Kind.REOPENED;
    }
    boolean moved = before.start() != after.start() || before.end() != after.end();
    return moved ? Kind.MOVED : null;
  }
}
