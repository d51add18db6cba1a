package dev.laurel.core.pipeline;

import dev.laurel.core.board.Routing;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.time.Moment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether it matters to a request which of two times it is, while the clock is in doubt. A score in
 * the wrong season cannot be undone, so what would go to another one is not taken now; all else is.
 * Pure.
 */
final class UnclearTime {
  private UnclearTime() {}

  static boolean matters(
      Board board, Calendars calendars, List<Validation.Checked> commands, Moment moment) {
    return commands.stream()
        .anyMatch(
            checked ->
                checked instanceof Validation.Valid valid
                    && matters(board, calendars, valid, moment));
  }

  private static boolean matters(
      Board board, Calendars calendars, Validation.Valid valid, Moment moment) {
    if (valid.kind() == LedgerLine.Kind.DELETE) {
      return board.seasons().stream()
          .anyMatch(s -> s.isOpen(moment.earliest()) != s.isOpen(moment.latest()));
    }
    Long at = valid.at();
    if (at != null && at > moment.earliest() + Validation.MAX_AHEAD_MILLIS) {
      return true;
    }
    return !seasons(board, calendars, at, moment.earliest())
        .equals(seasons(board, calendars, at, moment.latest()));
  }

  private static List<Long> seasons(Board board, Calendars calendars, @Nullable Long at, long now) {
    return Routing.route(board, calendars, at == null ? now : at, now)
            instanceof Routing.Route.To(var to)
        ? to.stream().map(Season::id).toList()
        : List.of();
  }

  static Rejection refusal() {
    return Rejection.of(
        ErrorCode.CLOCK_IN_DOUBT,
        "the server's clock has jumped, and the season depends on it; nothing was applied: retry");
  }
}
