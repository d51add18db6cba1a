package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.api.OpenApiFile.Operation;
import dev.laurel.server.api.OpenApiFile.Parameter;
import dev.laurel.server.api.OpenApiFile.Security;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server of which everything was asked once that openapi.yaml describes, with the file's own
 * examples; makes further requests from it. {@link Api} holds every answer against the file.
 */
final class DescribedServer implements AutoCloseable {
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

  private static final List<String> LAST =
      List.of(
          "deleteUser",
          "deleteWindow",
          "revokeKey",
          "deleteWebhook",
          "deleteIssuer",
          "eraseUser",
          "eraseOwn");

  final OpenApiFile file = new OpenApiFile();
  private final JsonMapper json = new JsonMapper();
  private final TestIssuer issuer = new TestIssuer();
  private int made;

  /** Values of path parameters that the server makes up. */
  private final Map<String, String> learned = new HashMap<>();

  private final TestServer server;
  private final Api admin;
  private final Api user;

  DescribedServer() {
    server = TestServer.start(issuer.settings(), _ -> {});
    admin = Api.admin(server);
    user = as("user123");
    try {
      askForEverything();
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  TestServer server() {
    return server;
  }

  /** The key that may do everything. */
  Api admin() {
    return admin;
  }

  /** Who may do everything there, or whom it is about. */
  Api caller(Operation operation) {
    if (operation.id().equals("eraseOwn")) {
      return as("quitter"); // the other one is needed for more
    }
    return operation.security() == Security.TOKEN ? user : admin;
  }

  private Api as(String name) {
    return Api.anonymous(server).with("Authorization", "Bearer " + issuer.token(name));
  }

  /** Every operation once, with the file's own examples. */
  private void askForEverything() {
    as("quitter").put("/v1/users/me/profile", "{}").is(200);
    learned.put("seasonId", archivedSeason());
    for (Operation operation : inOrder()) {
      if (operation.id().endsWith("Anomaly")) {
        learned.put("line", caught());
      }
      Answer answer = send(caller(operation), operation);
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
    send(admin, operation("putScore")).is(200);
    learned.put("webhookId", send(admin, operation("createWebhook")).at("/webhookId"));
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
    admin.score(board, unused("caught"), "'score':1").is(200);
    admin.put(board + "/guard", "{'rules':[]}").is(200);
    return admin.get(board + "/anomalies?state=open").is(200).at("/anomalies/0/line");
  }

  /** A new board starts its season, which is sent to the webhook. */
  private void learnDelivery() {
    Answer sent = send(admin, operation("listDeliveries"), Map.of(), null).is(200);
    learned.put("deliveryId", sent.at("/deliveries/0/deliveryId"));
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

  /** What nobody is called yet. */
  String unused(String prefix) {
    return prefix + "-" + made++;
  }

  /** With the file's own example, if it takes a body. */
  Answer send(Api caller, Operation operation) {
    return send(caller, operation, Map.of(), operation.bodyExample());
  }

  Answer send(Api caller, Operation operation, Map<String, String> values, @Nullable Object body) {
    String text = body == null ? null : json.writeValueAsString(body);
    if (text != null && learned.containsKey("configId")) {
      // The example's id stands for the one the server made up.
      text = text.replace("00000000-0000-4000-8000-000000000000", learned.get("configId"));
    }
    return caller.raw(
        operation.method(), url(operation, values), operation.hasBody() ? text : null);
  }

  /** The example as it is sent; null where there is no body. */
  @Nullable String bodyText(Operation operation) {
    return operation.hasBody() ? json.writeValueAsString(operation.bodyExample()) : null;
  }

  /** With the examples of the parameters that are needed, and the values given. */
  String url(Operation operation, Map<String, String> values) {
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

  /** A topic of its own, so that there is room on it. */
  String topic(boolean registered) {
    String name = unused("topic");
    if (registered) {
      admin
          .post("/api/v1/topics", "{'topicName':'%s','numberOfPartitions':10000}".formatted(name))
          .is(201);
    }
    return name;
  }

  /** A change of a board gets a board of its own, so that the others stay as they are. */
  Map<String, String> fresh(Operation operation) {
    if (operation.id().equals("editConfig") || operation.id().equals("changeConfigStatus")) {
      Map<String, Object> body = new LinkedHashMap<>(operation("createConfig").bodyExample());
      body.put("topicName", topic(true));
      Answer made = send(admin, operation("createConfig"), Map.of(), body).is(201);
      return Map.of("configId", made.at("/configId"));
    }
    if (!operation.id().equals("changeLeaderboard")) {
      return Map.of();
    }
    String uuid = unused("fresh");
    admin.board(uuid);
    return Map.of("UUID", uuid);
  }

  @Override
  public void close() {
    server.close();
    issuer.close();
  }
}
