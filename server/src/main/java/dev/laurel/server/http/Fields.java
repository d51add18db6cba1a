package dev.laurel.server.http;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object read strictly: ask for each field by name and type, then call {@link #done}, which
 * refuses what nobody asked for. A field that is {@code null} counts as absent. Every refusal names
 * the field with its path, e.g. {@code scores[3].userId}.
 */
public final class Fields {
  private static final int MAX_NUMBER = 128;

  private final String path;
  private final Map<String, @Nullable Object> values;
  private final byte[] body;
  private final int from;
  private final int to;
  private final Set<String> asked = new HashSet<>();

  Fields(String path, Map<String, @Nullable Object> values, byte[] body, int from, int to) {
    this.path = path;
    this.values = values;
    this.body = body;
    this.from = from;
    this.to = to;
  }

  public boolean has(String name) {
    return take(name) != null;
  }

  /** Whether it is there and null, for the few fields where that means something. */
  public boolean isNull(String name) {
    return values.containsKey(name) && values.get(name) == null;
  }

  public String string(String name) {
    return required(name, optionalString(name), "a string");
  }

  public @Nullable String optionalString(String name) {
    Object value = take(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof String text)) {
      throw wrong(name, value, "a string");
    }
    if (!isWellFormed(text)) {
      throw wrong(name, "an unpaired surrogate", "a string of whole characters");
    }
    return text;
  }

  /** A number exactly as it was written, for {@link dev.laurel.core.model.Units#parse}. */
  public String number(String name) {
    return required(name, optionalNumber(name), "a number");
  }

  public @Nullable String optionalNumber(String name) {
    Object value = take(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof Json.NumberText number)) {
      throw wrong(name, value, "a number");
    }
    return number.text();
  }

  public int integer(String name, int absent, int min, int max) {
    String text = optionalNumber(name);
    if (text == null) {
      return absent;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      if (!text.matches("-?[0-9]+")) {
        // 1.5 may well be within the bounds.
        throw wrong(name, new Json.NumberText(text), "a whole number, " + min + ".." + max);
      }
    }
    throw wrong(name, new Json.NumberText(text), min + ".." + max);
  }

  public int requiredInteger(String name, int min, int max) {
    if (!has(name)) {
      throw wrong(name, "missing", min + ".." + max);
    }
    return integer(name, min, min, max);
  }

  public boolean bool(String name, boolean absent) {
    Object value = take(name);
    if (value == null) {
      return absent;
    }
    if (!(value instanceof Boolean flag)) {
      throw wrong(name, value, "true or false");
    }
    return flag;
  }

  public <E extends Enum<E>> E choice(String name, Class<E> type) {
    return required(name, optionalChoice(name, type), choices(type));
  }

  /** Enum constants, in upper case as they are written everywhere in the API. */
  public <E extends Enum<E>> @Nullable E optionalChoice(String name, Class<E> type) {
    Object value = take(name);
    if (value == null) {
      return null;
    }
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(value)) {
        return constant;
      }
    }
    throw wrong(name, value, choices(type));
  }

  public Fields object(String name) {
    return required(name, optionalObject(name), "an object");
  }

  public @Nullable Fields optionalObject(String name) {
    Object value = take(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof Fields fields)) {
      throw wrong(name, value, "an object");
    }
    return fields;
  }

  /** An object exactly as it was written, when only its size matters here. */
  public @Nullable String optionalRawObject(String name, int maxBytes) {
    Fields object = optionalObject(name);
    if (object == null) {
      return null;
    }
    int size = object.to - object.from;
    if (size > maxBytes) {
      throw wrong(name, size + " bytes", "at most " + maxBytes + " bytes");
    }
    return object.raw();
  }

  /** An array whose elements should be objects; null where one is not. */
  public List<@Nullable Fields> objectsOrNulls(String name, int min, int max) {
    String expected = "an array of " + min + ".." + max + " objects";
    Object value = take(name);
    if (!(value instanceof Json.Elements elements)) {
      throw wrong(name, value, expected);
    }
    int size = elements.values().size();
    if (size < min || size > max) {
      throw wrong(name, size + " elements", expected);
    }
    List<@Nullable Fields> objects = new ArrayList<>(size);
    for (Object element : elements.values()) {
      objects.add(element instanceof Fields fields ? fields : null);
    }
    return objects;
  }

  /** An array of objects. */
  public List<Fields> objects(String name, int min, int max) {
    List<Fields> objects = new ArrayList<>();
    for (Fields object : objectsOrNulls(name, min, max)) {
      if (object == null) {
        throw wrong(name, "an element that is no object", "an array of objects");
      }
      objects.add(object);
    }
    return objects;
  }

  /** An array of strings; empty if absent. */
  public List<String> strings(String name, int max) {
    String expected = "an array of at most " + max + " strings";
    Object value = take(name);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof Json.Elements elements) || elements.values().size() > max) {
      throw wrong(name, value, expected);
    }
    List<String> strings = new ArrayList<>(elements.values().size());
    for (Object element : elements.values()) {
      if (!(element instanceof String text) || !isWellFormed(text)) {
        throw wrong(name + "[" + strings.size() + "]", element, "a string");
      }
      strings.add(text);
    }
    return strings;
  }

  /** A field that is accepted and not looked at. */
  public void ignore(String name) {
    asked.add(name);
  }

  /** The names that are there, in the order they were written. */
  public Set<String> names() {
    return values.keySet();
  }

  /**
   * A value of any kind: String, Boolean, an exact Long or BigDecimal, null if it is absent; what
   * is none of these (an object, a list, a number of more digits than anybody means) is an object
   * of no use but to be refused.
   */
  public @Nullable Object value(String name) {
    Object value = take(name);
    if (!(value instanceof Json.NumberText(String text)) || text.length() > MAX_NUMBER) {
      return value;
    }
    try {
      return text.length() < 19 && text.chars().allMatch(c -> c >= '0' && c <= '9')
          ? (Object) Long.parseLong(text)
          : new BigDecimal(text);
    } catch (NumberFormatException e) {
      // An exponent that no decimal has.
      return value;
    }
  }

  /** The whole object as plain values: Map, List, String, BigDecimal, Boolean, null. */
  public Map<String, @Nullable Object> tree() {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    values.forEach((name, value) -> tree.put(name, plain(name, value)));
    return tree;
  }

  private @Nullable Object plain(String name, @Nullable Object value) {
    return switch (value) {
      case Fields fields -> fields.tree();
      case Json.Elements elements -> {
        List<@Nullable Object> list = new ArrayList<>(elements.values().size());
        elements.values().forEach(element -> list.add(plain(name, element)));
        yield list;
      }
      case Json.NumberText(String text) -> {
        try {
          yield new BigDecimal(text);
        } catch (NumberFormatException e) {
          // An exponent that no decimal has.
          throw Rejection.expectation(ErrorCode.MALFORMED_JSON, at(name), text, "a number")
              .asException();
        }
      }
      case String text when !isWellFormed(text) ->
          throw wrong(name, "an unpaired surrogate", "a string of whole characters");
      case null -> null;
      default -> value;
    };
  }

  /** Refuses the first field nobody asked for. */
  public void done() {
    for (String name : values.keySet()) {
      if (!asked.contains(name)) {
        throw Rejection.expectation(
                ErrorCode.UNKNOWN_FIELD,
                at(name),
                "unknown field",
                asked.isEmpty()
                    ? "no fields"
                    : "one of " + String.join(", ", asked.stream().sorted().toList()))
            .asException();
      }
    }
  }

  /** The whole object as it was written. */
  public String raw() {
    return new String(body, from, to - from, StandardCharsets.UTF_8);
  }

  /** To refuse a value this class cannot judge. */
  public RejectedException wrong(String name, @Nullable Object value, String expected) {
    return Rejection.invalid(at(name), describe(value), expected).asException();
  }

  private @Nullable Object take(String name) {
    asked.add(name);
    return values.get(name);
  }

  private <T> T required(String name, @Nullable T value, String expected) {
    if (value == null) {
      throw wrong(name, values.containsKey(name) ? "null" : "missing", expected);
    }
    return value;
  }

  private String at(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static String describe(@Nullable Object value) {
    return switch (value) {
      case null -> "missing";
      case Json.NumberText number -> number.text();
      case Json.Elements _ -> "an array";
      case Fields _ -> "an object";
      default -> value.toString();
    };
  }

  private static <E extends Enum<E>> String choices(Class<E> type) {
    List<String> names = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      names.add(constant.name().toUpperCase(Locale.ROOT));
    }
    return String.join(" | ", names);
  }

  /** A lone surrogate has no UTF-8: it would be stored as a question mark. */
  private static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (Character.isLowSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
