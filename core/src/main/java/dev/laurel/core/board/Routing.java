package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import dev.laurel.core.season.Calendars;
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
  public static Route route(Board board, Calendars calendars, long at, long now) {
    List<Season> open = new ArrayList<>(board.seasons().size());
    for (Season season : board.seasons()) {
      if (season.covers(at) && season.isOpen(now)) {
        open.add(season);
      }
    }
    return open.isEmpty() ? nowhere(board, calendars, at) : new Route.To(open);
  }

  private static Route nowhere(Board board, Calendars calendars, long at) {
    String when = Instant.ofEpochMilli(at).toString();
    if (at < board.start()) {
      return refusal(ErrorCode.SEASON_NOT_STARTED, board, when, "a time after the start");
    }
    boolean inCycle = at >= board.end();
    for (Window window : board.windows()) {
      inCycle |= calendars.at(board, window, at) != null;
    }
    return inCycle
        ? refusal(ErrorCode.SEASON_CLOSED, board, when, "a time in a season that is still open")
        : refusal(ErrorCode.TIME_OUT_OF_RANGE, board, when, "a time inside a season");
  }

  private static Route refusal(ErrorCode code, Board board, String when, String expected) {
    return new Route.Nowhere(
        Rejection.expectation(code, "timestamp", when, expected + " of board " + board.uuid()));
  }
}
