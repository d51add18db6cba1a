package dev.laurel.server.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Values at and just beyond the edges of a schema, made from the schema. */
final class SchemaEdges {
  private SchemaEdges() {}

  static List<Object> valid(Map<String, Object> schema) {
    List<Object> values = new ArrayList<>();
    if (schema.get("enum") != null) {
      values.addAll(OpenApiFile.list(schema.get("enum")));
      return values;
    }
    switch (String.valueOf(schema.get("type"))) {
      case "integer" -> {
        values.add(number(schema, "minimum", 0));
        values.add(number(schema, "maximum", 7));
      }
      case "number" -> values.addAll(List.of(0, 1500.5, 1e3));
      case "string" -> strings(schema, values);
      case "object" -> {
        if (schema.get("required") == null && schema.get("minProperties") == null) {
          values.add(Map.of());
        }
      }
      default -> {}
    }
    return values;
  }

  private static void strings(Map<String, Object> schema, List<Object> values) {
    if ("date-time".equals(schema.get("format"))) {
      values.addAll(
          List.of("2026-01-15T10:30:00Z", "2026-01-15T10:30:00.123456+02:00", "1970-01-01T00:00Z"));
      return;
    }
    int max = (int) longest(schema);
    values.add("x");
    values.add("x".repeat(max));
    if (schema.get("pattern") == null) {
      // Characters, not UTF-16 units.
      values.add("\uD83C\uDFC6".repeat(max));
    }
  }

  /** Of the right type but outside; and of every other type, if those can be told apart. */
  static List<Object> invalid(Map<String, Object> schema, boolean typed) {
    List<Object> values = new ArrayList<>();
    String type = String.valueOf(schema.get("type"));
    if (schema.get("enum") != null) {
      values.addAll(type.equals("integer") ? List.of(0, 11) : List.of("", "none-of-them"));
    } else if (type.equals("integer")) {
      values.add(number(schema, "minimum", 0) - 1);
      values.add(
          schema.get("maximum") == null
              ? (Object) "9223372036854775808"
              : number(schema, "maximum", 0) + 1);
      values.addAll(List.of(1.5, "x", "", " 1", "0x1"));
    } else if (type.equals("string") && "date-time".equals(schema.get("format"))) {
      values.addAll(
          List.of("", "yesterday", "2026-01-15", "2026-02-30T00:00:00Z", "2026-01-15T10:30:00"));
    } else if (type.equals("string") && (schema.get("maxLength") != null || patterned(schema))) {
      if (!Integer.valueOf(0).equals(schema.get("minLength"))) {
        values.add("");
      }
      values.add("x".repeat((int) longest(schema) + 1));
      if (patterned(schema)) {
        values.add("\u00e9 /");
      }
      values.add(" ".repeat(patterned(schema) || "\\S".equals(schema.get("pattern")) ? 3 : 200));
    } else if (type.equals("array")) {
      if (number(schema, "minItems", 0) > 0) {
        values.add(List.of());
      }
      int over = (int) number(schema, "maxItems", 0) + 1;
      values.add(Collections.nCopies(over, Map.of("userId", "a", "score", 1)));
      values.add(Collections.nCopies(over, "read"));
    }
    if (typed) {
      values.addAll(wrongTypes(type));
    }
    return values;
  }

  private static boolean patterned(Map<String, Object> schema) {
    return schema.get("pattern") instanceof String pattern && pattern.startsWith("^");
  }

  private static List<Object> wrongTypes(String type) {
    List<Object> values = new ArrayList<>();
    if (!type.equals("boolean")) {
      values.add(true);
    }
    if (!type.equals("array")) {
      values.add(List.of("x"));
    }
    if (!type.equals("object")) {
      values.add(Map.of("a", 1));
    }
    if (!type.equals("string")) {
      values.add("5");
    }
    if (!type.equals("number") && !type.equals("integer")) {
      values.add(5);
    }
    return values;
  }

  private static long longest(Map<String, Object> schema) {
    if (schema.get("pattern") instanceof String pattern && pattern.endsWith("}$")) {
      String range = pattern.substring(pattern.lastIndexOf('{') + 1, pattern.length() - 2);
      return Long.parseLong(range.substring(range.indexOf(',') + 1));
    }
    return number(schema, "maxLength", 40);
  }

  private static long number(Map<String, Object> schema, String keyword, long otherwise) {
    return schema.get(keyword) instanceof Number number ? number.longValue() : otherwise;
  }
}
