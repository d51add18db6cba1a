package dev.laurel.server.api;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Makes what somebody might send of what should be sent. For one thread. */
final class Mutations {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** As JSON writes them. */
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "[]",
          "{}",
          "\"\"",
          "0",
          "-0.0",
          "1e400",
          "-1e-400",
          "1E+2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "0.00000000000000000000000000000001",
          "9".repeat(2000),
          "1." + "3".repeat(2000),
          "NaN",
          "01",
          "\"\\ud800\"",
          "\"\\u0000\"",
          "\"\\u202e\ud83c\udfc6e\u0301\"",
          "\"" + "x".repeat(5000) + "\"",
          "\"" + "\u20ac".repeat(129) + "\"",
          "\"2026-13-45T99:99:99Z\"",
          "\"+292278994-08-17T07:12:55.807Z\"",
          "\"-999999999-01-01T00:00:00Z\"",
          "\"P999999999999Y\"",
          "\"0 0 0 31 2 ?\"",
          "\"* * * * * *\"",
          "\"https://[::1\"",
          "\"${jndi:ldap://x}\"",
          "\"#{T(Runtime)}\"",
          "\"'; DROP TABLE boards; --\"",
          "[".repeat(3000) + "]".repeat(3000),
          "{\"a\":".repeat(2000) + "1" + "}".repeat(2000),
          "[" + "1,".repeat(5000) + "1]",
          "[null,[null,{}],\"\"]");

  /** For paths, queries and headers, not encoded yet. */
  private static final List<String> TEXTS =
      List.of(
          "0",
          "1",
          "-1",
          "2147483648",
          "9223372036854775807",
          "99999999999999999999",
          "1e3",
          "x",
          "global",
          "solo",
          "ann",
          "acme",
          "current",
          "previous",
          "daily",
          "..",
          "%",
          "a/b",
          "a b",
          "\u00e9\ud83c\udfc6",
          "\u0000",
          "\ufffe",
          "null",
          "true",
          "2026-01-01T00:00:00Z",
          "+999999999-12-31T23:59:59Z",
          "' OR 1=1 --",
          "{\"a\":1}",
          "*",
          "x".repeat(3000));

  private final Random random;

  Mutations(Random random) {
    this.random = random;
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  /** The text itself, or something else. */
  String text(Object good) {
    return oneIn(5) ? any(TEXTS) : String.valueOf(good);
  }

  /** Percent-encoded as it should be; or hardly. */
  String encoded(String text) {
    return switch (random.nextInt(60)) {
      case 0 -> "%zz";
      case 1 -> "%c0%af%ed%a0%80";
      case 2 -> text.replaceAll("[^!-~]", "").replace(' ', '+');
      default -> Api.path(text);
    };
  }

  /** A body like the example. */
  byte[] body(Map<String, Object> example) {
    String json = oneIn(4) ? JSON.writeValueAsString(example) : write(example, 0);
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return switch (random.nextInt(24)) {
      case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
      case 1 -> spoilt(bytes);
      case 2 -> any(VALUES).getBytes(StandardCharsets.UTF_8);
      case 3 -> (json + json).getBytes(StandardCharsets.UTF_8);
      case 4 -> json.getBytes(StandardCharsets.UTF_16);
      case 5 -> ("\ufeff" + json).getBytes(StandardCharsets.UTF_8);
      case 6 -> oneIn(8) ? new byte[200_000] : new byte[0];
      default -> bytes;
    };
  }

  private byte[] spoilt(byte[] bytes) {
    byte[] other = bytes.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      other[random.nextInt(other.length)] = (byte) random.nextInt(256);
    }
    return other;
  }

  private String write(@Nullable Object value, int depth) {
    if (depth > 0 && oneIn(12)) {
      return any(VALUES);
    }
    if (value instanceof Map) {
      List<String> fields = new ArrayList<>();
      OpenApiFile.map(value)
          .forEach(
              (name, field) -> {
                String written = JSON.writeValueAsString(name) + ":";
                if (!oneIn(20)) {
                  fields.add(written + write(field, depth + 1));
                }
                if (oneIn(30)) {
                  fields.add(written + any(VALUES));
                }
              });
      if (oneIn(20)) {
        fields.add("\"surplus\":" + any(VALUES));
      }
      return "{" + String.join(",", fields) + "}";
    }
    if (value instanceof List) {
      List<String> elements = new ArrayList<>();
      OpenApiFile.list(value).forEach(element -> elements.add(write(element, depth + 1)));
      if (oneIn(6)) {
        elements.addAll(List.copyOf(elements));
      }
      return "[" + String.join(",", elements) + "]";
    }
    return JSON.writeValueAsString(value);
  }
}
