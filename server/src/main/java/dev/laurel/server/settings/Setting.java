package dev.laurel.server.settings;

import dev.laurel.core.store.ApiKey.Scope;
import dev.laurel.server.limits.TrustedProxies;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be configured: {@code port} is {@code --port} on the command line, {@code
 * LAUREL_PORT} in the environment and {@code port} in a file.
 *
 * @param defaultText what is parsed when no source has a value; null if there is no default
 * @param expected completes the sentence of a refusal: {@code (expected: 0..65535)}
 * @param secret never printed, neither its value nor a wrong one
 */
public record Setting<T>(
    String name,
    String label,
    List<String> envAliases,
    @Nullable String defaultText,
    String description,
    String expected,
    boolean secret,
    Function<String, T> parser) {

  public String env() {
    return "LAUREL_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  public String option() {
    return "--" + name;
  }

  /** Parses a value found in {@code source}, which the message of a refusal names. */
  T parse(String text, String source) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new SettingException(
          "%s: %s from %s (expected: %s)"
              .formatted(name, secret ? "(hidden)" : text, source, expected));
    }
  }

  /** Another name for the environment variable, for platforms that insist on theirs. */
  Setting<T> alias(String env) {
    return new Setting<>(
        name, label, List.of(env), defaultText, description, expected, secret, parser);
  }

  static Setting<Integer> integer(String name, String initial, int min, int max, String about) {
    return new Setting<>(
        name,
        "N",
        List.of(),
        initial,
        about,
        min + ".." + max,
        false,
        text -> {
          int value = Integer.parseInt(text.strip());
          if (value < min || value > max) {
            throw new IllegalArgumentException();
          }
          return value;
        });
  }

  /** Like {@link #integer}, but {@code auto} lets Laurel choose; it reads as 0. */
  static Setting<Integer> automatic(String name, int min, int max, String about) {
    return orWord(integer(name, "auto", min, max, about), "N", "auto", 0);
  }

  /** An hour of the day in UTC; {@code never} is -1. */
  static Setting<Integer> hour(String name, String initial, String about) {
    return orWord(integer(name, initial, 0, 23, about + ", in UTC"), "HOUR", "never", -1);
  }

  /** Seconds; {@code auto} is -1. */
  static Setting<Integer> automaticSeconds(String name, String about) {
    return orWord(integer(name, "auto", 0, 1_000_000_000, about), "SECONDS", "auto", -1);
  }

  /** The same setting, which also takes a word instead of a number. */
  private static Setting<Integer> orWord(
      Setting<Integer> number, String label, String word, int meaning) {
    return new Setting<>(
        number.name,
        label,
        number.envAliases,
        number.defaultText,
        number.description,
        word + ", or " + number.expected,
        false,
        text -> text.strip().equals(word) ? meaning : number.parser.apply(text));
  }

  /** Whether the name alone, as an option, says it all. */
  public boolean isSwitch() {
    return defaultText != null && defaultText.equals("false");
  }

  static Setting<Boolean> bool(String name, boolean initial, String about) {
    return new Setting<>(
        name,
        "true|false",
        List.of(),
        Boolean.toString(initial),
        about,
        "true or false",
        false,
        text ->
            switch (text.strip()) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException(text);
            });
  }

  static Setting<String> text(String name, String label, @Nullable String initial, String about) {
    return new Setting<>(
        name, label, List.of(), initial, about, "some text", false, Setting::notBlank);
  }

  static Setting<String> secret(String name, int minLength, String about) {
    return new Setting<>(
        name,
        "SECRET",
        List.of(),
        null,
        about,
        "at least " + minLength + " visible ASCII characters",
        true,
        text -> {
          if (text.length() < minLength || !text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException();
          }
          return text;
        });
  }

  static <E extends Enum<E>> Setting<E> choice(
      String name, Class<E> type, E initial, String about) {
    String choices =
        String.join("|", List.of(type.getEnumConstants()).stream().map(Setting::lower).toList());
    return new Setting<>(
        name,
        choices,
        List.of(),
        lower(initial),
        about,
        choices,
        false,
        text -> {
          for (E value : type.getEnumConstants()) {
            if (lower(value).equals(text.strip())) {
              return value;
            }
          }
          throw new IllegalArgumentException();
        });
  }

  /**
   * A length of time as ISO 8601 has it, in milliseconds; {@code never} is the longest there is.
   */
  static Setting<Long> time(String name, String initial, String about) {
    return time(name, initial, Duration.ZERO, about);
  }

  static Setting<Long> time(String name, String initial, Duration least, String about) {
    return new Setting<>(
        name,
        "TIME",
        List.of(),
        initial,
        about,
        "never, or a length of time such as P30D or PT1H"
            + (least.isZero() ? "" : ", at least " + least),
        false,
        text -> {
          if (text.strip().equals("never")) {
            return Long.MAX_VALUE;
          }
          try {
            Duration time = Duration.parse(text.strip());
            if (time.compareTo(least) >= 0) {
              return time.toMillis();
            }
          } catch (DateTimeParseException | ArithmeticException e) {
            // Refused below, like one that is too short.
          }
          throw new IllegalArgumentException(text);
        });
  }

  /** {@code read,ingest}; {@code none} by default. */
  static Setting<Set<Scope>> scopes(String name, String about) {
    return new Setting<>(
        name,
        "SCOPES",
        List.of(),
        "none",
        about,
        "none, read, ingest, or read,ingest",
        false,
        text ->
            switch (text.replace(" ", "")) {
              case "none" -> Set.of();
              case "read" -> Set.of(Scope.READ);
              case "ingest" -> Set.of(Scope.INGEST);
              case "read,ingest", "ingest,read" -> Set.of(Scope.READ, Scope.INGEST);
              default -> throw new IllegalArgumentException(text);
            });
  }

  /** {@code 127.0.0.1,10.0.0.0/8}; {@code none} by default. */
  static Setting<TrustedProxies> proxies(String name, String about) {
    return new Setting<>(
        name,
        "ADDRESSES",
        List.of(),
        "none",
        about,
        "none, or addresses and networks such as 127.0.0.1,10.0.0.0/8",
        false,
        text -> TrustedProxies.parse(text.strip().equals("none") ? "" : text));
  }

  private static String notBlank(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException();
    }
    return text.strip();
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
