package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.pod.Pods;
import dev.laurel.server.Poll;
import dev.laurel.server.Streams;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.KafkaServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Events by way of a real broker, from the topic to the rank and to the dead letters. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KafkaEventsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String LETTERS = "/api/v1/dead-letters";

  @SuppressWarnings("NullAway.Init") // set before every test
  private KafkaServer kafka;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Streams streams;

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api admin;

  @BeforeAll
  void start() {
    kafka = KafkaServer.shared();
    streams = new Streams(kafka);
    server = TestServer.start(s -> s.with(Settings.KAFKA_BOOTSTRAP, kafka.bootstrap()), _ -> {});
    admin = Api.admin(server);
  }

  @AfterAll
  void stop() {
    server.close();
    streams.close();
  }

  /** A pod with a schema and its topic. */
  private String pod(String pod, String schema) {
    String topic = "pod-" + pod + "-score-updates";
    streams.create(topic, 1);
    admin.post("/api/v1/pods", "{'podId':'" + pod + "'}").is(201);
    admin.post("/api/v1/pods/" + pod + "/schemas", schema).is(201);
    return topic;
  }

  private static String simple(String version, String score) {
    return ("{'schemaVersion':'" + version + "','status':'ACTIVE','fieldMappings':{'userId':'u',")
        + ("'score':'" + score + "','timestamp':'t','UUID':'b'},")
        + "'timestampFormat':'EPOCH_SECONDS','scoreType':'integer'}";
  }

  private static String event(String board, String user, int score) {
    return "{'b':'%s','u':'%s','s':%d,'t':1705314600}".formatted(board, user, score);
  }

  private String score(String board, String user) {
    return admin.get(Api.BOARDS + "/" + board + "/users/" + user + "/rank").at("/score");
  }

  private void awaitScore(String board, String user, String score) {
    Poll.until(
        user + " has " + score + " on " + board, PATIENCE, () -> score(board, user).equals(score));
  }

  private List<String> codes(String topic) {
    return admin.get(LETTERS + "?topic=" + topic).is(200).all("/deadLetters", "code");
  }

  private void awaitLetters(String topic, String... codes) {
    Poll.until(topic + " has dead letters", PATIENCE, () -> codes(topic).size() >= codes.length);
    assertThat(codes(topic)).containsExactly(codes);
  }

  @Test
  void pods_examplesOfTheDocument_reachTheirBoards() {
    admin.board("lb-uuid-123", "'podId':'pod-1'");
    String one = pod("pod-1", PodsApiTest.POD_1);
    String two = pod("pod-2", PodsApiTest.POD_2);
    String three = pod("pod-3", PodsApiTest.POD_3);
    admin.board("shared");
    streams.send(one, PodsApiTest.EVENT_1);
    streams.send(
        two,
        "{'customerId':'c-1','rewardPoints':1500.5,'transactionTimestamp':1705314600000,"
            + "'leaderboardId':'shared'}");
    streams.send(
        three,
        "{'user':{'id':'u-1'},'score':{'value':7.25},'eventTime':'2024-01-15T10:30:00Z',"
            + "'context':{'leaderboardUuid':'shared'}}");
    awaitScore("lb-uuid-123", "player-789", "2500");
    awaitScore("shared", "c-1", "1500.5");
    awaitScore("shared", "u-1", "7.25");
    Answer rank = admin.get(Api.BOARDS + "/lb-uuid-123/users/player-789/rank");
    assertThat(rank.at("/timestamp")).isEqualTo("2024-01-15T10:30:00Z");
    assertThat(rank.at("/metadata/gameMode")).isEqualTo("ranked");
  }

  @Test
  void tenantTopic_sampleOfThePlatform_isScored() {
    admin.post("/api/v1/topics", "{'topicName':'payments','numberOfPartitions':10}").is(201);
    streams.create("payments", 2);
    Answer config =
        admin
            .post(
                "/leaderboards/config",
                "{'tenantId':'default','name':'Payments','featureConfig':{'features':["
                    + "{'name':'transactionAmount','dataType':'FLOAT','required':true},"
                    + "{'name':'transactionCount','dataType':'INTEGER','required':true}]},"
                    + "'rankingOrder':'HIGHEST_FIRST','scoringStrategy':{'spelExpression':"
                    + "'transactionAmount / transactionCount',"
                    + "'features':['transactionAmount','transactionCount']},"
                    + "'startTime':'2025-01-01T00:00:00Z','endTime':'2036-01-01T00:00:00Z',"
                    + "'topicName':'payments','writeQPS':1}")
            .is(201);
    String id = config.at("/configId");
    admin.patch("/leaderboards/config/" + id, "{'status':'ACTIVE'}").is(200);
    String sample =
        "{'leaderboardConfigId':'"
            + id
            + "','userId':'user_12345','timestamp':'2025-11-22T01:30:00Z','features':{"
            + "'transactionAmount':5000.50,'transactionCount':12,'averageTransactionValue':416.71,"
            + "'successfulPayments':11,'failedPayments':1}}";
    streams.send(
        "payments",
        sample,
        "not JSON",
        sample.replace("'userId':'user_12345',", ""),
        sample.replace("'transactionCount':12", "'transactionCount':0"),
        sample.replace("'transactionCount':12,", ""),
        sample.replace(id, "550e8400-e29b-41d4-a716-446655440000"));
    Answer instances = admin.get("/leaderboards/config/" + id + "/instances").is(200);
    String rank = "/leaderboards/" + instances.at("/instances/0/instanceId") + "/rank/user_12345";
    Poll.until("the sample is there", PATIENCE, () -> admin.get(rank).status() == 200);
    assertThat(admin.get(rank).at("/score")).startsWith("416.70");
    Poll.until("five are refused", PATIENCE, () -> codes("payments").size() == 5);
    assertThat(codes("payments"))
        .containsExactlyInAnyOrder(
            "MALFORMED_JSON",
            "VALIDATION_ERROR",
            "EVALUATION_FAILED",
            "FEATURE_MISSING",
            "CONFIG_NOT_FOUND");
    assertThat(server.get("/metrics").body())
        .contains("laurel_events_expression_failures_total 1.0");
  }

  @Test
  void errors_betweenGoodEvents_becomeDeadLettersAndTheOthersCount() {
    admin.board("busy", "'update':'SUM'");
    admin.board("others", "'podId':'another-pod'");
    admin.board("closed", "'endTime':'2024-01-01T00:00:00Z'");
    String topic = pod("errors", simple("1", "s"));
    streams.send(
        topic,
        event("busy", "ann", 1),
        "",
        "\u0000\u0001 no JSON",
        "[1]",
        "{'b':'busy','b':'busy'}",
        "[".repeat(10_000),
        event("busy", "ann", 2).replace("'s':2", "'s':NaN"),
        event("busy", "ann", 2).replace("'s':2", "'s':1.5"),
        event("busy", "ann", 2).replace("'s':2", "'s':1e400"),
        event("busy", "ann", 2).replace("1705314600", "'yesterday'"),
        event("busy", "ann", 2).replace("1705314600", "99999999999"),
        event("busy", "ann", 2).replace("'u'", "'x'"),
        event("busy", "", 2),
        event("nowhere", "ann", 2),
        event("others", "ann", 2),
        event("closed", "ann", 2),
        event("busy", "ann", -5),
        event("busy", "ann", 4));
    awaitScore("busy", "ann", "5");
    awaitLetters(
        topic,
        "MALFORMED_JSON",
        "MALFORMED_JSON",
        "VALIDATION_ERROR",
        "MALFORMED_JSON",
        "MALFORMED_JSON",
        "MALFORMED_JSON",
        "INVALID_SCORE",
        "INVALID_SCORE",
        "INVALID_TIMESTAMP",
        "TIME_IN_FUTURE",
        "SCHEMA_MISMATCH",
        "VALIDATION_ERROR",
        "BOARD_NOT_FOUND",
        "POD_NOT_ALLOWED",
        "SEASON_CLOSED",
        "SCORE_OUT_OF_BOUNDS");
    Answer page = admin.get(LETTERS + "?topic=" + topic + "&limit=3").is(200);
    assertThat(page.json().at("/deadLetters")).hasSize(3);
    Answer second =
        admin.get(LETTERS + "?topic=" + topic + "&limit=3&cursor=" + page.at("/nextCursor"));
    assertThat(second.all("/deadLetters", "code"))
        .containsExactly("MALFORMED_JSON", "MALFORMED_JSON", "MALFORMED_JSON");
    Answer one = admin.get(LETTERS + "?topic=" + topic + "&code=SCHEMA_MISMATCH").is(200);
    assertThat(one.at("/deadLetters/0/schemaVersion")).isEqualTo("1");
    assertThat(one.at("/deadLetters/0/attempt")).isEqualTo("1");
    assertThat(one.at("/deadLetters/0/reason"))
        .isEqualTo("userId (at u): missing" + " (expected: a string or a whole number)");
    assertThat(one.at("/deadLetters/0/value")).contains("\"x\":\"ann\"");
    String metrics = server.get("/metrics").body();
    assertThat(metrics)
        .contains("laurel_dead_letters_total{code=\"SCHEMA_MISMATCH\",topic=\"" + topic + "\"} 1.0")
        .contains("laurel_events_total{outcome=\"APPLIED\",topic=\"" + topic + "\"} 2.0")
        .contains("laurel_kafka_lag{topic=\"" + topic + "\"} 0.0")
        .contains("laurel_events_latency_ms");
  }

  @Test
  void unknownPod_eventsWaitAndAreTold_countOnceItIsRegistered() {
    String topic = Pods.topic("stranger");
    streams.create(topic, 1);
    admin.board("strangers");
    streams.send(topic, event("strangers", "s-1", 5));
    Poll.until("it is told", PATIENCE, () -> isUnregistered(topic));
    assertThat(admin.get(Api.BOARDS + "/strangers/users/s-1/rank").status()).isEqualTo(404);

    admin.post("/api/v1/pods", "{'podId':'stranger'}").is(201);
    admin.post("/api/v1/pods/stranger/schemas", simple("v1", "s")).is(201);

    awaitScore("strangers", "s-1", "5");
    assertThat(codes(topic)).isEmpty();
    Poll.until("it is no stranger", PATIENCE, () -> !isUnregistered(topic));
  }

  private boolean isUnregistered(String topic) {
    return server
        .get("/metrics")
        .body()
        .contains("laurel_kafka_unregistered{topic=\"" + topic + "\"} 1");
  }

  @Test
  void revert_allOfAPodInATimeSpan_leavesWhatOthersSent() {
    admin.board("undone", "'update':'SUM'");
    String good = pod("good", simple("1", "s"));
    String bad = pod("bad", simple("1", "s"));
    streams.send(good, event("undone", "ann", 1));
    streams.send(bad, event("undone", "ann", 10), event("undone", "bob", 10));
    awaitScore("undone", "bob", "10");
    awaitScore("undone", "ann", "11");
    String span = "'from':'2024-01-15T00:00:00Z','to':'2024-01-16T00:00:00Z'";
    Answer dry =
        admin
            .post(
                Api.BOARDS + "/undone/reverts",
                "{'source':{'topic':'" + bad + "'," + span + "},'dryRun':true}")
            .is(200);
    assertThat(dry.at("/submissions")).isEqualTo("2");
    admin.post(Api.BOARDS + "/undone/reverts", "{'source':{'podId':'bad'," + span + "}}").is(200);
    assertThat(score("undone", "ann")).isEqualTo("1");
    admin.get(Api.BOARDS + "/undone/users/bob/rank").is(404);
  }

  @Test
  void versions_twoInFlight_areBothRead() {
    admin.board("evolving", "'update':'SUM'");
    String topic = pod("evolving", simple("1", "s"));
    streams.send(topic, event("evolving", "ann", 1));
    awaitScore("evolving", "ann", "1");
    admin.post("/api/v1/pods/evolving/schemas", simple("2", "result.points")).is(201);
    String newer = event("evolving", "ann", 2).replace("'s':2", "'result':{'points':10}");
    streams.send(topic, newer, event("evolving", "ann", 1), newer);
    awaitScore("evolving", "ann", "22");
    assertThat(codes(topic)).isEmpty();
  }

  @Test
  void redelivery_ofTheWholeTopic_changesNothing() {
    admin.board("again", "'update':'SUM'");
    String topic = pod("again", simple("1", "s"));
    for (int i = 0; i < 50; i++) {
      streams.send(topic, event("again", "u" + i % 7, i), i % 10 == 0 ? "bad" : "{}");
    }
    streams.send(topic, event("again", "last", 1));
    awaitScore("again", "last", "1");
    List<String> before = admin.get(Api.BOARDS + "/again/top?limit=10").all("/users", "score");
    server = server.restart(() -> streams.rewind("laurel", topic));
    admin = Api.admin(server);
    streams.send(topic, event("again", "last", 1));
    awaitScore("again", "last", "2");
    List<String> after = admin.get(Api.BOARDS + "/again/top?limit=10").all("/users", "score");
    assertThat(after.subList(0, 7)).isEqualTo(before.subList(0, 7));
    assertThat(codes(topic)).hasSize(50);
  }

  @Test
  void events_thatAGuardHolds_areAnOutcomeOfTheirOwnAndNoDeadLetters() {
    String board = admin.board("kept-back", "'update':'SUM'");
    admin
        .put(board + "/guard", "{'rules':[{'rule':'JUMP','threshold':100,'outcome':'QUARANTINE'}]}")
        .is(200);
    String topic = pod("kept-back", simple("1", "s"));
    streams.send(topic, event("kept-back", "ann", 900), event("kept-back", "ann", 1));
    awaitScore("kept-back", "ann", "1");
    String held = "laurel_events_total{outcome=\"HELD\",topic=\"" + topic + "\"} 1";
    Poll.until(held, PATIENCE, () -> server.send(server.request("/metrics")).body().contains(held));
    assertThat(codes(topic)).isEmpty();
    assertThat(admin.get(board + "/anomalies?state=OPEN").is(200).json().get("anomalies"))
        .hasSize(1);
  }

  @Test
  void topic_deletedAndMadeAgain_countsFromItsBeginning() {
    admin.board("remade", "'update':'SUM'");
    String topic = pod("remade", simple("1", "s"));
    streams.send(topic, event("remade", "ann", 1), event("remade", "ann", 1));
    awaitScore("remade", "ann", "2");
    streams.remake(topic, 1);
    streams.send(topic, event("remade", "ann", 10));
    awaitScore("remade", "ann", "12");
  }

  @Test
  void broker_stoppedAndStarted_goesOn() {
    admin.board("outage", "'update':'SUM'");
    String topic = pod("outage", simple("1", "s"));
    streams.send(topic, event("outage", "ann", 1));
    awaitScore("outage", "ann", "1");
    kafka.stop();
    admin.score(Api.BOARDS + "/outage", "bob", "'score':1").is(200);
    kafka.start();
    streams.send(topic, event("outage", "ann", 1));
    awaitScore("outage", "ann", "2");
  }

  @Test
  void redrive_afterTheSchemaIsMended_countsOnceHoweverOften() {
    admin.board("mended", "'update':'SUM'");
    String topic = pod("mended", simple("1", "s"));
    String other = event("mended", "ann", 2).replace("'s'", "'points'");
    streams.send(topic, other, event("mended", "ann", 1), other, "hopeless");
    awaitLetters(topic, "SCHEMA_MISMATCH", "SCHEMA_MISMATCH", "MALFORMED_JSON");
    String first = admin.get(LETTERS + "?topic=" + topic).at("/deadLetters/0/id");

    redrive("{'ids':['" + first + "']}", 1);
    awaitLetters(topic, "SCHEMA_MISMATCH", "MALFORMED_JSON", "SCHEMA_MISMATCH");
    assertThat(admin.get(LETTERS + "?topic=" + topic).at("/deadLetters/2/attempt")).isEqualTo("2");

    admin.post("/api/v1/pods/mended/schemas", simple("2", "points")).is(201);
    redrive("{'ids':['" + first + "']}", 0);
    redrive("{'topic':'" + topic + "','code':'SCHEMA_MISMATCH'}", 2);
    awaitScore("mended", "ann", "5");
    assertThat(codes(topic)).containsExactly("MALFORMED_JSON");
    admin.post(LETTERS + "/redrive", "{'topic':'nobodys'}").refused(400, "TOPIC_NOT_FOUND");

    assertThat(laurel("dead-letters", "list", "--topic", topic)).contains("MALFORMED_JSON\t1\t");
    assertThat(laurel("dead-letters", "redrive", "--topic", topic)).isEqualTo("1 sent again\n");
    awaitLetters(topic, "MALFORMED_JSON");
  }

  /** As after a crash between the sending and the mark that it was sent. */
  @Test
  void redriven_sentTwice_countsOnce() {
    admin.board("twice", "'update':'SUM'");
    String topic = pod("twice", simple("1", "s"));
    Map<String, String> headers = Map.of("laurel-origin", "0123/0/7", "laurel-attempt", "1");
    streams.send(topic, headers, event("twice", "ann", 1));
    streams.send(topic, headers, event("twice", "ann", 1));
    streams.send(topic, event("twice", "ann", 10));
    awaitScore("twice", "ann", "11");
    streams.send(topic, headers, event("twice", "ann", 1));
    streams.send(topic, event("twice", "bob", 1));
    awaitScore("twice", "bob", "1");
    assertThat(score("twice", "ann")).isEqualTo("11");
    assertThat(codes(topic)).isEmpty();
  }

  private void redrive(String body, int expected) {
    assertThat(admin.post(LETTERS + "/redrive", body).is(200).number("/redriven"))
        .isEqualTo(expected);
  }

  private String laurel(String... arguments) {
    Cli done = Cli.run(server, Path.of("."), arguments);
    assertThat(done.code()).as(done.err()).isZero();
    return done.out();
  }
}
