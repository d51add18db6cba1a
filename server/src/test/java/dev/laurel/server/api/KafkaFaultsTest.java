package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.pod.Pods;
import dev.laurel.server.Poll;
import dev.laurel.server.Streams;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.KafkaServer;
import dev.laurel.stack.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * What is not an event's fault makes no dead letter, and what is wrong with one topic or partition
 * does not stop the others.
 */
class KafkaFaultsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final KafkaServer kafka = KafkaServer.shared();

  @SuppressWarnings("NullAway.Init") // set before every test
  private Streams streams;

  @SuppressWarnings("NullAway.Init") // set before every test
  private String board;

  @SuppressWarnings("NullAway.Init") // set by every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set by every test
  private Api admin;

  @BeforeEach
  void connect(TestInfo test) {
    streams = new Streams(kafka);
    board = test.getTestMethod().orElseThrow().getName().split("_", -1)[0];
  }

  @AfterEach
  void stop() {
    server.close();
    streams.close();
  }

  private void start(UnaryOperator<Configuration> settings) {
    server =
        TestServer.start(
            s ->
                settings.apply(
                    s.with(Settings.KAFKA_BOOTSTRAP, kafka.bootstrap())
                        .with(Settings.KAFKA_GROUP, "faults-" + board)),
            _ -> {});
    admin = Api.admin(server);
    admin.board(board, "'update':'SUM'");
  }

  /** A pod with a topic and one schema in use. */
  private String pod(String pod) {
    String topic = Pods.topic(pod);
    streams.create(topic, 1);
    register(pod, "1", "");
    return topic;
  }

  private void register(String pod, String version, String moreMappings) {
    if (version.equals("1")) {
      admin.post("/api/v1/pods", "{'podId':'" + pod + "'}").is(201);
    }
    admin
        .post(
            "/api/v1/pods/" + pod + "/schemas",
            "{'schemaVersion':'%s','status':'ACTIVE','fieldMappings':{'userId':'u','score':'s',"
                    .formatted(version)
                + "'timestamp':'t','UUID':'b'"
                + moreMappings
                + "},'timestampFormat':'EPOCH_SECONDS','scoreType':'integer'}")
        .is(201);
  }

  private String event(String user, int score) {
    return "{'b':'%s','u':'%s','s':%d,'t':1705314600}".formatted(board, user, score);
  }

  private String[] events(String user, int count) {
    String[] events = new String[count];
    for (int i = 0; i < count; i++) {
      events[i] = event(user, 1);
    }
    return events;
  }

  private String score(String user) {
    return admin.get(Api.BOARDS + "/" + board + "/users/" + user + "/rank").at("/score");
  }

  private void awaitScore(String user, int score) {
    Poll.until(user + " has " + score, PATIENCE, () -> score(user).equals(Integer.toString(score)));
  }

  private List<String> codes(String topic) {
    return admin.get("/api/v1/dead-letters?topic=" + topic).is(200).all("/deadLetters", "code");
  }

  private double metric(String name, String topic) {
    String start = name + "{topic=\"" + topic + "\"} ";
    return server
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> Double.parseDouble(line.substring(start.length())))
        .findFirst()
        .orElse(-1);
  }

  @Test
  void login_refusedByTheDatabase_holdsEventsAndMakesNoDeadLetters() {
    PostgresServer postgres = PostgresServer.shared();
    String database = postgres.newDatabase();
    postgres.execute("CREATE ROLE clerk_" + database + " LOGIN SUPERUSER");
    String url = postgres.url(database).replace("user=postgres", "user=clerk_" + database);
    start(s -> s.with(Settings.DATABASE_URL, url));
    String topic = pod("login");
    streams.send(topic, event("ann", 1));
    awaitScore("ann", 1);

    postgres.execute("ALTER ROLE clerk_" + database + " NOLOGIN");
    postgres.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'clerk_"
            + database
            + "'");
    streams.send(topic, events("ann", 200));
    Poll.until("the lag tells of them", PATIENCE, () -> metric("laurel_kafka_lag", topic) == 200);
    Answer refused = admin.score(Api.BOARDS + "/" + board, "bob", "'score':1");
    refused.refused(503, "STORE_UNAVAILABLE");
    assertThat(metric("laurel_events_total", topic)).isEqualTo(-1);

    postgres.execute("ALTER ROLE clerk_" + database + " LOGIN");
    awaitScore("ann", 201);
    assertThat(codes(topic)).isEmpty();
    assertThat(score("bob")).isEmpty();
    Poll.until("nothing waits", PATIENCE, () -> metric("laurel_kafka_lag", topic) == 0);
  }

  @Test
  void record_tooLargeForADeadLetter_isCutAndTheTopicGoesOn() {
    start(s -> s);
    String topic = pod("large");
    streams.sendCompressed(topic, "{'b':'" + board + "','x':'" + "x".repeat(12 << 20) + "'}");
    streams.send(topic, event("ann", 1));
    awaitScore("ann", 1);
    Poll.until("the letter", PATIENCE, () -> codes(topic).equals(List.of("MALFORMED_JSON")));
    Answer letters = admin.get("/api/v1/dead-letters?topic=" + topic);
    assertThat(letters.number("/deadLetters/0/cutFrom")).isGreaterThan(12 << 20);
    // What is not whole cannot be sent again, and is no reason not to send the others.
    admin.post("/api/v1/dead-letters/redrive", "{'topic':'" + topic + "'}").is(200);
    assertThat(codes(topic)).hasSize(1);
  }

  @Test
  void topic_deletedAndMadeAgainManyTimes_countsEveryEventOnce() {
    start(s -> s);
    String topic = pod("remade-often");
    int total = 0;
    for (int round = 0; round < 10; round++) {
      // More and more, so that the new topic has what was read of the old one.
      int count = 10 + 5 * round;
      streams.send(topic, events("ann", count));
      total += count;
      awaitScore("ann", total);
      streams.remake(topic, 1);
    }
    streams.send(topic, event("last", 1));
    awaitScore("last", 1);
    assertThat(score("ann")).isEqualTo(Integer.toString(total));
    assertThat(codes(topic)).isEmpty();
  }

  @Test
  void deadLetterTopic_deleted_isMadeAgainAndOthersGoOn() {
    start(s -> s);
    String bad = pod("without-letters");
    String good = pod("with-letters");
    streams.send(bad, "no event");
    Poll.until("the letter", PATIENCE, () -> codes(bad).size() == 1);
    streams.delete(bad + ".dlt");
    streams.send(bad, "one", "two", "three", event("ann", 1));
    streams.send(good, event("bob", 1));
    awaitScore("bob", 1);
    awaitScore("ann", 1);
    Poll.until("the letters", PATIENCE, () -> codes(bad).size() == 3);
  }

  @Test
  void deadLetters_thatCannotBeSent_holdTheirTopicAlone() {
    start(s -> s);
    String topic = pod("held");
    // Too small for any letter.
    streams.create(topic + ".dlt", 1, Map.of("max.message.bytes", "10"));
    String good = pod("beside-held");
    streams.send(topic, "no event");
    streams.send(good, event("bob", 1));
    awaitScore("bob", 1);
    Poll.until("it is told", PATIENCE, () -> metric("laurel_kafka_held", topic) == 1);
    streams.send(good, event("bob", 1));
    awaitScore("bob", 2);
  }

  @Test
  void transaction_aborted_neverCounts() {
    start(s -> s);
    String topic = pod("transactions");
    streams.sendInTransaction(false, topic, events("ann", 5));
    streams.sendInTransaction(true, topic, events("ann", 3));
    streams.send(topic, event("last", 1));
    awaitScore("last", 1);
    assertThat(score("ann")).isEqualTo("3");
  }

  @Test
  void queueLines_belowABatch_onPostgres_goesOn() {
    PostgresServer postgres = PostgresServer.shared();
    String url = postgres.url(postgres.newDatabase());
    start(
        s ->
            s.with(Settings.DATABASE_URL, url)
                .with(Settings.QUEUE_LINES, "3")
                .with(Settings.BATCH_LINES, "1000"));
    String topic = pod("queue-lines");
    streams.send(topic, events("ann", 100));
    awaitScore("ann", 100);
  }

  @Test
  void versions_newerOneMapsAnId_oldEventsStillCount() {
    start(s -> s);
    String topic = pod("ids-later");
    register("ids-later", "2", ",'eventId':'id'");
    String withId = event("ann", 10).replace("{'b'", "{'id':'e-1','b'");
    streams.send(topic, event("ann", 1), withId, withId, event("ann", 1));
    awaitScore("ann", 12);
    assertThat(codes(topic)).isEmpty();
  }

  @Test
  void pod_withoutASchema_eventsWaitForIt() {
    start(s -> s);
    admin.post("/api/v1/pods", "{'podId':'schema-later'}").is(201);
    String topic = Pods.topic("schema-later");
    streams.send(topic, event("ann", 1));
    Poll.until("it is told", PATIENCE, () -> metric("laurel_kafka_unregistered", topic) == 1);
    admin
        .post(
            "/api/v1/pods/schema-later/schemas",
            "{'schemaVersion':'1','status':'ACTIVE','fieldMappings':{'userId':'u','score':'s',"
                + "'timestamp':'t','UUID':'b'},'timestampFormat':'EPOCH_SECONDS',"
                + "'scoreType':'integer'}")
        .is(201);
    awaitScore("ann", 1);
    assertThat(codes(topic)).isEmpty();
  }
}
