package dev.laurel.server.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.HookReceiver;
import dev.laurel.server.Poll;
import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * {@code kill -9} while seasons end, while their final ranks and prizes are written, and while
 * webhooks are sent: after the restart each is there once.
 */
@ExtendWith(Seeds.class)
class KillSeasonsIT {
  private static final int KILLS = 7;
  private static final long SEASON = 4000;
  private static final long GRACE = 1000;

  /** Final ranks are written in chunks of 2,000. */
  private static final int BATCHES = 5;

  private static final int LINES = 1000;
  private static final String BOARD = "/api/v1/leaderboards/rounds";
  private static final String DEFINITION =
      """
      {"UUID":"rounds","update":"SUM","decimals":0,"windows":[
        {"name":"round","schedule":"cron","cronExpression":"*/4 * * * * ?","grace":"PT1S",
         "prizes":[{"name":"first","from":1},{"name":"half","percent":50}]}]}
      """;

  @TempDir Path folder = Path.of("");

  /** What each season holds, by its start: the sums of what was acknowledged. */
  private final Map<Long, Map<String, Long>> expected = new TreeMap<>();

  @Test
  void seasons_killedWhileTheyEnd_endOnceAndRight(Random random) throws Exception {
    Path archive = LaurelProcess.makeArchive(folder);
    try (HookReceiver receiver = new HookReceiver();
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      for (int kill = 0; kill < KILLS; kill++) {
        try (LaurelProcess laurel = start(archive)) {
          Api api = new Api(client, laurel.awaitReady());
          if (kill == 0) {
            api.call("POST", "/api/v1/webhooks", "{\"url\":\"" + receiver.url("/") + "\"}", 201);
            api.call("POST", "/api/v1/leaderboards", DEFINITION, 201);
          }
          long end = play(api, random);
          if (kill % 2 == 0) {
            killAtAMessage(receiver, laurel);
          } else {
            long moment = end + random.nextLong(GRACE + 1500) - System.currentTimeMillis();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.max(0, moment)));
          }
          laurel.kill();
        }
      }
      receiver.beforeAnswer(() -> {});
      try (LaurelProcess laurel = start(archive)) {
        Api api = new Api(client, laurel.awaitReady());
        api.call("PATCH", BOARD, "{\"status\":\"COMPLETED\"}", 200);
        List<JsonNode> seasons = awaitEnd(api);
        checkSeasons(api, seasons);
        checkHooks(api, seasons, receiver);
      }
    }
  }

  private LaurelProcess start(Path archive) throws IOException {
    return LaurelProcess.spawn(
        folder, archive, "--shortest-season", "1", "--webhook-private", "allow");
  }

  /** Sends scores of this moment, until some are in time, and returns when their season ends. */
  private long play(Api api, Random random) throws IOException {
    long start;
    do {
      start = playAt(System.currentTimeMillis(), api, random);
    } while (!expected.containsKey(start));
    return start + SEASON;
  }

  private long playAt(long now, Api api, Random random) throws IOException {
    long start = now - now % SEASON;
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Write.Line> lines = new ArrayList<>();
      for (int i = 0; i < LINES; i++) {
        lines.add(new Write.Line("u" + (batch * LINES + i), random.nextInt(999), now, null));
      }
      String body = Write.batch(lines);
      JsonNode results = api.call("POST", BOARD + "/scores", body, 200).json().at("/results");
      for (int i = 0; i < LINES; i++) {
        if (results.get(i).get("outcome").asString().equals("APPLIED")) {
          expected
              .computeIfAbsent(start, _ -> new HashMap<>())
              .merge(lines.get(i).user(), lines.get(i).value(), Long::sum);
        } else {
          // The machine was slow: their season was over, grace period included.
          assertThat(results.get(i).get("code").asString()).isEqualTo("SEASON_CLOSED");
        }
      }
    }
    return start;
  }

  /** Inside a webhook round: the receiver has it, the sender will never know. */
  private static void killAtAMessage(HookReceiver receiver, LaurelProcess laurel)
      throws InterruptedException {
    CountDownLatch killed = new CountDownLatch(1);
    receiver.beforeAnswer(
        () -> {
          laurel.kill();
          killed.countDown();
        });
    assertThat(killed.await(2, TimeUnit.MINUTES)).as("a webhook").isTrue();
  }

  private List<JsonNode> awaitEnd(Api api) throws IOException {
    List<JsonNode> seasons = new ArrayList<>();
    Poll.until(
        "every season is final and every webhook delivered",
        Duration.ofMinutes(4),
        () -> {
          try {
            seasons.clear();
            api.get(BOARD + "/seasons?limit=1000").json().get("seasons").forEach(seasons::addFirst);
            return seasons.stream().allMatch(season -> season.get("final").asBoolean())
                && api.get("/api/v1/webhooks/1/deliveries?state=PENDING")
                    .json()
                    .get("deliveries")
                    .isEmpty();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return seasons;
  }

  /** None is missing, none is there twice, and each has the ranks and prizes of its own scores. */
  private void checkSeasons(Api api, List<JsonNode> seasons) throws IOException {
    long first = Api.millis(seasons.getFirst().get("startTime")) / SEASON;
    for (int i = 0; i < seasons.size(); i++) {
      // The first begins with the board's creation, or with its cycle: the same number.
      assertThat(Api.millis(seasons.get(i).get("startTime")) / SEASON).isEqualTo(first + i);
    }
    Map<Long, Map<String, Long>> found = new TreeMap<>();
    for (JsonNode season : seasons) {
      Map<String, Long> scores = scores(api, season.get("instanceId").asString());
      if (!scores.isEmpty()) {
        found.put(Api.millis(season.get("startTime")) / SEASON * SEASON, scores);
      }
      JsonNode prizes =
          api.get(BOARD + "/prizes?season=" + season.get("instanceId").asString())
              .json()
              .get("tiers");
      assertThat(prizes.at("/0/winners").size()).isEqualTo(Math.min(1, scores.size()));
      assertThat(prizes.at("/1/winners").size())
          .isEqualTo(Math.max(0, (scores.size() + 1) / 2 - 1));
    }
    assertThat(found).isEqualTo(expected);
    assertThat(found).hasSizeGreaterThan(KILLS / 2);
  }

  private static Map<String, Long> scores(Api api, String season) throws IOException {
    Map<String, Long> scores = new HashMap<>();
    String cursor = "";
    while (true) {
      JsonNode page = api.get(BOARD + "/top?limit=1000&season=" + season + cursor).json();
      for (JsonNode user : page.get("users")) {
        scores.put(user.get("userId").asString(), user.get("score").asLong());
      }
      if (page.get("nextCursor") == null) {
        return scores;
      }
      cursor = "&cursor=" + page.get("nextCursor").asString();
    }
  }

  /** One delivery for each thing that happened; what came twice came under the same id. */
  private static void checkHooks(Api api, List<JsonNode> seasons, HookReceiver receiver)
      throws IOException {
    List<String> happened = new ArrayList<>();
    for (JsonNode season : seasons) {
      for (String event :
          List.of("season.started", "season.closing_soon", "season.completed", "prizes.ready")) {
        happened.add(season.get("instanceId").asString() + " " + event);
      }
    }
    Map<String, String> sent = new HashMap<>();
    for (JsonNode delivery :
        api.get("/api/v1/webhooks/1/deliveries?limit=1000").json().get("deliveries")) {
      assertThat(delivery.get("state").asString()).isEqualTo("DELIVERED");
      sent.put(
          delivery.get("deliveryId").asString(),
          delivery.at("/payload/season/instanceId").asString()
              + " "
              + delivery.get("event").asString());
    }
    assertThat(sent.values()).containsExactlyInAnyOrderElementsOf(happened);
    assertThat(receiver.messages().stream().map(HookReceiver.Message::delivery).distinct())
        .containsExactlyInAnyOrderElementsOf(sent.keySet());
    Map<String, List<String>> bodies =
        receiver.messages().stream()
            .collect(
                Collectors.groupingBy(
                    HookReceiver.Message::delivery,
                    Collectors.mapping(HookReceiver.Message::body, Collectors.toList())));
    assertThat(bodies.values()).allSatisfy(same -> assertThat(same).containsOnly(same.getFirst()));
  }
}
