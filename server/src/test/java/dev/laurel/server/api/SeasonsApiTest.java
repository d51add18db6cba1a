package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.ManualClock;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Boards with several windows, read while their seasons come and go. */
class SeasonsApiTest {
  private static final String SOLO =
      """
      {"UUID":"game:solo","update":"SUM","windows":[
        {"schedule":"daily","timeZone":"Europe/Berlin",
         "prizes":[{"name":"gold","from":1,"reward":{"coins":100}},{"name":"half","percent":50}]},
        {"schedule":"weekly","timeZone":"Europe/Berlin"},
        {"schedule":"all-time"}]}
      """;
  private static final String BOARD = Api.BOARDS + "/game:solo";

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-14T12:00:00Z"));

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @BeforeEach
  void start() {
    server = TestServer.start(clock);
    api = Api.admin(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** The scheduler looks about once a second; a state is waited for, not a time. */
  private void turnTo(String time, String newestDaily) {
    clock.set(Instant.parse(time));
    Poll.until(
        "the season " + newestDaily,
        () -> {
          Answer seasons = api.get(BOARD + "/seasons?period=daily");
          return seasons.at("/seasons/0/label").equals(newestDaily)
              && seasons.at("/seasons/0/status").equals("ACTIVE")
              && seasons.at("/seasons/1/final").equals("true");
        });
  }

  @Test
  void windows_ofAGame_areReadByPeriodSeasonAndTime() {
    Answer created = api.post(Api.BOARDS, SOLO).is(201);
    assertThat(created.all("/windows", "name")).containsExactly("daily", "weekly", "all-time");
    for (int i = 1; i <= 4; i++) {
      api.score(BOARD, "u" + i, "'score':" + i).is(200);
    }
    turnTo("2026-11-15T12:00:00Z", "game:solo-2026-11-15-daily");
    api.score(BOARD, "u1", "'score':7").is(200);

    assertThat(api.get(BOARD + "/top?limit=10").is(200).all("/users", "userId"))
        .containsExactly("u1");
    assertThat(api.get(BOARD + "/top?limit=10&period=weekly").is(200).all("/users", "score"))
        .containsExactly("8", "4", "3", "2");
    Answer yesterday = api.get(BOARD + "/top?limit=10&season=previous").is(200);
    assertThat(yesterday.all("/users", "userId")).containsExactly("u4", "u3", "u2", "u1");
    assertThat(yesterday.header("Laurel-Source")).isEqualTo("final");
    assertThat(
            api.get(BOARD + "/users/u3/around?at=2026-11-14T12:00:00Z&window=1")
                .is(200)
                .all("/above", "userId"))
        .containsExactly("u4");
    assertThat(api.get(BOARD + "/users/u2/rank?season=previous").is(200).number("/rank"))
        .isEqualTo(3);
    assertThat(
            api.get("/v1/games/solo/leaderboard?period=daily&season=previous")
                .is(200)
                .number("/total"))
        .isEqualTo(4);

    Answer history = api.get(BOARD + "/users/u1/history").is(200);
    assertThat(history.all("/seasons", "rank")).containsExactly("1", "4");
    assertThat(history.all("/seasons", "score")).containsExactly("7", "1");
  }

  @Test
  void score_ofYesterday_saysWhichWindowsItMissed() {
    api.post(Api.BOARDS, SOLO).is(201);
    api.score(BOARD, "u1", "'score':1").is(200);
    turnTo("2026-11-15T12:00:00Z", "game:solo-2026-11-15-daily");
    Answer now = api.score(BOARD, "u2", "'score':5").is(200);
    assertThat(now.at("/period")).isEqualTo("daily");
    assertThat(now.json().has("missed")).isFalse();
    String yesterday = "'score':3,'timestamp':'2026-11-14T13:00:00Z'";
    Answer late = api.score(BOARD, "u1", yesterday).is(200);
    assertThat(late.at("/period")).isEqualTo("weekly");
    assertThat(late.json().at("/missed")).extracting(n -> n.asString()).containsExactly("daily");
    assertThat(late.at("/score")).isEqualTo("4");
    assertThat(late.number("/rank")).isEqualTo(2);
    Answer batch = api.post(BOARD + "/scores", "{'scores':[{'userId':'u3'," + yesterday + "}]}");
    assertThat(batch.is(200).at("/results/0/missed/0")).isEqualTo("daily");
    assertThat(batch.at("/results/0/period")).isEqualTo("weekly");
  }

  @Test
  void prizes_ofADay_areADryRunUntilItIsOver() {
    api.post(Api.BOARDS, SOLO).is(201);
    for (int i = 1; i <= 4; i++) {
      api.score(BOARD, "u" + i, "'score':" + i).is(200);
    }
    Answer before = api.get(BOARD + "/prizes").is(200);
    assertThat(before.at("/dryRun")).isEqualTo("true");
    assertThat(before.all("/tiers/0/winners", "userId")).containsExactly("u4");
    assertThat(before.all("/tiers/1/winners", "userId")).containsExactly("u3");
    turnTo("2026-11-15T12:00:00Z", "game:solo-2026-11-15-daily");
    Answer after = api.get(BOARD + "/prizes?season=previous").is(200);
    assertThat(after.at("/dryRun")).isEqualTo("false");
    assertThat(after.all("/tiers/0/winners", "userId")).containsExactly("u4");
    assertThat(after.at("/tiers/0/tier/reward/coins")).isEqualTo("100");
  }

  @Test
  void instances_byTheirId_areAnsweredAsDocument003Says() {
    api.post(Api.BOARDS, SOLO).is(201);
    api.score(BOARD, "u1", "'score':5").is(200);
    String id = api.get(BOARD + "/seasons").is(200).at("/seasons/0/instanceId");
    Answer top = api.get("/leaderboards/" + id + "/top?k=3").is(200);
    assertThat(top.all("/users", "userId")).containsExactly("u1");
    assertThat(api.get("/leaderboards/" + id + "/rank/u1").is(200).number("/rank")).isEqualTo(1);
    api.get("/leaderboards/" + id + "/rank/nobody").refused(404, "USER_NOT_FOUND");
    api.get("/leaderboards/nothing/top?k=3").refused(404, "SEASON_NOT_FOUND");
    api.get("/leaderboards/" + id + "x/top?k=3").refused(404, "SEASON_NOT_FOUND");
    api.get("/leaderboards/" + id + "/top").refused(400, "VALIDATION_ERROR");
  }

  @Test
  void reads_ofWhatIsNotThere_sayWhatIs() {
    api.post(Api.BOARDS, SOLO).is(201);
    Answer period = api.get(BOARD + "/top?limit=1&period=yearly").refused(404, "PERIOD_NOT_FOUND");
    assertThat(period.message()).contains("daily | weekly | all-time");
    api.get(BOARD + "/top?limit=1&season=previous").refused(404, "SEASON_NOT_FOUND");
    api.get(BOARD + "/top?limit=1&at=2020-01-01T00:00:00Z").refused(404, "SEASON_NOT_FOUND");
    api.get(BOARD + "/top?limit=1&at=noon").refused(400, "VALIDATION_ERROR");
    api.get(BOARD + "/top?limit=1&season=x").refused(400, "VALIDATION_ERROR");
    api.get(BOARD + "/top?limit=1&season=current&at=2026-11-14T12:00:00Z")
        .refused(400, "VALIDATION_ERROR");
  }

  @Test
  void create_windowsThatMakeNoSense_areRefusedByName() {
    refused("[]", "windows");
    refused("[{'schedule':'yearly'}]", "schedule");
    refused("[{'schedule':'daily','timeZone':'Mars/Olympus'}]", "timeZone");
    refused("[{'schedule':'daily','timeZone':'UTC+3'}]", "timeZone");
    refused("[{'schedule':'daily','name':'Daily'}]", "windows.name");
    refused("[{'schedule':'daily'},{'schedule':'daily'}]", "windows.name");
    refused("[{'schedule':'cron','cronExpression':'0 0 0 30 2 ?'}]", "cronExpression");
    refused("[{'schedule':'cron','cronExpression':'often'}]", "cronExpression");
    refused("[{'schedule':'cron','cronExpression':'*/30 * * * * ?'}]", "at least PT1M");
    refused("[{'schedule':'cron','cronExpression':'0,1 0 0 1 1 ?'}]", "would last PT1S");
    refused(
        "[{'schedule':'cron','cronExpression':'0 0 * * * ?','duration':'PT59S'}]", "last PT59S");
    refused("[{'schedule':'every','every':0,'unit':'DAYS','from':'2026-01-01'}]", "every");
    refused("[{'schedule':'every','every':2,'unit':'DAYS','from':'soon'}]", "from");
    refused("[{'schedule':'daily','grace':'P400D'}]", "grace");
    refused("[{'schedule':'daily','capacity':0}]", "capacity");
    refused("[{'schedule':'daily','prizes':[{'name':'x','from':3,'to':2}]}]", "to");
    refused("[{'schedule':'daily','prizes':[{'name':'x','percent':101}]}]", "percent");
  }

  private void refused(String windows, String field) {
    String body = "{'UUID':'refused','windows':%s}".formatted(windows).replace('\'', '"');
    Answer answer = api.post(Api.BOARDS, body).is(400);
    assertThat(answer.message()).contains(field);
    api.get(Api.BOARDS + "/refused").is(404);
  }
}
