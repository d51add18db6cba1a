package dev.laurel.core.scoring;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Units;
import java.math.BigDecimal;
import java.util.OptionalLong;

/** The score of one event, in the units of its board, or why it has none. */
public sealed interface Score {
  record Scored(long units) implements Score {}

  record Rejected(Rejection rejection) implements Score {}

  /** Rounds half away from zero to the board's decimals. */
  static Score of(Evaluation evaluation, int decimals) {
    return switch (evaluation) {
      case Evaluation.Value(BigDecimal number) -> {
        OptionalLong units = Units.of(number, decimals);
        yield units.isPresent()
            ? new Scored(units.getAsLong())
            : new Rejected(
                Rejection.expectation(
                    ErrorCode.SCORE_OUT_OF_BOUNDS,
                    "score",
                    number,
                    "a number that fits 64 bits with " + decimals + " decimals"));
      }
      case Evaluation.Failed(Rejection rejection) -> new Rejected(rejection);
    };
  }
}
