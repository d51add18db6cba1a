package dev.laurel.core.scoring;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** What a feature's values are, and the check that makes them so. */
public enum FeatureType {
  STRING("a string of at most 256 characters"),
  INTEGER("a whole number that fits 64 bits"),
  FLOAT("a number below 10^34, of at most 100 digits"),
  BOOLEAN("true or false");

  public static final int MAX_STRING = 256;

  /** A given number is rounded to the digits that are kept; beyond this it is hostile. */
  private static final int MAX_GIVEN_DIGITS = 100;

  private final String expected;

  FeatureType(String expected) {
    this.expected = expected;
  }

  public String expected() {
    return expected;
  }

  /**
   * The value as the evaluator takes it: a String, a Boolean, or a BigDecimal for both kinds of
   * numbers; null if it is not of this type. Nothing is converted: "12" is not a number.
   */
  @Nullable Object typed(Object raw) {
    return switch (this) {
      case STRING -> raw instanceof String text && text.length() <= MAX_STRING ? text : null;
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
