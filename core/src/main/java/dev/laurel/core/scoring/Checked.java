package dev.laurel.core.scoring;

import dev.laurel.core.model.Rejection;

/** What became of an event's features: typed values, or why not. */
public sealed interface Checked permits FeatureValues, Checked.Refused {
  /** The first feature that was missing or not of its type. */
  record Refused(Rejection rejection) implements Checked {}
}
