package dev.laurel.core.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * Scores as exact whole units: with two decimals, 1500.5 is 150050. Nothing here goes through a
 * double, so 9007199254740993 stays what it is. More decimals than the board has are rounded half
 * away from zero, as SQL's NUMERIC does.
 */
public final class Units {
  public static final int MAX_DECIMALS = 9;

  /**
   * No number that fits a long with nine decimals needs more characters; longer ones are hostile.
   */
  private static final int MAX_LENGTH = 64;

  /** As many digits as a long holds whatever they are. */
  private static final int SAFE_DIGITS = 18;

  private static final long[] POWERS = new long[SAFE_DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i <= SAFE_DIGITS; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private Units() {}

  /** Parses a JSON number; empty if it is none, or does not fit. */
  public static OptionalLong parse(String text, int decimals) {
    // Nearly all numbers: digits, perhaps a point and digits, that cannot overflow.
    int end = text.length();
    int start = end > 0 && text.charAt(0) == '-' ? 1 : 0;
    if (end - start <= SAFE_DIGITS) {
      long digits = 0;
      int point = end;
      for (int i = start; i < end; i++) {
        int digit = text.charAt(i) - '0';
        if (digit >= 0 && digit <= 9) {
          digits = digits * 10 + digit;
        } else if (digit == '.' - '0' && point == end) {
          point = i;
        } else {
          return parseAny(text, decimals);
        }
      }
      int fraction = Math.max(0, end - point - 1);
      boolean wellFormed =
          point > start && point != end - 1 && (text.charAt(start) != '0' || point == start + 1);
      if (wellFormed && end - start + decimals <= SAFE_DIGITS + fraction) {
        long units = scale(digits, decimals - fraction);
        return OptionalLong.of(start == 1 ? -units : units);
      }
    }
    return parseAny(text, decimals);
  }

  /** Ten to the power so many times as much, rounded half up. */
  private static long scale(long digits, int power) {
    if (power >= 0) {
      return digits * POWERS[power];
    }
    long divisor = POWERS[-power];
    return (digits + divisor / 2) / divisor;
  }

  private static OptionalLong parseAny(String text, int decimals) {
    if (text.length() > MAX_LENGTH || !isJsonNumber(text)) {
      return OptionalLong.empty();
    }
    try {
      return of(new BigDecimal(text), decimals);
    } catch (NumberFormatException e) {
      // An exponent beyond an int.
      return OptionalLong.empty();
    }
  }

  /**
   * BigDecimal takes more than JSON does: "+1", "1.", ".5", "01", and the digits of all scripts.
   */
  private static boolean isJsonNumber(String text) {
    int end = text.length();
    int i = end > 0 && text.charAt(0) == '-' ? 1 : 0;
    int whole = skipDigits(text, i);
    if (whole == i || (text.charAt(i) == '0' && whole > i + 1)) {
      return false;
    }
    i = whole;
    if (i < end && text.charAt(i) == '.') {
      int fraction = skipDigits(text, i + 1);
      if (fraction == i + 1) {
        return false;
      }
      i = fraction;
    }
    if (i < end && (text.charAt(i) == 'e' || text.charAt(i) == 'E')) {
      i++;
      if (i < end && (text.charAt(i) == '+' || text.charAt(i) == '-')) {
        i++;
      }
      int exponent = skipDigits(text, i);
      if (exponent == i) {
        return false;
      }
      i = exponent;
    }
    return i == end;
  }

  private static int skipDigits(String text, int from) {
    int i = from;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      i++;
    }
    return i;
  }

  /** Rounds to the board's decimals; empty if the result does not fit a long. */
  public static OptionalLong of(BigDecimal value, int decimals) {
    // 1e999999999 would make setScale allocate its digits: look at the magnitude first.
    long magnitude = (long) value.precision() - value.scale();
    if (value.signum() == 0 || magnitude < -decimals) {
      return OptionalLong.of(0);
    }
    if (magnitude > 20) {
      return OptionalLong.empty();
    }
    BigInteger units = value.setScale(decimals, RoundingMode.HALF_UP).unscaledValue();
    return units.bitLength() < Long.SIZE
        ? OptionalLong.of(units.longValue())
        : OptionalLong.empty();
  }

  /** The shortest JSON number for it: 1500.5, 1500, -0.25. */
  public static String format(long units, int decimals) {
    if (decimals == 0) {
      return Long.toString(units);
    }
    StringBuilder out = new StringBuilder(24);
    append(out, units, decimals);
    return out.toString();
  }

  public static void append(StringBuilder out, long units, int decimals) {
    long power = POWERS[decimals];
    long whole = units / power;
    long fraction = Math.abs(units % power);
    if (whole == 0 && units < 0) {
      out.append('-');
    }
    out.append(whole);
    if (fraction == 0) {
      return;
    }
    out.append('.');
    int digits = decimals;
    while (fraction % 10 == 0) {
      fraction /= 10;
      digits--;
    }
    for (long p = POWERS[digits - 1]; p > fraction; p /= 10) {
      out.append('0');
    }
    out.append(fraction);
  }

  public static BigDecimal toDecimal(long units, int decimals) {
    return BigDecimal.valueOf(units, decimals);
  }
}
