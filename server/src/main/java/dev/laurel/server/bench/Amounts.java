package dev.laurel.server.bench;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How options of the bench are written: {@code rank=90,put=10}, {@code 10s}.
 *
 * <p>Its methods throw {@link IllegalArgumentException} with the value and what was expected.
 */
public final class Amounts {
  /** Mixes with a name. */
  public static final Map<String, String> PRESETS =
      Map.of(
          "reads", "rank=80,around=10,top=10",
          "game", "rank=70,around=10,top=10,put=10",
          "writes", "put=100");

  private static final Pattern DURATION =
      Pattern.compile("([0-9]{1,7}(?:\\.[0-9]{1,3})?)(ms|s|m)?");

  private Amounts() {}

  /** Shares of operations: a preset, an operation alone, or a list. */
  public static Map<Operation, Double> mix(String option, String text) {
    String preset = PRESETS.get(text);
    Operation alone = Operation.find(text);
    if (alone != null) {
      return Map.of(alone, 1.0);
    }
    return perOperation(option, preset == null ? text : preset);
  }

  /** A list of {@code operation=number}, in the order of the operations. */
  public static Map<Operation, Double> perOperation(String option, String text) {
    Map<Operation, Double> amounts = new EnumMap<>(Operation.class);
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      Operation operation = equals < 0 ? null : Operation.find(part.substring(0, equals).strip());
      if (operation == null) {
        throw wrong(option, part, "OPERATION=NUMBER, with one of " + Operation.labels());
      }
      if (amounts.put(operation, number(option, part.substring(equals + 1).strip())) != null) {
        throw wrong(option, text, operation.label() + " once");
      }
    }
    return Collections.unmodifiableMap(amounts);
  }

  public static boolean isPerOperation(String text) {
    return text.indexOf('=') >= 0;
  }

  /** Above 0. */
  public static double number(String option, String text) {
    double value;
    try {
      value = Double.parseDouble(text.replace("_", ""));
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    if (!(value > 0) || value > 1e9) {
      throw wrong(option, text, "a number above 0");
    }
    return value;
  }

  public static Duration duration(String option, String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw wrong(option, text, "a time such as 500ms, 10s or 2m");
    }
    String unit = matcher.group(2) == null ? "s" : matcher.group(2);
    double seconds =
        Double.parseDouble(matcher.group(1))
            * switch (unit) {
              case "ms" -> 0.001;
              case "m" -> 60;
              default -> 1;
            };
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private static IllegalArgumentException wrong(String option, String value, String expected) {
    return new IllegalArgumentException(option + ": " + value + " (expected: " + expected + ")");
  }
}
