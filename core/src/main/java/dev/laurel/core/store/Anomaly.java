package dev.laurel.core.store;

import org.jspecify.annotations.Nullable;

/**
 * A line that a board's guard caught, or that somebody has reported.
 *
 * @param value what the rule measured, more than {@code threshold}; both 0 of a report
 * @param at when, by the clock of the commit
 * @param reviewer the number of the API key that decided, 0 if nobody did or it has none
 * @param reviewedAt 0 if nobody did
 * @param report what somebody has reported of it, a JSON object; null if nobody has
 */
public record Anomaly(
    long board,
    long line,
    int user,
    GuardRule.Kind rule,
    double value,
    double threshold,
    GuardRule.Action action,
    State state,
    long at,
    long reviewer,
    long reviewedAt,
    @Nullable String report) {

  /** Whether somebody has approved or rejected it. */
  public boolean isDecided() {
    return state == State.APPROVED || state == State.REJECTED;
  }

  /** What was decided about it. */
  public enum State {
    /** Nobody is asked. */
    RECORDED,
    OPEN,
    /** It counts. */
    APPROVED,
    /** It was reverted. */
    REJECTED
  }
}
