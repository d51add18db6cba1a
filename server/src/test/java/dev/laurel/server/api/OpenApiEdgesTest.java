package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.api.OpenApiFile.Operation;
import dev.laurel.server.api.OpenApiFile.Parameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What openapi.yaml allows is taken, and what it does not is refused: bodies, fields and parameters
 * are made from it, at the edges of what they may be.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiEdgesTest {
  /** Parameters that name something, which is there or not. */
  private static final Set<String> NAMES =
      Set.of(
          "UUID",
          "tenant",
          "period",
          "instanceId",
          "configId",
          "deliveryId",
          "seasonId",
          "podId",
          "schemaVersion",
          "topic",
          "board");

  private final DescribedServer described = new DescribedServer();

  @AfterAll
  void stop() {
    described.close();
  }

  @Test
  void everyBody_thatIsNotJson_isRefused() {
    for (Operation operation : described.file.operations()) {
      Api api = described.caller(operation);
      String url = described.url(operation, Map.of());
      if (!operation.hasBody()) {
        api.raw(operation.method(), url, "{}").refused(400, "VALIDATION_ERROR");
        continue;
      }
      String malformed = operation.isGame() ? "VALIDATION_ERROR" : "MALFORMED_JSON";
      for (String body : List.of("{", "{\"a\":1,}", "{'a':1}", "nope", "{} {}")) {
        api.raw(operation.method(), url, body).refused(400, malformed);
      }
      for (String body : List.of("[]", "5", "null", "\"x\"")) {
        api.raw(operation.method(), url, body).refused(400, "VALIDATION_ERROR");
      }
      api.raw(operation.method(), url, null).refused(400, "VALIDATION_ERROR");
      for (String type :
          List.of("text/plain", "application/xml", "application/json;charset=latin1")) {
        api.raw(operation.method(), url, "{}", "Content-Type", type)
            .refused(415, "UNSUPPORTED_MEDIA_TYPE");
      }
      api.raw(operation.method(), url, "{\"a\":\"" + "x".repeat(1_100_000) + "\"}")
          .refused(413, "BODY_TOO_LARGE");
    }
  }

  @Test
  void everyBody_withAnUnknownField_is400AndNamesIt() {
    for (Operation operation : described.file.operations()) {
      if (operation.hasBody()) {
        Map<String, Object> body = new LinkedHashMap<>(operation.bodyExample());
        body.put("nosuch", 1);
        assertThat(
                described
                    .send(described.caller(operation), operation, described.fresh(operation), body)
                    .refused(400, operation.isGame() ? "VALIDATION_ERROR" : "UNKNOWN_FIELD")
                    .message())
            .contains("nosuch");
      }
    }
  }

  @Test
  void everyBody_withoutARequiredField_is400AndNamesIt() {
    for (Operation operation : described.file.operations()) {
      for (Object name : OpenApiFile.list(operation.body().get("required"))) {
        Map<String, Object> body = new LinkedHashMap<>(operation.bodyExample());
        body.remove(String.valueOf(name));
        assertThat(
                described
                    .send(described.caller(operation), operation, described.fresh(operation), body)
                    .refused(400, "VALIDATION_ERROR")
                    .message())
            .contains(String.valueOf(name));
      }
    }
  }

  @Test
  void everyParameter_atItsEdges_isTakenOrRefused() {
    for (Operation operation : described.file.answers()) {
      for (Parameter parameter : operation.in("query")) {
        if (parameter.name().equals("cursor")) {
          // Only the server can make one; see RankingApiTest.
          continue;
        }
        for (Object value : SchemaEdges.valid(parameter.schema())) {
          if (!NAMES.contains(parameter.name())
              && !Set.of("season", "version").contains(parameter.name())) {
            one(operation, parameter, value, 200);
          }
        }
        for (Object value : SchemaEdges.invalid(parameter.schema(), false)) {
          // What cannot be is not there.
          one(operation, parameter, value, NAMES.contains(parameter.name()) ? 404 : 400);
        }
      }
      for (Parameter parameter : operation.in("path")) {
        for (Object value : SchemaEdges.invalid(parameter.schema(), false)) {
          boolean named = NAMES.contains(parameter.name());
          one(operation, parameter, value, value.equals("") || named ? 404 : 400);
        }
      }
    }
  }

  private void one(Operation operation, Parameter parameter, Object value, int expected) {
    Answer answer =
        described.send(
            described.caller(operation),
            operation,
            Map.of(parameter.name(), String.valueOf(value)),
            operation.bodyExample());
    // A tenant that is not there has no boards, and no games, which are empty ones.
    boolean empty =
        parameter.name().equals("tenant")
            && List.of("gameLeaderboard", "listLeaderboards").contains(operation.id());
    // A user may not know which boards there are.
    boolean hidden = parameter.name().equals("board") && operation.id().equals("ownScore");
    assertThat(answer.status())
        .as(operation + " " + parameter.name() + "=" + value + ": " + answer)
        .isEqualTo(empty ? 200 : hidden ? 403 : expected);
  }

  @Test
  void everyField_atItsEdges_isTakenOrRefused() {
    int before = Contract.checked();
    for (Operation operation : described.file.operations()) {
      described
          .file
          .properties(operation.body())
          .forEach(
              (name, schema) -> {
                for (Object value :
                    names(operation, name) ? List.of() : SchemaEdges.valid(schema)) {
                  Answer answer = field(operation, name, value);
                  assertThat(answer.status())
                      .as(operation + " " + name + "=" + value + ": " + answer)
                      .isIn(200, 201, 409, 422);
                }
                // What has no type is not looked at.
                for (Object value :
                    schema.containsKey("type") ? SchemaEdges.invalid(schema, true) : List.of()) {
                  field(operation, name, value).is(400);
                }
              });
    }
    assertThat(Contract.checked() - before).isGreaterThan(200);
  }

  /** Whether a field names something else, which a made-up value does not. */
  private static boolean names(Operation operation, String field) {
    if (operation.id().equals("putWindow")) {
      return true; // which fields a window has depends on its schedule
    }
    return switch (field) {
      case "tenantId" -> !operation.id().equals("createTenant");
      case "topicName" -> !operation.id().equals("createTopic");
      case "leaderboardConfigId", "features", "topic", "action_type" -> true;
      case "schemaVersion" -> operation.id().equals("trySchema");
      // Also: what is more than its characters.
      case "url", "secret", "jwksUrl", "jwks", "idempotency_key" -> true;
      case "UUID" -> List.of("createWebhook", "changeWebhook", "check").contains(operation.id());
      // One of them at a time.
      case "line", "awardId", "userId", "source" ->
          List.of("revert", "reportAnomaly").contains(operation.id());
      // Some of the edges are before the example's start.
      case "endTime" -> operation.id().endsWith("Config");
      default -> false;
    };
  }

  private Answer field(Operation operation, String name, Object value) {
    Map<String, Object> body = new LinkedHashMap<>(operation.bodyExample());
    if (body.containsKey("UUID")) {
      body.put("UUID", described.unused("edge"));
    }
    if (operation.id().equals("createTopic") || operation.id().equals("createConfig")) {
      body.put("topicName", described.topic(operation.id().equals("createConfig")));
    }
    if (operation.id().equals("createTenant")) {
      body.put("tenantId", described.unused("tenant"));
    }
    body.put(name, value);
    return described.send(described.caller(operation), operation, described.fresh(operation), body);
  }
}
