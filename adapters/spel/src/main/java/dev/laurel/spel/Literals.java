package dev.laurel.spel;

import dev.laurel.core.scoring.Decimals;
import java.math.BigDecimal;
import java.util.Objects;
import org.springframework.expression.spel.ast.BooleanLiteral;
import org.springframework.expression.spel.ast.FloatLiteral;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.LongLiteral;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.RealLiteral;
import org.springframework.expression.spel.ast.StringLiteral;

/** Literals by their text: Spring's own value of 0.1 is a double, and that is not a tenth. */
final class Literals {
  private Literals() {}

  /**
   * @param expression the whole text, to see how the literal was written
   */
  static Typed<?> translate(Literal literal, String expression) {
    int position = literal.getStartPosition();
    String text = Objects.requireNonNullElse(literal.getOriginalValue(), "");
    return switch (literal) {
      case IntLiteral whole -> number(text, expression, position);
      case LongLiteral whole -> number(text, expression, position);
      case RealLiteral real -> number(withoutSuffix(text), expression, position);
      case FloatLiteral real -> number(withoutSuffix(text), expression, position);
      case StringLiteral string -> Typed.literal(String.class, unquoted(text), position);
      case BooleanLiteral truth -> Typed.literal(Boolean.class, Boolean.valueOf(text), position);
      case NullLiteral absent ->
          throw Refusals.invalid(position, "null", "null beside == or != only");
      default ->
          throw Refusals.invalid(
              position, literal.getClass().getSimpleName(), "a number, a string or a boolean");
    };
  }

  private static Typed<BigDecimal> number(String digits, String expression, int position) {
    // Spring hands on the digits of 0x10 without its prefix.
    if (expression.regionMatches(true, position, "0x", 0, 2)) {
      throw Refusals.invalid(position, "0x" + digits, "a decimal number");
    }
    BigDecimal value;
    try {
      value = new BigDecimal(digits);
    } catch (NumberFormatException e) {
      // An exponent beyond an int; as a double it was infinite.
      throw Refusals.invalid(position, digits, "a number");
    }
    if (!Decimals.isExact(value)) {
      throw Refusals.invalid(
          position, digits, "a number below 10^34 with at most " + Decimals.DIGITS + " digits");
    }
    return Typed.literal(BigDecimal.class, value, position);
  }

  private static String withoutSuffix(String real) {
    int last = real.length() - 1;
    return "fFdD".indexOf(real.charAt(last)) < 0 ? real : real.substring(0, last);
  }

  private static String unquoted(String literal) {
    String quote = literal.substring(0, 1);
    return literal.substring(1, literal.length() - 1).replace(quote + quote, quote);
  }
}
