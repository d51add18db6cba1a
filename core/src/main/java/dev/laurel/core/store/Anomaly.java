package dev.laurel.core.store;

/**
 * A line that a board's guard caught.
 *
 * @param value what the rule measured, more than {@code threshold}
 * @param at when, by the clock of the commit
 * @param reviewer the number of the API key that decided, 0 if nobody did or it has none
 * @param reviewedAt 0 if nobody did
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
    long reviewedAt) {

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
