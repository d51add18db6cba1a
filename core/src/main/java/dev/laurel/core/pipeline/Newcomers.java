package dev.laurel.core.pipeline;

import dev.laurel.core.board.Routing;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.season.Calendars;
import org.jspecify.annotations.Nullable;

/**
 * Whether a score of somebody who has no entry anywhere is taken. Pure, and asked twice: before the
 * transaction, to tell who is worth a number, and in it.
 */
final class Newcomers {
  private Newcomers() {}

  /**
   * Why an active board refuses it; null if it does not.
   *
   * @param guarded what a guard holds back is taken whatever it is; what it refuses is known later
   */
  static @Nullable Rejection refusal(
      Board board, Calendars calendars, boolean guarded, Validation.Valid valid, long now) {
    Long at = valid.at();
    if (Routing.route(board, calendars, at == null ? now : at, now)
        instanceof Routing.Route.Nowhere(var rejection)) {
      return rejection;
    }
    return guarded || board.bounds().contains(valid.value())
        ? null
        : Validation.outOfBounds(board, valid);
  }
}
