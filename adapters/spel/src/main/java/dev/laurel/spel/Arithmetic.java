package dev.laurel.spel;

import dev.laurel.core.scoring.Decimals;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operations on numbers. Each result is exact, then rounded to what {@link Decimals} keeps;
 * nothing overflows silently. Each costs at most some microseconds: the operands are bounded.
 */
final class Arithmetic {
  static final int MAX_EXPONENT = 32;

  /** Decimals that round() may be asked for. */
  static final int MAX_ROUND = 18;

  private static final MathContext CONTEXT = new MathContext(Decimals.DIGITS, RoundingMode.HALF_UP);
  private static final BigDecimal LARGEST_EXPONENT = BigDecimal.valueOf(MAX_EXPONENT);

  private Arithmetic() {}

  /** An operation on two numbers; the position is for its refusals. */
  interface Binary {
    BigDecimal apply(BigDecimal left, BigDecimal right, int position);
  }

  static BigDecimal add(BigDecimal left, BigDecimal right, int position) {
    return bounded(left.add(right), position);
  }

  static BigDecimal subtract(BigDecimal left, BigDecimal right, int position) {
    return bounded(left.subtract(right), position);
  }

  static BigDecimal multiply(BigDecimal left, BigDecimal right, int position) {
    return bounded(left.multiply(right), position);
  }

  /** Decimal, whatever the operands are: wins / games is 0.5 for 1 and 2. */
  static BigDecimal divide(BigDecimal left, BigDecimal right, int position) {
    return bounded(left.divide(nonZero(right, position), CONTEXT), position);
  }

  /** What is left of a whole division; it has the sign of the left operand. */
  static BigDecimal remainder(BigDecimal left, BigDecimal right, int position) {
    return bounded(left.remainder(nonZero(right, position)), position);
  }

  static BigDecimal power(BigDecimal base, BigDecimal exponent, int position) {
    if (exponent.signum() < 0
        || exponent.compareTo(LARGEST_EXPONENT) > 0
        || exponent.stripTrailingZeros().scale() > 0) {
      throw Refusals.failed(
          position, "exponent " + exponent, "a whole exponent in 0.." + MAX_EXPONENT);
    }
    return bounded(base.pow(exponent.intValueExact()), position);
  }

  /** Correctly rounded, as BigDecimal specifies it: the same on every machine. */
  static BigDecimal squareRoot(BigDecimal number, int position) {
    if (number.signum() < 0) {
      throw Refusals.failed(position, "sqrt of " + number, "a number that is not negative");
    }
    return bounded(number.sqrt(CONTEXT), position);
  }

  static BigDecimal round(BigDecimal number, int decimals, RoundingMode mode, int position) {
    return number.scale() <= decimals ? number : bounded(number.setScale(decimals, mode), position);
  }

  private static BigDecimal nonZero(BigDecimal divisor, int position) {
    if (divisor.signum() == 0) {
      throw Refusals.failed(position, "division by 0", "a divisor that is not 0");
    }
    return divisor;
  }

  private static BigDecimal bounded(BigDecimal result, int position) {
    BigDecimal kept = Decimals.bounded(result);
    if (kept == null) {
      throw Refusals.failed(position, "a result of 10^34 or more", "results below 10^34");
    }
    return kept;
  }

  /** 1 and 1.0 are the same number; what was not sent is only the same as itself. */
  static <T> boolean same(@Nullable T left, @Nullable T right) {
    return (left instanceof BigDecimal number && right instanceof BigDecimal other)
        ? number.compareTo(other) == 0
        : Objects.equals(left, right);
  }
}
