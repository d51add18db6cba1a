package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What became of a command, and whose rank in which season it is about. */
record Decision(Outcome outcome, @Nullable Season season, int user) {
  /** The same, about a season. */
  Decision about(Season shown) {
    return outcome instanceof Outcome.Accepted accepted
        ? new Decision(accepted.about(shown), shown, user)
        : this;
  }

  /** The same, after a correction. */
  Decision corrected(int lines, Set<Long> seasons) {
    return outcome instanceof Outcome.Accepted accepted
        ? new Decision(
            accepted.withCorrected(new Outcome.Corrected(lines, Set.copyOf(seasons))), season, user)
        : this;
  }

  /** Taken; the answer is what the user has now in one of the seasons. */
  static Decision accepted(
      Outcome.Effect effect, BatchEntries.Cell shown, int user, long line, List<Window> missed) {
    Entry entry = shown.entry();
    return new Decision(
        new Outcome.Accepted(
            effect,
            shown.isAlive(),
            entry == null ? 0 : entry.score(),
            entry == null ? 0 : entry.reached(),
            0,
            line,
            shown.season(),
            missed),
        shown.season(),
        user);
  }

  static Decision rejected(Rejection rejection) {
    return new Decision(new Outcome.Rejected(rejection), null, 0);
  }

  static Decision userNotFound(Board board, String userId) {
    return rejected(
        Rejection.expectation(
            ErrorCode.USER_NOT_FOUND, "userId", userId, "a user of board " + board.uuid()));
  }
}
