package dev.laurel.core.model;

/** What makes a score of an event's features. */
public sealed interface Strategy {
  /** One numeric feature is the score. */
  record Direct(String feature) implements Strategy {}

  /** An expression over the features. */
  record Expression(String text) implements Strategy {}
}
