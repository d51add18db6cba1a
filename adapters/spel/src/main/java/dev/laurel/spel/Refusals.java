package dev.laurel.spel;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import java.util.Map;

/** Refusals that say where. Positions are told from 1, as editors do. */
final class Refusals {
  private Refusals() {}

  /** The text is no expression of the language. */
  static RejectedException invalid(int position, Object found, String expected) {
    return at(ErrorCode.EXPRESSION_INVALID, position, found, expected);
  }

  /** The expression is well, but has no value for this event. */
  static RejectedException failed(int position, Object found, String expected) {
    return at(ErrorCode.EVALUATION_FAILED, position, found, expected);
  }

  /** What fails without any event is wrong as a text. */
  static RejectedException asInvalid(Rejection failure) {
    return Rejection.of(ErrorCode.EXPRESSION_INVALID, failure.message(), failure.details())
        .asException();
  }

  private static RejectedException at(ErrorCode code, int position, Object found, String expected) {
    Rejection said =
        Rejection.expectation(code, "expression at character " + (position + 1), found, expected);
    return Rejection.of(
            code,
            said.message(),
            Map.of("field", "expression", "position", position + 1, "expected", expected))
        .asException();
  }
}
