package dev.laurel.core.model;

/** What a submitted value does to the entry it meets; {@link UpdateRule} is the implementation. */
public enum Update {
  /** Keeps the better score. */
  BEST,
  /** Keeps the score of the newest event. */
  LATEST,
  /** Adds. */
  SUM
}
