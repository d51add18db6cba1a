package dev.laurel.server.sdk;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Writes the types of the TypeScript client from openapi.yaml: its schemas, what each operation
 * takes and answers, and how it is called. As much of OpenAPI as the file uses.
 */
final class TypeScriptTypes {
  private static final String JSON = "application/json";

  private final Map<String, Object> root;
  private final StringBuilder out = new StringBuilder();

  TypeScriptTypes(String yaml) {
    this.root = map(new Load(LoadSettings.builder().build()).loadFromString(yaml));
  }

  String write() {
    line(
        "// Made from openapi.yaml by the server's tests (TypeScriptTypes): change that file, not this one.");
    line("");
    Map<String, Object> schemas = map(map(root.get("components")).get("schemas"));
    for (Entry<String, Object> schema : schemas.entrySet()) {
      line("export type " + schema.getKey() + " = " + type(map(schema.getValue()), "") + ";");
      line("");
    }
    List<String> table = new ArrayList<>();
    line("/** What each operation takes and answers, by its operationId. */");
    line("export interface Operations {");
    for (Entry<String, Object> path : map(root.get("paths")).entrySet()) {
      List<Object> shared = list(map(path.getValue()).get("parameters"));
      for (Entry<String, Object> operation : map(path.getValue()).entrySet()) {
        if (!operation.getKey().equals("parameters")) {
          write(path.getKey(), operation.getKey(), map(operation.getValue()), shared, table);
        }
      }
    }
    line("}");
    line("");
    line("interface Operation {");
    line("  method: string;");
    line("  path: string;");
    line("  query: readonly string[];");
    line("  isWrite: boolean;");
    line("}");
    line("");
    line("export const OPERATIONS: Record<keyof Operations, Operation> = {");
    table.forEach(this::line);
    line("};");
    return out.toString();
  }

  private void write(
      String path,
      String method,
      Map<String, Object> operation,
      List<Object> shared,
      List<String> table) {
    String answer = answer(operation);
    if (answer == null) {
      return;
    }
    Map<String, String> input = new LinkedHashMap<>();
    List<String> query = new ArrayList<>();
    boolean isWrite = false;
    List<Object> parameters = new ArrayList<>(shared);
    parameters.addAll(list(operation.get("parameters")));
    for (Object each : parameters) {
      Map<String, Object> parameter = resolved(map(each));
      String name = String.valueOf(parameter.get("name"));
      boolean inQuery = "query".equals(parameter.get("in"));
      isWrite |= name.equals("Idempotency-Key");
      if (inQuery || "path".equals(parameter.get("in"))) {
        boolean required = Boolean.TRUE.equals(parameter.get("required"));
        input.put(name + (required ? "" : "?"), type(map(parameter.get("schema")), "    "));
      }
      if (inQuery) {
        query.add("\"" + name + "\"");
      }
    }
    Map<String, Object> body = map(map(map(operation.get("requestBody")).get("content")).get(JSON));
    if (!body.isEmpty()) {
      input.put("body", type(map(body.get("schema")), "    "));
    }
    String id = String.valueOf(operation.get("operationId"));
    line("  /** " + operation.get("summary") + " */");
    line("  " + id + ": {");
    line("    input: " + object(input, "    ") + ";");
    line("    answer: " + answer + ";");
    line("  };");
    table.add(
        "  %s: { method: \"%s\", path: \"%s\", query: [%s], isWrite: %s },"
            .formatted(
                id,
                method.toUpperCase(java.util.Locale.ROOT),
                path,
                String.join(", ", query),
                isWrite));
  }

  /** What comes with any status of success; null for a stream, which is not one answer. */
  private @Nullable String answer(Map<String, Object> operation) {
    List<String> types = new ArrayList<>();
    for (Entry<String, Object> response : map(operation.get("responses")).entrySet()) {
      Map<String, Object> content = map(resolved(map(response.getValue())).get("content"));
      if (!response.getKey().startsWith("2")) {
        continue;
      }
      if (content.containsKey("text/event-stream")) {
        return null;
      }
      String type =
          content.containsKey(JSON)
              ? type(map(map(content.get(JSON)).get("schema")), "    ")
              : "string";
      if (!types.contains(type)) {
        types.add(type);
      }
    }
    return types.isEmpty() ? null : String.join(" | ", types);
  }

  private String type(Map<String, Object> schema, String indent) {
    String type = plainType(schema, indent);
    return Boolean.TRUE.equals(schema.get("nullable")) ? type + " | null" : type;
  }

  private String plainType(Map<String, Object> schema, String indent) {
    if (schema.get("$ref") instanceof String reference) {
      return reference.substring(reference.lastIndexOf('/') + 1);
    }
    for (String choice : List.of("oneOf", "anyOf")) {
      if (schema.containsKey(choice)) {
        return String.join(
            " | ", list(schema.get(choice)).stream().map(s -> type(map(s), indent)).toList());
      }
    }
    if (schema.containsKey("allOf")) {
      return String.join(
          " & ", list(schema.get("allOf")).stream().map(s -> type(map(s), indent)).toList());
    }
    if (schema.containsKey("enum")) {
      return String.join(
          " | ",
          list(schema.get("enum")).stream()
              .map(v -> v instanceof String ? "\"" + v + "\"" : String.valueOf(v))
              .toList());
    }
    return switch (String.valueOf(schema.get("type"))) {
      case "string" -> "string";
      case "integer", "number" -> "number";
      case "boolean" -> "boolean";
      case "array" -> "Array<" + type(map(schema.get("items")), indent) + ">";
      case "object" -> fields(schema, indent);
      default -> "unknown";
    };
  }

  private String fields(Map<String, Object> schema, String indent) {
    Map<String, Object> properties = map(schema.get("properties"));
    if (properties.isEmpty()) {
      Map<String, Object> others = map(schema.get("additionalProperties"));
      return "Record<string, " + (others.isEmpty() ? "unknown" : type(others, indent)) + ">";
    }
    List<Object> required = list(schema.get("required"));
    Map<String, String> fields = new LinkedHashMap<>();
    properties.forEach(
        (name, value) ->
            fields.put(
                name + (required.contains(name) ? "" : "?"), type(map(value), indent + "  ")));
    return object(fields, indent);
  }

  private static String object(Map<String, String> fields, String indent) {
    if (fields.isEmpty()) {
      return "Record<string, never>";
    }
    StringBuilder text = new StringBuilder("{\n");
    fields.forEach(
        (name, type) ->
            text.append(indent)
                .append("  ")
                .append(name.matches("\\w+\\??") ? name : quoted(name))
                .append(": ")
                .append(type)
                .append(";\n"));
    return text.append(indent).append("}").toString();
  }

  private static String quoted(String name) {
    return name.endsWith("?")
        ? "\"" + name.substring(0, name.length() - 1) + "\"?"
        : "\"" + name + "\"";
  }

  private Map<String, Object> resolved(Map<String, Object> node) {
    if (!(node.get("$ref") instanceof String reference)) {
      return node;
    }
    Object at = root;
    for (String step : reference.substring(2).split("/")) {
      at = map(at).get(step);
    }
    return map(at);
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  @SuppressWarnings("unchecked") // YAML has no other keys here
  private static Map<String, Object> map(@Nullable Object node) {
    return node instanceof Map ? (Map<String, Object>) node : Map.of();
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(@Nullable Object node) {
    return node instanceof List ? (List<Object>) node : List.of();
  }
}
