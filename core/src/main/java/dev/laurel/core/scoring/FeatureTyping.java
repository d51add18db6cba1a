package dev.laurel.core.scoring;

import dev.laurel.core.model.FeatureType;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The check that makes a sent value one of its feature's type. */
final class FeatureTyping {
  /** A given number is rounded to the digits that are kept; beyond this it is hostile. */
  private static final int MAX_GIVEN_DIGITS = 100;

  private FeatureTyping() {}

  /**
   * The value as the evaluator takes it: a String, a Boolean, or a BigDecimal for both kinds of
   * numbers; null if it is not of this type. Nothing is converted: "12" is not a number.
   */
  static @Nullable Object typed(FeatureType type, Object raw) {
    return switch (type) {
      case STRING ->
          raw instanceof String text && text.length() <= FeatureValues.MAX_STRING ? text : null;
      case BOOLEAN -> raw instanceof Boolean ? raw : null;
      case INTEGER -> raw instanceof Long n ? BigDecimal.valueOf(n) : whole(decimal(raw));
      case FLOAT -> raw instanceof Long n ? BigDecimal.valueOf(n) : bounded(decimal(raw));
    };
  }

  private static @Nullable BigDecimal decimal(Object raw) {
    return switch (raw) {
      case BigDecimal number -> number;
      case Long number -> BigDecimal.valueOf(number);
      case Integer number -> BigDecimal.valueOf(number);
      case BigInteger number -> new BigDecimal(number);
      // A double has lost the decimals that were sent: whoever reads the event must not make one.
      default -> null;
    };
  }

  private static @Nullable BigDecimal bounded(@Nullable BigDecimal number) {
    return number == null || number.precision() > MAX_GIVEN_DIGITS
        ? null
        : Decimals.bounded(number);
  }

  private static @Nullable BigDecimal whole(@Nullable BigDecimal number) {
    BigDecimal bounded = bounded(number);
    if (number == null || bounded == null) {
      return null;
    }
    if (number.scale() == 0 && number.precision() < 19) {
      return number;
    }
    // 12.0 and 1e3 are whole; 1e-40 is not, although it is rounded to zero.
    if (bounded.stripTrailingZeros().scale() > 0 || bounded.compareTo(number) != 0) {
      return null;
    }
    BigInteger integer = bounded.toBigInteger();
    return integer.bitLength() < Long.SIZE ? new BigDecimal(integer) : null;
  }
}
