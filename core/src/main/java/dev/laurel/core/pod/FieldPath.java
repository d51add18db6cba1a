package dev.laurel.core.pod;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where in an event a value is: {@code user.id}, {@code items[0].score}. A field of the event whose
 * whole name is the path comes first, so that names with dots can be mapped too.
 */
public final class FieldPath {
  public static final int MAX_LENGTH = 256;
  public static final String EXPECTED =
      "names separated by dots, with indexes like items[0], of at most 256 characters";

  private final String text;

  /** Names (String) and indexes (Integer). */
  private final List<Object> steps;

  private FieldPath(String text, List<Object> steps) {
    this.text = text;
    this.steps = steps;
  }

  /** Null if it is none. */
  public static @Nullable FieldPath parse(String text) {
    if (text.codePointCount(0, text.length()) > MAX_LENGTH) {
      return null;
    }
    List<Object> steps = new ArrayList<>();
    for (String part : text.split("\\.", -1)) {
      int bracket = part.indexOf('[');
      String name = bracket < 0 ? part : part.substring(0, bracket);
      if (name.isBlank() || name.indexOf(']') >= 0) {
        return null;
      }
      steps.add(name);
      while (bracket >= 0) {
        int end = part.indexOf(']', bracket);
        String digits = end < 0 ? "" : part.substring(bracket + 1, end);
        if (digits.isEmpty()
            || digits.length() > 6
            || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
          return null;
        }
        steps.add(Integer.parseInt(digits));
        bracket = end + 1 < part.length() ? end + 1 : -1;
        if (bracket >= 0 && part.charAt(bracket) != '[') {
          return null;
        }
      }
    }
    return new FieldPath(text, List.copyOf(steps));
  }

  /** The value there; null if there is none. */
  @Nullable Object find(Map<String, @Nullable Object> event) {
    Object whole = event.get(text);
    if (whole != null) {
      return whole;
    }
    Object value = event;
    for (Object step : steps) {
      value = child(value, step);
      if (value == null) {
        return null;
      }
    }
    return value;
  }

  /**
   * Takes the value out. Elements of lists become null, so that the others keep their places; an
   * object that has nothing left goes with its last field.
   *
   * @param event whose outermost map is changed; what is in it is copied where it changes
   */
  void removeFrom(Map<String, @Nullable Object> event) {
    if (event.get(text) != null) {
      event.remove(text);
      return;
    }
    String first = (String) steps.getFirst();
    Object value = event.get(first);
    if (value != null) {
      put(event, first, without(value, 1));
    }
  }

  private static void put(
      Map<String, @Nullable Object> object, String name, @Nullable Object value) {
    if (value == null) {
      object.remove(name);
    } else {
      object.put(name, value);
    }
  }

  /** Null if nothing is left. */
  private @Nullable Object without(@Nullable Object value, int depth) {
    if (depth == steps.size()) {
      return null;
    }
    Object step = steps.get(depth);
    Object child = child(value, step);
    if (child == null) {
      return value;
    }
    Object left = without(child, depth + 1);
    if (step instanceof Integer index) {
      List<@Nullable Object> copy = new ArrayList<>(list(value));
      copy.set(index, left);
      return copy;
    }
    Map<String, @Nullable Object> copy = new LinkedHashMap<>(object(value));
    put(copy, (String) step, left);
    return copy.isEmpty() ? null : copy;
  }

  private static @Nullable Object child(@Nullable Object value, Object step) {
    if (step instanceof Integer index) {
      return value instanceof List<?> list && index < list.size() ? list.get(index) : null;
    }
    return value instanceof Map<?, ?> map ? map.get(step) : null;
  }

  @SuppressWarnings("unchecked") // trees are read from JSON: every map in them is of this kind
  private static Map<String, @Nullable Object> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
  }

  @SuppressWarnings("unchecked") // likewise
  private static List<@Nullable Object> list(@Nullable Object value) {
    return value instanceof List<?> list ? (List<@Nullable Object>) list : List.of();
  }

  @Override
  public String toString() {
    return text;
  }
}
