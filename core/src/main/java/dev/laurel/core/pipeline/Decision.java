package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Window;
import java.util.List;

/** What became of a command, and whose rank in which season it is about (0: none). */
record Decision(Outcome outcome, long season, int user) {
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
        shown.season().id(),
        user);
  }

  static Decision rejected(Rejection rejection) {
    return new Decision(new Outcome.Rejected(rejection), 0, 0);
  }

  static Decision userNotFound(Board board, String userId) {
    return rejected(
        Rejection.expectation(
            ErrorCode.USER_NOT_FOUND, "userId", userId, "a user of board " + board.uuid()));
  }
}
