package dev.laurel.core.scoring;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of scoring: exact decimals with at most 34 digits, at most 34 of them behind the
 * point, and below 10^34. So whole numbers are always exact, and no number, given or computed, is
 * ever large in memory.
 */
public final class Decimals {
  public static final int DIGITS = 34;

  private Decimals() {}

  /** Rounds half away from zero, once, to what is kept; null if it is 10^34 or more. */
  public static @Nullable BigDecimal bounded(BigDecimal value) {
    int precision = value.precision();
    int scale = value.scale();
    // As a long: the scale of a hostile 1e-2147483647 has no room beside it in an int.
    long magnitude = (long) precision - scale;
    if (precision <= DIGITS && scale <= DIGITS && magnitude <= DIGITS) {
      return value;
    }
    if (value.signum() == 0 || magnitude < -DIGITS) {
      return BigDecimal.ZERO;
    }
    if (magnitude > DIGITS) {
      return null;
    }
    BigDecimal rounded =
        value.setScale((int) Math.min(DIGITS, DIGITS - magnitude), RoundingMode.HALF_UP);
    // 9.99… became 10.00…: one digit more than are kept, and it may be the one too many.
    return rounded.precision() - rounded.scale() > DIGITS ? null : rounded;
  }

  /** Whether it is kept as it is, without rounding. */
  public static boolean isExact(BigDecimal value) {
    BigDecimal kept = bounded(value);
    return kept != null && kept.compareTo(value) == 0;
  }
}
