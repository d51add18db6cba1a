package dev.laurel.core.rank;

/**
 * Hears how an index elsewhere does, for metrics and logs. Returns at once; called from any thread.
 */
public interface SharedIndexObserver {
  /** It answered a call, after so many nanoseconds. */
  default void answered(long nanos) {}

  /** It did not answer a call, or with an error. */
  default void failed(Throwable cause) {}

  /**
   * A commit was handed to it.
   *
   * @param applied whether the season has it; else it has to catch up
   */
  default void wrote(boolean applied) {}

  /** A season has to be brought to where the store is: a commit did not get there, or all. */
  default void retried() {}
}
