package dev.laurel.core.model;

import org.jspecify.annotations.Nullable;

/** How a board comes to its scores. */
public sealed interface Strategy {
  /**
   * The score is sent.
   *
   * @param feature the numeric feature it is in; null if it is the event's own {@code score}
   */
  record Direct(@Nullable String feature) implements Strategy {}

  /** The score is computed from the features; docs/scoring.md has the language. */
  record Expression(String text) implements Strategy {}
}
