package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.server.Poll;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.api.OpenApiFile.Operation;
import dev.laurel.server.api.OpenApiFile.Parameter;
import dev.laurel.server.api.OpenApiFile.Security;
import dev.laurel.server.http.Access;
import dev.laurel.server.http.Body;
import dev.laurel.server.http.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.json.JsonMapper;

/**
 * openapi.yaml describes what is served, all of it and truthfully: requests are made from it, and
 * {@link Api} holds every answer against it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiTest {
  /** What others need comes first, what takes away comes last. */
  private static final List<String> FIRST =
      List.of(
          "createWebhook",
          "createLeaderboard",
          "putScore",
          "postScores",
          "postGameScore",
          "createKey",
          "createTopic",
          "createConfig",
          "changeConfigStatus",
          "postEvents",
          "createPod",
          "addSchema",
          "createIssuer",
          "putAwardRules",
          "award");

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

  private static final List<String> LAST =
      List.of("deleteUser", "revokeKey", "deleteWebhook", "deleteIssuer", "eraseUser", "eraseOwn");

  private final OpenApiFile file = new OpenApiFile();
  private final JsonMapper json = new JsonMapper();
  private final TestIssuer issuer = new TestIssuer();
  private int made;

  /** Values of path parameters that the server makes up. */
  private final Map<String, String> learned = new HashMap<>();

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api admin;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api user;

  /** Who may do everything there, or whom it is about. */
  private Api caller(Operation operation) {
    if (operation.id().equals("eraseOwn")) {
      return as("quitter"); // the other one is needed for more
    }
    return operation.security() == Security.TOKEN ? user : admin;
  }

  private Api as(String name) {
    return Api.anonymous(server).with("Authorization", "Bearer " + issuer.token(name));
  }

  /** Every operation once, with the file's own examples. */
  @BeforeAll
  void start() {
    server = TestServer.start(issuer.settings(), _ -> {});
    admin = Api.admin(server);
    user = as("user123");
    as("quitter").put("/v1/users/me/profile", "{}").is(200);
    learned.put("seasonId", archivedSeason());
    for (Operation operation : inOrder()) {
      if (operation.id().endsWith("Anomaly")) {
        learned.put("line", caught());
      }
      Answer answer = send(caller(operation), operation, Map.of(), operation.bodyExample());
      assertThat(answer.status()).as(operation + ": " + answer).isBetween(200, 299);
      if (operation.id().equals("createConfig")) {
        learned.put("configId", answer.at("/configId"));
      }
      if (operation.id().equals("createIssuer")) {
        learned.put("issuerId", answer.at("/issuerId"));
      }
      if (operation.id().equals("createWebhook")) {
        learned.put("webhookId", answer.at("/webhookId"));
      }
      if (operation.id().equals("createLeaderboard")) {
        learnDelivery();
        String seasons = Api.BOARDS + "/" + answer.at("/UUID") + "/seasons";
        learned.put("instanceId", admin.get(seasons).at("/seasons/0/instanceId"));
      }
    }
    send(admin, operation("putScore"), Map.of(), operation("putScore").bodyExample()).is(200);
    Operation webhook = operation("createWebhook");
    learned.put(
        "webhookId", send(admin, webhook, Map.of(), webhook.bodyExample()).at("/webhookId"));
    admin.board("heard-of");
    learnDelivery();
  }

  /** A board whose only season was over long ago, taken to the archive. */
  private String archivedSeason() {
    String board =
        admin.board(
            "over",
            "'startTime':'2020-01-01T00:00:00Z'",
            "'endTime':'2020-01-02T00:00:00Z'",
            "'windows':[{'schedule':'all-time','grace':'PT0S'}]");
    Poll.until(
        "the season is final",
        () -> admin.get(board + "/seasons").at("/seasons/0/final").equals("true"));
    String id = admin.get(board + "/seasons").at("/seasons/0/instanceId");
    admin.send("POST", "/api/v1/archives/" + id + "/run", null).is(202);
    Poll.until(
        "the season is archived",
        () -> admin.get("/api/v1/archives/" + id).at("/state").equals("ARCHIVED"));
    return id;
  }

  /** A score of the example's board that its guard caught. */
  private String caught() {
    String board = Api.BOARDS + "/monthly-challenge";
    admin
        .put(board + "/guard", "{'rules':[{'rule':'PER_HOUR','threshold':0,'outcome':'FLAG'}]}")
        .is(200);
    admin.score(board, "caught-" + made++, "'score':1").is(200);
    admin.put(board + "/guard", "{'rules':[]}").is(200);
    return admin.get(board + "/anomalies?state=open").is(200).at("/anomalies/0/line");
  }

  /** A new board starts its season, which is sent to the webhook. */
  private void learnDelivery() {
    Answer sent = send(admin, operation("listDeliveries"), Map.of(), null).is(200);
    learned.put("deliveryId", sent.at("/deliveries/0/deliveryId"));
  }

  @AfterAll
  void stop() {
    server.close();
    issuer.close();
  }

  private List<Operation> inOrder() {
    return file.answers().stream()
        .sorted(
            Comparator.comparingInt(
                o ->
                    FIRST.contains(o.id())
                        ? FIRST.indexOf(o.id())
                        : LAST.contains(o.id()) ? 99 : 50))
        .toList();
  }

  private Operation operation(String id) {
    return file.operations().stream().filter(o -> o.id().equals(id)).findFirst().orElseThrow();
  }

  private Answer send(
      Api caller, Operation operation, Map<String, String> values, @Nullable Object body) {
    String text = body == null ? null : json.writeValueAsString(body);
    if (text != null && learned.containsKey("configId")) {
      // The example's id stands for the one the server made up.
      text = text.replace("00000000-0000-4000-8000-000000000000", learned.get("configId"));
    }
    return caller.raw(
        operation.method(), url(operation, values), operation.hasBody() ? text : null);
  }

  /** With the examples of the parameters that are needed, and the values given. */
  private String url(Operation operation, Map<String, String> values) {
    String path = operation.path();
    StringBuilder query = new StringBuilder();
    for (Parameter parameter : operation.parameters()) {
      String value = values.get(parameter.name());
      if (value == null && parameter.required()) {
        value = learned.getOrDefault(parameter.name(), String.valueOf(parameter.example()));
      }
      if (value == null) {
        continue;
      }
      if (parameter.in().equals("path")) {
        path = path.replace("{" + parameter.name() + "}", Api.path(value));
      } else if (parameter.in().equals("query")) {
        query.append(query.isEmpty() ? "?" : "&").append(parameter.name()).append("=");
        query.append(Api.path(value));
      }
    }
    return path + query;
  }

  @Test
  void file_paths_areTheRouteTable() {
    List<String> described = new ArrayList<>();
    for (Operation o : file.operations()) {
      described.add(
          line(o.toString(), o.in("query").stream().map(Parameter::name).toList(), o.hasBody())
              + " "
              + o.security());
    }
    List<String> served = new ArrayList<>();
    for (Route route : server.laurel().routes().routes()) {
      if (!Contract.isPage(route.template())) {
        served.add(
            line(route.toString(), route.queries(), route.body() == Body.JSON)
                + " "
                + security(route.access()));
      }
    }
    assertThat(described).containsExactlyInAnyOrderElementsOf(served);
  }

  private static String line(String name, List<String> queries, boolean body) {
    return name + " ?" + new TreeSet<>(queries) + (body ? " with a body" : "");
  }

  private static Security security(Access access) {
    return switch (access) {
      case PUBLIC -> Security.NONE;
      case READ_OR_PUBLIC_BOARD, STREAM, ADMIN_OR_LOOPBACK -> Security.KEY_OR_NONE;
      case READ, INGEST, MANAGE, ADMIN -> Security.KEY;
      case USER, AWARD -> Security.TOKEN;
    };
  }

  @Test
  void file_pathParameters_areThoseOfThePath() {
    for (Operation operation : file.operations()) {
      String path = operation.path();
      for (Parameter parameter : operation.in("path")) {
        assertThat(path).contains("{" + parameter.name() + "}");
        path = path.replace("{" + parameter.name() + "}", "");
      }
      assertThat(path).as(operation.toString()).doesNotContain("{");
    }
  }

  @Test
  void file_objectSchemas_takeNoOtherFields() {
    assertThat(file.objectSchemas()).hasSizeGreaterThan(15);
    for (Map<String, Object> schema : file.objectSchemas()) {
      assertThat(schema.get("additionalProperties")).as(schema.toString()).isEqualTo(false);
    }
  }

  @Test
  void file_served_isThisFile() {
    assertThat(admin.get("/openapi.yaml").is(200).text()).isEqualTo(Contract.text());
  }

  /** A judge that lets everything pass proves nothing. */
  @Test
  void contract_answersThatAreNotInTheFile_areCaught() {
    Answer good = admin.get("/v1/games/chess/leaderboard").is(200);
    for (String text :
        List.of(
            good.text().replace("\"total\":", "\"extra\":1,\"total\":"),
            good.text().replace("\"total\":1", "\"total\":1.5"),
            good.text().replace("\"rank\":1", "\"rank\":0"),
            good.text().replace("\"user_id\"", "\"userId\""))) {
      assertThat(text).isNotEqualTo(good.text());
      Answer bad = Answer.of(200, good.headers(), text);
      assertThatThrownBy(() -> Contract.check("GET", "/v1/games/chess/leaderboard", bad))
          .isInstanceOf(AssertionError.class);
    }
    Answer status = Answer.of(202, good.headers(), good.text());
    assertThatThrownBy(() -> Contract.check("GET", "/v1/games/chess/leaderboard", status))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void everyOperation_withoutAKey_is401UnlessPublic() {
    Api nobody = Api.anonymous(server);
    for (Operation operation : file.answers()) {
      Answer answer = send(nobody, operation, Map.of(), operation.bodyExample());
      boolean open =
          operation.security() == Security.NONE
              || List.of("metrics", "scoreboard", "listLeaderboards").contains(operation.id());
      assertThat(answer.status()).as(operation.toString()).isEqualTo(open ? 200 : 401);
    }
  }

  @Test
  void everyWrite_withAReadOnlyKey_is403() {
    Api reader = admin.key("reader", "read");
    for (Operation operation : file.operations()) {
      if (operation.isWrite()) {
        send(reader, operation, Map.of(), operation.bodyExample()).refused(403, "FORBIDDEN");
      }
    }
  }

  @Test
  void everyWrite_documentsTheIdempotencyKey() {
    for (Operation operation : file.operations()) {
      boolean asks =
          operation.method().equals("GET")
              || List.of(
                      "ranks",
                      "tryConfig",
                      "verifyArchive",
                      "trySchema",
                      "verifyLedger",
                      "createTicket")
                  .contains(operation.id());
      assertThat(operation.isWrite()).as(operation.toString()).isEqualTo(!asks);
      if (operation.isWrite()) {
        assertThat(operation.statuses()).as(operation.toString()).contains("409");
        assertThat(
                caller(operation)
                    .raw(
                        operation.method(),
                        url(operation, Map.of()),
                        operation.hasBody()
                            ? json.writeValueAsString(operation.bodyExample())
                            : null,
                        "Idempotency-Key",
                        "not visible")
                    .refused(
                        400, operation.isGame() ? "VALIDATION_ERROR" : "INVALID_IDEMPOTENCY_KEY")
                    .message())
            .contains("Idempotency-Key");
      }
    }
  }

  @Test
  void everyOperation_ofAnUnknownBoard_is404() {
    for (Operation operation : file.operations()) {
      if (operation.path().contains("{UUID}")) {
        send(admin, operation, Map.of("UUID", "nowhere"), operation.bodyExample())
            .refused(404, "BOARD_NOT_FOUND");
      }
    }
  }

  @Test
  void everyOperation_withAnUnknownParameter_is400() {
    for (Operation operation : file.operations()) {
      String url = url(operation, Map.of());
      String body = operation.hasBody() ? json.writeValueAsString(operation.bodyExample()) : null;
      caller(operation)
          .raw(operation.method(), url + (url.contains("?") ? "&" : "?") + "nosuch=1", body)
          .refused(400, "VALIDATION_ERROR");
    }
  }

  @Test
  void everyBody_thatIsNotJson_isRefused() {
    for (Operation operation : file.operations()) {
      Api api = caller(operation);
      String url = url(operation, Map.of());
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
    for (Operation operation : file.operations()) {
      if (operation.hasBody()) {
        Map<String, Object> body = new LinkedHashMap<>(operation.bodyExample());
        body.put("nosuch", 1);
        assertThat(
                send(caller(operation), operation, fresh(operation), body)
                    .refused(400, operation.isGame() ? "VALIDATION_ERROR" : "UNKNOWN_FIELD")
                    .message())
            .contains("nosuch");
      }
    }
  }

  @Test
  void everyBody_withoutARequiredField_is400AndNamesIt() {
    for (Operation operation : file.operations()) {
      for (Object name : OpenApiFile.list(operation.body().get("required"))) {
        Map<String, Object> body = new LinkedHashMap<>(operation.bodyExample());
        body.remove(String.valueOf(name));
        assertThat(
                send(caller(operation), operation, fresh(operation), body)
                    .refused(400, "VALIDATION_ERROR")
                    .message())
            .contains(String.valueOf(name));
      }
    }
  }

  @Test
  void everyParameter_atItsEdges_isTakenOrRefused() {
    for (Operation operation : file.answers()) {
      for (Parameter parameter : operation.in("query")) {
        if (parameter.name().equals("cursor")) {
          // Only the server can make one; see TopApiTest.
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
        send(
            caller(operation),
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
    for (Operation operation : file.operations()) {
      file.properties(operation.body())
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
    return switch (field) {
      case "tenantId" -> !operation.id().equals("createTenant");
      case "topicName" -> !operation.id().equals("createTopic");
      case "leaderboardConfigId", "features", "topic", "action_type" -> true;
      case "schemaVersion" -> operation.id().equals("trySchema");
      // Also: what is more than its characters.
      case "url", "secret", "jwksUrl", "jwks", "idempotency_key" -> true;
      case "UUID" -> List.of("createWebhook", "check").contains(operation.id());
      // One of them at a time.
      case "line", "awardId", "userId", "source" -> operation.id().equals("revert");
      // Some of the edges are before the example's start.
      case "endTime" -> operation.id().endsWith("Config");
      default -> false;
    };
  }

  private Answer field(Operation operation, String name, Object value) {
    Map<String, Object> body = new LinkedHashMap<>(operation.bodyExample());
    if (body.containsKey("UUID")) {
      body.put("UUID", "edge-" + made++);
    }
    if (operation.id().equals("createTopic") || operation.id().equals("createConfig")) {
      body.put("topicName", topic(operation.id().equals("createConfig")));
    }
    if (operation.id().equals("createTenant")) {
      body.put("tenantId", "tenant-" + made++);
    }
    body.put(name, value);
    return send(caller(operation), operation, fresh(operation), body);
  }

  /** A topic of its own, so that there is room on it. */
  private String topic(boolean registered) {
    String name = "topic-" + made++;
    if (registered) {
      admin
          .post("/api/v1/topics", "{'topicName':'%s','numberOfPartitions':10000}".formatted(name))
          .is(201);
    }
    return name;
  }

  /** A change of a board gets a board of its own, so that the others stay as they are. */
  private Map<String, String> fresh(Operation operation) {
    if (operation.id().equals("editConfig") || operation.id().equals("changeConfigStatus")) {
      Map<String, Object> body = new LinkedHashMap<>(operation("createConfig").bodyExample());
      body.put("topicName", topic(true));
      Answer made = send(admin, operation("createConfig"), Map.of(), body).is(201);
      return Map.of("configId", made.at("/configId"));
    }
    if (!operation.id().equals("changeLeaderboard")) {
      return Map.of();
    }
    String uuid = "fresh-" + made++;
    admin.board(uuid);
    return Map.of("UUID", uuid);
  }
}
