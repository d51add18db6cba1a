package dev.laurel.spel;

import dev.laurel.core.scoring.FeatureValues;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** The methods that strings have. Each is linear, or searches a string that is short. */
final class Texts {
  private Texts() {}

  /** A yes or no about two strings. */
  private interface Test {
    boolean of(String text, String other);
  }

  static Typed<?> call(Typed<?> target, String name, List<Typed<?>> arguments, int position) {
    return switch (name) {
      case "length" -> {
        Code.Strict<String> text = target.text("before .length()");
        none(name, arguments, position);
        Code.Strict<BigDecimal> code = v -> BigDecimal.valueOf(text.run(v).length());
        yield Typed.result(BigDecimal.class, code, name, position, List.of(target));
      }
      case "toUpperCase" -> {
        Code.Strict<String> text = target.text("before .toUpperCase()");
        none(name, arguments, position);
        Code.Strict<String> code = v -> bounded(text.run(v).toUpperCase(Locale.ROOT), position);
        yield Typed.result(String.class, code, name, position, List.of(target));
      }
      case "toLowerCase" -> {
        Code.Strict<String> text = target.text("before .toLowerCase()");
        none(name, arguments, position);
        Code.Strict<String> code = v -> bounded(text.run(v).toLowerCase(Locale.ROOT), position);
        yield Typed.result(String.class, code, name, position, List.of(target));
      }
      case "startsWith" -> test(target, name, String::startsWith, arguments, position);
      case "endsWith" -> test(target, name, String::endsWith, arguments, position);
      case "contains" -> test(target, name, String::contains, arguments, position);
      case "equals" -> test(target, name, String::equals, arguments, position);
      default ->
          throw Refusals.invalid(
              position,
              "." + name + "()",
              "length, startsWith, endsWith, contains, equals, toUpperCase or toLowerCase of a"
                  + " string");
    };
  }

  private static Typed<Boolean> test(
      Typed<?> target, String name, Test test, List<Typed<?>> arguments, int position) {
    Code.Strict<String> text = target.text("before ." + name + "()");
    if (arguments.size() != 1) {
      throw Refusals.invalid(position, name + " of " + arguments.size(), "one argument");
    }
    Typed<?> argument = arguments.getFirst();
    Code.Strict<String> other = argument.text("as the argument of " + name);
    Code.Strict<Boolean> code = v -> test.of(text.run(v), other.run(v));
    return Typed.result(Boolean.class, code, name, position, List.of(target, argument));
  }

  private static void none(String name, List<Typed<?>> arguments, int position) {
    if (!arguments.isEmpty()) {
      throw Refusals.invalid(position, name + " of " + arguments.size(), "no argument");
    }
  }

  static String concat(String left, String right, int position) {
    return bounded(left.concat(right), position);
  }

  private static String bounded(String text, int position) {
    if (text.length() > FeatureValues.MAX_STRING) {
      throw Refusals.failed(
          position,
          text.length() + " characters",
          "strings of at most " + FeatureValues.MAX_STRING + " characters");
    }
    return text;
  }
}
