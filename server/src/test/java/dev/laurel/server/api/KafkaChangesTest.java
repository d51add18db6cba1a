package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.Streams;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.KafkaServer;
import dev.laurel.stack.PostgresServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Changes on a real broker, and nodes that come and go while events are read. */
class KafkaChangesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final KafkaServer kafka = KafkaServer.shared();

  @SuppressWarnings("NullAway.Init") // set before every test
  private Streams streams;

  @BeforeEach
  void open() {
    streams = new Streams(kafka);
  }

  @AfterEach
  void close() {
    streams.close();
  }

  private Configuration publishing(Configuration settings, String name) {
    return settings
        .with(Settings.KAFKA_BOOTSTRAP, kafka.bootstrap())
        .with(Settings.KAFKA_GROUP, name)
        .with(Settings.KAFKA_CHANGES, name + ".changes");
  }

  /** By shard and line, each once; what comes again is the same. */
  private Map<String, JsonNode> changes(String topic) {
    Map<String, JsonNode> byVersion = new TreeMap<>();
    for (String value : streams.read(topic)) {
      JsonNode change = JSON.readTree(value);
      JsonNode before =
          byVersion.put(
              "%d-%010d".formatted(change.get("shard").asInt(), change.get("line").asLong()),
              change);
      assertThat(before == null || before.equals(change)).as(value).isTrue();
    }
    return byVersion;
  }

  private void awaitChanges(String topic, int count) {
    Poll.until(count + " changes in " + topic, PATIENCE, () -> changes(topic).size() >= count);
    assertThat(changes(topic)).hasSize(count);
  }

  @Test
  void changes_brokerAndNodeStopMeanwhile_areAllPublishedWithTheirVersions() {
    String topic = "alone.changes";
    TestServer server = TestServer.start(s -> publishing(s, "alone"), _ -> {});
    try {
      Api admin = Api.admin(server);
      String board = admin.board("told", "'update':'SUM'", "'decimals':2");
      admin.score(board, "ann", "'score':1.25,'eventId':'e-1','metadata':{'level':3}").is(200);
      awaitChanges(topic, 1);
      kafka.stop();
      admin.score(board, "ann", "'score':2").is(200);
      kafka.start();
      server = server.restart();
      admin = Api.admin(server);
      admin.delete(board + "/users/ann").is(200);
      awaitChanges(topic, 3);

      List<JsonNode> told = List.copyOf(changes(topic).values());
      JsonNode first = told.getFirst();
      assertThat(first.at("/type").asString()).isEqualTo("score.accepted");
      assertThat(first.at("/id").asString()).matches("0-1-[0-9a-f]{1,16}");
      assertThat(first.at("/tenantId").asString()).isEqualTo("default");
      assertThat(first.at("/UUID").asString()).isEqualTo("told");
      assertThat(first.at("/userId").asString()).isEqualTo("ann");
      assertThat(first.at("/score").decimalValue()).isEqualByComparingTo("1.25");
      assertThat(first.at("/mode").asString()).isEqualTo("SUM");
      assertThat(first.at("/eventId").asString()).isEqualTo("e-1");
      assertThat(first.at("/metadata/level").asInt()).isEqualTo(3);
      assertThat(first.at("/seasons/0/instanceId").asString())
          .startsWith(first.at("/leaderboardId").asString());
      assertThat(told.get(1).at("/previousLine").asLong()).isEqualTo(1);
      JsonNode deleted = told.get(2);
      assertThat(deleted.at("/type").asString()).isEqualTo("score.deleted");
      assertThat(deleted.has("score")).isFalse();
      assertThat(deleted.at("/previousLine").asLong()).isEqualTo(2);
      assertThat(server.get("/metrics").body())
          .contains("laurel_changes_published_total ")
          .contains("laurel_changes_behind ");
    } finally {
      server.close();
    }
  }

  /** For a warehouse: who is who stays here, and one user is still one user. */
  @Test
  void changes_withPseudonyms_tellNoIdsAndNothingThatCallersWrote() {
    String topic = "hidden.changes";
    try (TestIssuer issuer = new TestIssuer();
        TestServer server =
            TestServer.start(
                s ->
                    publishing(issuer.settings().apply(s), "hidden")
                        .with(Settings.KAFKA_CHANGE_USERS, "pseudonyms"),
                _ -> {})) {
      Api admin = Api.admin(server);
      String board = admin.board("told", "'update':'SUM'");
      admin
          .score(board, "ann@home", "'score':1,'eventId':'ann@home-1','metadata':{'of':'ann@home'}")
          .is(200);
      admin.score(board, "bob@home", "'score':2").is(200);
      admin.score(board, "ann@home", "'score':3").is(200);
      admin.put("/api/v1/award-rules", "{'version':3,'rules':{'watch_video':25}}").is(200);
      Api.anonymous(server)
          .with("Authorization", "Bearer " + issuer.token("ann@home"))
          .post(
              "/v1/scores/award",
              "{'action_type':'watch_video','action_id':'of-ann@home'}",
              "Idempotency-Key",
              "6f9f2e67-0d0a-4a52-9b6e-1f6f3f0c7f11")
          .is(200);
      Poll.until("all of them", PATIENCE, () -> streams.read(topic).size() == 5);
      List<String> sent = streams.read(topic);
      assertThat(sent).noneMatch(text -> text.contains("@home"));
      List<String> users =
          sent.stream().map(text -> JSON.readTree(text).at("/userId").asString()).toList();
      assertThat(users).allMatch(user -> user.matches("p-[A-Za-z0-9_-]{22}"));
      assertThat(new HashSet<>(users)).hasSize(2);
      String award =
          sent.stream().filter(text -> text.contains("award.recorded")).findFirst().orElseThrow();
      assertThat(JSON.readTree(award).at("/metadata").propertyNames())
          .containsExactly("award_id", "action_type", "rules_version");
    }
  }

  /**
   * Two nodes on PostgreSQL share six partitions; one leaves, a third one comes, while events are
   * written all the time. Boards and changes say the same as what was sent.
   */
  @Test
  void nodes_comeAndGoUnderLoad_boardsAndChangesEqualWhatWasSent() {
    PostgresServer postgres = PostgresServer.shared();
    String url = postgres.url(postgres.newDatabase());
    String topic = "pod-moving-score-updates";
    streams.create(topic, 6);
    TestServer first = node(url);
    Api admin = Api.admin(first);
    admin.board("moving", "'update':'SUM'");
    admin.post("/api/v1/pods", "{'podId':'moving'}").is(201);
    admin
        .post(
            "/api/v1/pods/moving/schemas",
            "{'schemaVersion':'1','status':'ACTIVE','fieldMappings':{'userId':'u','score':'s',"
                + "'timestamp':'t','UUID':'b'},'timestampFormat':'EPOCH_SECONDS',"
                + "'scoreType':'integer'}")
        .is(201);
    Map<String, Long> sums = new HashMap<>();
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Integer> load =
        CompletableFuture.supplyAsync(
            () -> {
              int sent = 0;
              while (!enough.get()) {
                String[] events = new String[50];
                for (int i = 0; i < events.length; i++, sent++) {
                  String user = "u" + sent % 13;
                  events[i] =
                      "{'u':'%s','s':%d,'t':1705314600,'b':'moving'}".formatted(user, sent % 7);
                  sums.merge(user, sent % 7L, Long::sum);
                }
                streams.send(topic, events);
              }
              return sent;
            });
    awaitTaken(first);
    TestServer second = node(url);
    awaitTaken(second);
    first.close();
    TestServer third = node(url);
    try {
      awaitTaken(third);
      enough.set(true);
      int sent = load.join();
      Api api = Api.admin(third);
      sums.forEach(
          (user, sum) ->
              Poll.until(
                  user + " has " + sum,
                  PATIENCE,
                  () ->
                      api.get(Api.BOARDS + "/moving/users/" + user + "/rank")
                          .at("/score")
                          .equals(sum.toString())));
      assertThat(api.get("/api/v1/dead-letters?topic=" + topic).is(200).json().at("/deadLetters"))
          .isEmpty();
      awaitChanges("cluster.changes", sent);
      Map<String, Long> published = new HashMap<>();
      changes("cluster.changes")
          .values()
          .forEach(
              c -> published.merge(c.at("/userId").asString(), c.at("/score").asLong(), Long::sum));
      assertThat(published).isEqualTo(sums);
    } finally {
      second.close();
      third.close();
    }
  }

  private TestServer node(String url) {
    return TestServer.start(
        s -> publishing(s, "cluster").with(Settings.DATABASE_URL, url), _ -> {});
  }

  /** Until the node has a share of the topic, and has taken some of it. */
  private static void awaitTaken(TestServer node) {
    Poll.until(
        "it takes events",
        PATIENCE,
        () -> node.get("/metrics").body().contains("laurel_events_total{outcome=\"APPLIED\""));
  }
}
