package dev.laurel.server.kill;

import static dev.laurel.server.kill.Checks.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.Streams;
import dev.laurel.stack.KafkaServer;
import dev.laurel.stack.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes, as processes, share the partitions of a topic, and one is killed: the other takes its
 * partitions over. How long that took is printed, and is in docs/reliability.md.
 */
class KafkaKillIT {
  private static final String TOPIC = "pod-killed-score-updates";
  private static final int PARTITIONS = 4;

  /** What Kafka's own setting would take, or nearly: to be faster is what ours are for. */
  private static final Duration UNSET = Duration.ofSeconds(40);

  @TempDir Path folder = Path.of("");

  private LaurelProcess spawn(String name, PostgresServer postgres, KafkaServer kafka)
      throws IOException {
    return LaurelProcess.spawn(
        Files.createDirectory(folder.resolve(name)),
        folder.resolve("laurel.jsa"),
        "--database-url",
        postgres.url("postgres"),
        "--kafka-bootstrap",
        kafka.bootstrap());
  }

  private static void send(Streams streams, String user) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      streams.send(
          TOPIC,
          partition,
          "{'b':'%s','u':'%s-%d','s':1,'t':1705314600}"
              .formatted(TestBoard.SUM.uuid(), user, partition));
    }
  }

  /** Whether it has counted an event of the topic. */
  private static boolean reads(Api node) {
    try {
      return node.get("/metrics")
          .body()
          .lines()
          .filter(line -> line.startsWith("laurel_events_total{") && line.contains(TOPIC))
          .anyMatch(line -> !line.endsWith(" 0.0"));
    } catch (AssertionError e) {
      System.out.println("a scrape failed: " + e.getMessage());
      return false; // it is asked again; what this test is about comes later
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void node_killed_itsPartitionsAreTakenOverSoon() throws Exception {
    try (PostgresServer postgres = PostgresServer.start(folder);
        KafkaServer kafka = KafkaServer.start(folder.resolve("kafka"));
        Streams streams = new Streams(kafka);
        HttpClient client = HttpClient.newHttpClient();
        LaurelProcess first = spawn("one", postgres, kafka);
        LaurelProcess second = spawn("two", postgres, kafka)) {
      Api one = new Api(client, first.awaitReady());
      Api two = new Api(client, second.awaitReady());
      streams.create(TOPIC, PARTITIONS);
      one.create(TestBoard.SUM);
      one.call("POST", "/api/v1/pods", "{\"podId\":\"killed\"}", 201);
      one.call("POST", "/api/v1/pods/killed/schemas", SCHEMA, 201);
      Poll.until(
          "both nodes read",
          () -> {
            send(streams, "before");
            return reads(one) && reads(two);
          });
      first.kill();
      send(streams, "after");
      Duration waited = eventually(() -> assertShows(two, "after"));
      System.out.printf(
          "a node killed: events of all partitions counted after %d ms%n", waited.toMillis());
      assertThat(waited).isLessThan(UNSET);
    }
  }

  private static final String SCHEMA =
      """
      {"schemaVersion":"1","status":"ACTIVE","fieldMappings":{"userId":"u","score":"s","timestamp":"t","UUID":"b"},
       "timestampFormat":"EPOCH_SECONDS","scoreType":"integer"}""";

  private static void assertShows(Api node, String user) throws IOException {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      node.get(
          "/api/v1/leaderboards/%s/users/%s-%d/rank"
              .formatted(TestBoard.SUM.uuid(), user, partition));
    }
  }
}
