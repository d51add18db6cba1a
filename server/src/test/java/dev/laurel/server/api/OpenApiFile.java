package dev.laurel.server.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** openapi.yaml as the source of requests. */
final class OpenApiFile {
  private final Map<String, Object> root =
      map(new Load(LoadSettings.builder().build()).loadFromString(Contract.text()));

  /** A parameter of a path, query or header. */
  record Parameter(
      String name,
      String in,
      boolean required,
      Map<String, Object> schema,
      @Nullable Object example) {}

  /**
   * @param body the schema of its body; empty if it has none
   * @param statuses those it documents
   */
  record Operation(
      String id,
      String method,
      String path,
      List<Parameter> parameters,
      Map<String, Object> body,
      Map<String, Object> bodyExample,
      Set<String> statuses,
      Security security) {
    boolean hasBody() {
      return !body.isEmpty();
    }

    /** A write takes an idempotency key; what only asks does not. */
    boolean isWrite() {
      return parameters.stream().anyMatch(p -> p.name().equals("Idempotency-Key"));
    }

    boolean isGame() {
      return path.startsWith("/v1/games");
    }

    List<Parameter> in(String place) {
      return parameters.stream().filter(p -> p.in().equals(place)).toList();
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  /** Whether a key is needed, or the token of a user. */
  enum Security {
    KEY,
    TOKEN,
    KEY_OR_NONE,
    NONE
  }

  /** Those whose answers have an end. */
  List<Operation> answers() {
    return operations().stream().filter(o -> !o.id().startsWith("stream")).toList();
  }

  List<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    map(root.get("paths"))
        .forEach(
            (path, item) ->
                map(item)
                    .forEach(
                        (method, operation) -> {
                          if (!method.equals("parameters")) {
                            List<Parameter> shared = parameters(map(item));
                            all.add(operation(path, method, map(operation), shared));
                          }
                        }));
    return all;
  }

  private Operation operation(
      String path, String method, Map<String, Object> operation, List<Parameter> shared) {
    List<Parameter> parameters = new ArrayList<>(shared);
    parameters.addAll(parameters(operation));
    Map<String, Object> content =
        map(map(map(operation.get("requestBody")).get("content")).get("application/json"));
    return new Operation(
        String.valueOf(operation.get("operationId")),
        method.toUpperCase(Locale.ROOT),
        path,
        parameters,
        resolve(content.get("schema")),
        map(content.get("example")),
        map(operation.get("responses")).keySet(),
        security(operation));
  }

  private static Security security(Map<String, Object> operation) {
    Object own = operation.get("security");
    if (own == null) {
      return Security.KEY;
    }
    return list(own).isEmpty()
        ? Security.NONE
        : list(own).size() == 1 ? Security.TOKEN : Security.KEY_OR_NONE;
  }

  private List<Parameter> parameters(Map<String, Object> owner) {
    List<Parameter> all = new ArrayList<>();
    for (Object each : list(owner.get("parameters"))) {
      Map<String, Object> parameter = resolve(each);
      Map<String, Object> schema = resolve(parameter.get("schema"));
      all.add(
          new Parameter(
              String.valueOf(parameter.get("name")),
              String.valueOf(parameter.get("in")),
              Boolean.TRUE.equals(parameter.get("required")),
              schema,
              parameter.getOrDefault("example", schema.get("default"))));
    }
    return all;
  }

  /** The schemas of an object's properties. */
  Map<String, Map<String, Object>> properties(Map<String, Object> schema) {
    Map<String, Map<String, Object>> all = new LinkedHashMap<>();
    map(schema.get("properties")).forEach((name, property) -> all.put(name, resolve(property)));
    return all;
  }

  /** Every object schema in the file, wherever it stands. */
  List<Map<String, Object>> objectSchemas() {
    List<Map<String, Object>> found = new ArrayList<>();
    collect(root, found);
    return found;
  }

  private static void collect(@Nullable Object node, List<Map<String, Object>> found) {
    if (node instanceof Map) {
      Map<String, Object> map = map(node);
      if ("object".equals(map.get("type")) && map.containsKey("properties")) {
        found.add(map);
      }
      map.values().forEach(child -> collect(child, found));
    } else if (node instanceof List) {
      list(node).forEach(child -> collect(child, found));
    }
  }

  private Map<String, Object> resolve(@Nullable Object node) {
    Map<String, Object> found = map(node);
    while (found.get("$ref") instanceof String ref) {
      Map<String, Object> at = root;
      for (String step : ref.substring(2).split("/", -1)) {
        at = map(at.get(step));
      }
      found = at;
    }
    return found;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(@Nullable Object node) {
    return node == null ? Map.of() : (Map<String, Object>) node;
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(@Nullable Object node) {
    return node == null ? List.of() : (List<Object>) node;
  }
}
