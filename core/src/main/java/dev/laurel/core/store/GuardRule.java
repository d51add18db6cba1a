package dev.laurel.core.store;

/**
 * One thing that a board's guard looks at.
 *
 * @param threshold what is more is caught
 */
public record GuardRule(Kind kind, double threshold, Action action) {
  /** What is measured of a submission. */
  public enum Kind {
    /** The user's submissions of the last minute, this one included. */
    PER_MINUTE,
    /** Of the last hour. */
    PER_HOUR,
    /** How many standard deviations it is from what the user has sent before. */
    USER_Z_SCORE,
    /** From what was sent to the board before. */
    BOARD_Z_SCORE,
    /** What it adds; of a score that replaces another, how far it is from the user's last one. */
    JUMP,
    /** Users of the last hour that have the address of this one. */
    USERS_PER_ADDRESS,
    /** Nothing that a guard measures: somebody else found it odd, and has reported it. */
    REPORTED
  }

  /** What becomes of what is caught, from mild to strict. */
  public enum Action {
    /** It counts, and is written down. */
    RECORD,
    /** It counts, and somebody should look at it. */
    FLAG,
    /** It does not count until somebody has looked at it. */
    QUARANTINE,
    /** It is not taken. */
    REFUSE
  }
}
