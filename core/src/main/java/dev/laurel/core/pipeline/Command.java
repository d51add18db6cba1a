package dev.laurel.core.pipeline;

import dev.laurel.core.model.Update;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a caller wants done to one user's entry, not yet checked. */
public sealed interface Command {
  String userId();

  /**
   * A score.
   *
   * @param value the number as it was written, so that nothing is lost before it is checked
   * @param mode null for the board's own rule
   * @param at the event's time in epoch milliseconds, null for now
   * @param eventId unique on the board; repeated it changes nothing
   * @param metadata a JSON object
   */
  record Score(
      String userId,
      String value,
      @Nullable Update mode,
      @Nullable Long at,
      @Nullable String eventId,
      @Nullable String metadata)
      implements Command {}

  /**
   * Features that the board makes a score of.
   *
   * @param features as they were sent; see {@link dev.laurel.core.scoring.Features#check}
   */
  record Event(
      String userId,
      Map<String, Object> features,
      @Nullable Long at,
      @Nullable String eventId,
      @Nullable String metadata)
      implements Command {}

  /**
   * Points for an action, added to what the user has.
   *
   * @param actionId names the completion; of one user it is taken once, see {@link
   *     Validation#ACTION_MILLIS}
   */
  record Award(String userId, long points, String actionId, @Nullable String metadata)
      implements Command {}

  /** The user leaves the board. */
  record Delete(String userId) implements Command {}

  /**
   * Scores of the user are to count no more, or held ones to count: those that do already change
   * nothing. Also on a board that takes no scores.
   *
   * @param lines of the ledger
   * @param note a JSON object: why, and who
   */
  record Correct(String userId, Correction what, List<Long> lines, @Nullable String note)
      implements Command {}

  /** What becomes of a line. */
  enum Correction {
    REVERT,
    RELEASE
  }
}
