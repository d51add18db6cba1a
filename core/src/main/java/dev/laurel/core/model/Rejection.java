package dev.laurel.core.model;

import java.util.Map;

/**
 * Why something was refused.
 *
 * @param message names the value and what was expected: {@code limit: 0 (expected: 1..1000)}
 * @param details for programs; values are strings, numbers, booleans, lists or maps
 */
public record Rejection(ErrorCode code, String message, Map<String, Object> details) {
  public static Rejection of(ErrorCode code, String message) {
    return new Rejection(code, message, Map.of());
  }

  public static Rejection of(ErrorCode code, String message, Map<String, Object> details) {
    return new Rejection(code, message, details);
  }

  /** The usual form: a name, the value it had, and what was expected. */
  public static Rejection invalid(String name, Object value, String expected) {
    return expectation(ErrorCode.VALIDATION_ERROR, name, value, expected);
  }

  public static Rejection expectation(ErrorCode code, String name, Object value, String expected) {
    String shown = shorten(String.valueOf(value));
    return new Rejection(
        code,
        name + ": " + shown + " (expected: " + expected + ")",
        Map.of("field", name, "expected", expected));
  }

  /** Hostile values are long and hold control characters; messages end up in logs and terminals. */
  private static String shorten(String value) {
    StringBuilder out = new StringBuilder(Math.min(value.length(), 80));
    for (int i = 0; i < value.length() && out.length() < 77; ) {
      int c = value.codePointAt(i);
      out.appendCodePoint(
          Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? '\uFFFD' : c);
      i += Character.charCount(c);
    }
    return out.length() >= 77 ? out.append("...").toString() : out.toString();
  }

  /** To leave a blocking handler; it becomes the envelope in one place. */
  public RejectedException asException() {
    return new RejectedException(this);
  }
}
