package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The second step: which seasons an event belongs to, by its own time. Pure. */
public final class Routing {
  private Routing() {}

  /** Where an event goes. */
  public sealed interface Route {
    /** At least one. */
    record To(List<Season> seasons) implements Route {}

    /** No season of the board takes it. */
    record Nowhere(Rejection rejection) implements Route {}
  }

  /**
   * @param at the event's time
   * @param now the clock; a season takes its events until its grace period is over
   */
  public static Route route(Board board, long at, long now) {
    List<Season> open = new ArrayList<>(board.seasons().size());
    boolean covered = false;
    boolean before = false;
    boolean after = false;
    for (Season season : board.seasons()) {
      if (season.covers(at)) {
        if (season.isOpen(now)) {
          open.add(season);
        } else if (season.status() == SeasonStatus.SCHEDULED) {
          before = true;
        } else {
          covered = true;
        }
      } else if (at < season.start()) {
        before = true;
      } else {
        after = true;
      }
    }
    if (!open.isEmpty()) {
      return new Route.To(open);
    }
    String when = Instant.ofEpochMilli(at).toString();
    if (covered || (after && !before)) {
      return new Route.Nowhere(
          refusal(ErrorCode.SEASON_CLOSED, board, when, "a time in a season that is still open"));
    }
    if (before && !after) {
      return new Route.Nowhere(
          refusal(ErrorCode.SEASON_NOT_STARTED, board, when, "a time after the start"));
    }
    return new Route.Nowhere(
        refusal(ErrorCode.TIME_OUT_OF_RANGE, board, when, "a time inside a season"));
  }

  private static Rejection refusal(ErrorCode code, Board board, String when, String expected) {
    return Rejection.expectation(code, "timestamp", when, expected + " of board " + board.uuid());
  }
}
