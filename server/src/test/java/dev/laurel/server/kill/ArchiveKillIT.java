package dev.laurel.server.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * {@code kill -9} while a season goes to the archive, from the tables, and back: each start goes on
 * where the last one was, the answers are the same all the time, and nothing is left half done.
 */
@ExtendWith(Seeds.class)
class ArchiveKillIT {
  private static final int USERS = 20_000;
  private static final int MAX_STARTS = 60;
  private static final String BOARD = "/api/v1/leaderboards/short";

  /** Seasons of five seconds: the one of the test is over, and not the newest, soon. */
  private static final String DEFINITION =
      """
      {"UUID":"short","decimals":0,"windows":[
        {"name":"w","schedule":"cron","cronExpression":"0/5 * * * * ?","grace":"PT5S"}]}""";

  @TempDir Path folder = Path.of("");

  private LaurelProcess spawn(boolean purge) throws IOException {
    return LaurelProcess.spawn(
        folder,
        folder.resolve("laurel.jsa"),
        "--shortest-season",
        "1",
        "--archive-after",
        "PT0S",
        "--purge-after",
        purge ? "PT0S" : "never");
  }

  @Test
  void serve_killedWhileItArchivesPurgesAndRestores_finishesEach(Random random) throws Exception {
    String at = "at=" + Instant.now().truncatedTo(ChronoUnit.SECONDS);
    String expected;
    String season;
    try (LaurelProcess laurel = spawn(true);
        HttpClient client = HttpClient.newHttpClient()) {
      Api api = new Api(client, laurel.awaitReady());
      api.call("POST", "/api/v1/leaderboards", DEFINITION, 201);
      do { // a slow machine is too late for its own season
        at = "at=" + Instant.now().truncatedTo(ChronoUnit.SECONDS);
      } while (!submit(api, at.substring(3)));
      expected = api.get(BOARD + "/export?" + at).body();
      season = seasonOf(api, at.substring(3));
      assertThat(expected.lines()).hasSize(1 + USERS);
    }
    int purged = killUntil("PURGED", true, season, at, expected, random);
    try (LaurelProcess laurel = spawn(false);
        HttpClient client = HttpClient.newHttpClient()) {
      Api api = new Api(client, laurel.awaitReady());
      api.call("POST", "/api/v1/archives/" + season + "/verify", "", 200);
      api.call("POST", "/api/v1/archives/" + season + "/restore", "", 202);
    }
    int restored = killUntil("ARCHIVED", false, season, at, expected, random);
    System.out.printf("%d starts until it was purged, %d to restore it%n", purged, restored);
    // At most what the very last kill interrupted; every start removes what it finds.
    String[] left = folder.resolve("data").resolve("archive-work").toFile().list();
    assertThat(left == null ? 0 : left.length).isLessThanOrEqualTo(1);
  }

  /** Whether all were in time. */
  private static boolean submit(Api api, String time) throws IOException {
    for (int from = 0; from < USERS; from += 1000) {
      StringBuilder body = new StringBuilder("{\"scores\":[");
      for (int i = from; i < from + 1000; i++) {
        body.append(i == from ? "" : ",");
        body.append("{\"userId\":\"u").append(i).append("\",\"score\":").append(i / 3);
        body.append(",\"timestamp\":\"").append(time).append("\"}");
      }
      JsonNode answer =
          api.call("POST", BOARD + "/scores", body.append("]}").toString(), 200).json();
      for (JsonNode result : answer.get("results")) {
        if (!result.get("outcome").asString().equals("APPLIED")) {
          return false;
        }
      }
    }
    return true;
  }

  private static String seasonOf(Api api, String time) throws IOException {
    Instant instant = Instant.parse(time);
    for (JsonNode season : api.get(BOARD + "/seasons?limit=1000").json().get("seasons")) {
      if (!Instant.parse(season.get("startTime").asString()).isAfter(instant)
          && Instant.parse(season.get("endTime").asString()).isAfter(instant)) {
        return season.get("instanceId").asString();
      }
    }
    throw new AssertionError("no season covers " + time);
  }

  /** How many starts it took. */
  private int killUntil(
      String state, boolean purge, String season, String at, String expected, Random random)
      throws IOException {
    for (int starts = 1; starts <= MAX_STARTS; starts++) {
      try (LaurelProcess laurel = spawn(purge);
          HttpClient client = HttpClient.newHttpClient()) {
        Api api = new Api(client, laurel.awaitReady());
        assertThat(api.get(BOARD + "/export?" + at).body()).isEqualTo(expected);
        String now = api.get("/api/v1/archives/" + season).json().get("state").asString();
        if (now.equals(state)) {
          return starts;
        }
        LockSupport.parkNanos(random.nextInt(400_000_000)); // in the middle of something
        laurel.kill();
      }
    }
    throw new AssertionError("not " + state + " after " + MAX_STARTS + " starts");
  }
}
