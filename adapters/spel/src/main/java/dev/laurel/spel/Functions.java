package dev.laurel.spel;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** The functions of the language, all of numbers. */
final class Functions {
  private Functions() {}

  /** A function of one number; the position is for its refusals. */
  private interface Unary {
    BigDecimal apply(BigDecimal number, int position);
  }

  static Typed<BigDecimal> call(String name, List<Typed<?>> arguments, int position) {
    return switch (name) {
      case "min" -> extreme(name, -1, arguments, position);
      case "max" -> extreme(name, 1, arguments, position);
      case "abs" -> unary(name, (x, p) -> x.abs(), arguments, position);
      case "sqrt" -> unary(name, Arithmetic::squareRoot, arguments, position);
      case "floor" -> unary(name, rounding(0, RoundingMode.FLOOR), arguments, position);
      case "ceil" -> unary(name, rounding(0, RoundingMode.CEILING), arguments, position);
      case "round" -> round(arguments, position);
      default ->
          throw Refusals.invalid(
              position, name + "()", "min, max, abs, round, floor, ceil or sqrt");
    };
  }

  private static Unary rounding(int decimals, RoundingMode mode) {
    return (x, position) -> Arithmetic.round(x, decimals, mode, position);
  }

  private static Typed<BigDecimal> unary(
      String name, Unary function, List<Typed<?>> arguments, int position) {
    if (arguments.size() != 1) {
      throw Refusals.invalid(position, name + " of " + arguments.size(), "one argument");
    }
    Code.Strict<BigDecimal> x = arguments.getFirst().number("as the argument of " + name);
    Code.Strict<BigDecimal> code = v -> function.apply(x.run(v), position);
    return Typed.result(BigDecimal.class, code, name, position, arguments);
  }

  /** The decimals are part of the text: how a board rounds does not depend on the event. */
  private static Typed<BigDecimal> round(List<Typed<?>> arguments, int position) {
    if (arguments.size() != 2) {
      return unary("round", rounding(0, RoundingMode.HALF_UP), arguments, position);
    }
    Typed<?> second = arguments.get(1);
    Code.Strict<BigDecimal> places = second.number("as the decimals of round");
    BigDecimal decimals = second.constant() ? places.run(Typed.NO_VALUES) : null;
    if (decimals == null
        || decimals.signum() < 0
        || decimals.compareTo(BigDecimal.valueOf(Arithmetic.MAX_ROUND)) > 0
        || decimals.stripTrailingZeros().scale() > 0) {
      throw Refusals.invalid(
          second.position(),
          second.name() + " as the decimals of round",
          "a literal in 0.." + Arithmetic.MAX_ROUND);
    }
    return unary(
        "round",
        rounding(decimals.intValueExact(), RoundingMode.HALF_UP),
        arguments.subList(0, 1),
        position);
  }

  private static Typed<BigDecimal> extreme(
      String name, int sign, List<Typed<?>> arguments, int position) {
    if (arguments.size() < 2) {
      throw Refusals.invalid(position, name + " of " + arguments.size(), "two arguments or more");
    }
    List<Code.Strict<BigDecimal>> codes = new ArrayList<>();
    for (Typed<?> argument : arguments) {
      codes.add(argument.number("as an argument of " + name));
    }
    Code.Strict<BigDecimal> code =
        v -> {
          BigDecimal best = codes.getFirst().run(v);
          for (int i = 1; i < codes.size(); i++) {
            BigDecimal next = codes.get(i).run(v);
            best = next.compareTo(best) * sign > 0 ? next : best;
          }
          return best;
        };
    return Typed.result(BigDecimal.class, code, name, position, arguments);
  }
}
