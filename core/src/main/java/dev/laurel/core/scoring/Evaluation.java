package dev.laurel.core.scoring;

import dev.laurel.core.model.Rejection;
import java.math.BigDecimal;

/** What an expression gave for the values of one event. */
public sealed interface Evaluation {
  /** An exact number. */
  record Value(BigDecimal number) implements Evaluation {}

  /** Not a number for these values: divided by zero, too large, a feature that was not sent. */
  record Failed(Rejection rejection) implements Evaluation {}
}
