package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Scores in: one, many, their rules, exactness, times, metadata, and the way out. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScoresApiTest {
  private static final String EARLY = "'timestamp':'2024-01-15T10:00:00Z'";
  private static final String LATE = "'timestamp':'2024-01-15T11:00:00Z'";

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @BeforeAll
  void start() {
    server = TestServer.start();
    api = Api.admin(server);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private void is(String board, String user, String score, String time) {
    Answer rank = api.get(board + "/users/" + user + "/rank").is(200);
    assertThat(rank.at("/score")).isEqualTo(score);
    assertThat(rank.at("/timestamp")).isEqualTo(time);
  }

  @Test
  void put_timestamp_isTheTimeTheScoreWasReached() {
    String board = api.board("timestamps");
    Answer put =
        api.score(board, "ann", "'score':5,'timestamp':'2024-01-15T12:30:00.250+02:00'").is(200);
    assertThat(put.at("/updatedAt")).isEqualTo("2024-01-15T10:30:00.250Z");
    is(board, "ann", "5", "2024-01-15T10:30:00.250Z");
    // An unchanged score keeps its time.
    api.score(board, "ann", "'score':5").is(200);
    is(board, "ann", "5", "2024-01-15T10:30:00.250Z");
  }

  @Test
  void put_futureTimestamp_isRefusedBeyondFiveMinutes() {
    String board = api.board("future");
    Instant now = Instant.now();
    api.score(board, "ann", "'score':1,'timestamp':'" + now.plusSeconds(240) + "'").is(200);
    api.score(board, "ann", "'score':2,'timestamp':'" + now.plusSeconds(400) + "'")
        .refused(422, "TIME_IN_FUTURE");
    // Without a time of its own a score does not lose to the fast clock.
    assertThat(api.score(board, "ann", "'score':3").is(200).at("/outcome")).isEqualTo("APPLIED");
    api.score(board, "ann", "'score':2,'timestamp':'9999-12-31T23:59:59Z'")
        .refused(422, "TIME_IN_FUTURE");
    for (String bad :
        List.of("now", "2024-01-15", "+10000-01-01T00:00:00Z", "1969-12-31T23:59:59Z")) {
      api.score(board, "ann", "'score':2,'timestamp':'" + bad + "'")
          .refused(400, "VALIDATION_ERROR");
    }
    api.score(board, "ann", "'score':2,'timestamp':1705312800000").refused(400, "VALIDATION_ERROR");
  }

  @Test
  void put_latest_olderEventsChangeNothing() {
    String board = api.board("latest");
    api.score(board, "ann", "'score':5," + LATE).is(200);
    Answer older = api.score(board, "ann", "'score':9," + EARLY).is(200);
    assertThat(older.at("/outcome")).isEqualTo("UNCHANGED");
    assertThat(older.at("/score")).isEqualTo("5");
    is(board, "ann", "5", "2024-01-15T11:00:00Z");
  }

  @Test
  void put_modes_belongToTheSubmission() {
    String board = api.board("modes");
    assertThat(api.score(board, "ann", "'score':5,'mode':'best'").at("/score")).isEqualTo("5");
    Answer lower = api.score(board, "ann", "'score':3,'mode':'best'").is(200);
    assertThat(lower.at("/outcome") + lower.at("/score")).isEqualTo("UNCHANGED5");
    assertThat(api.score(board, "ann", "'score':3,'mode':'latest'").at("/score")).isEqualTo("3");
    assertThat(api.score(board, "ann", "'score':4.5,'mode':'increment'").at("/score"))
        .isEqualTo("7.5");
    assertThat(api.score(board, "ann", "'score':-2.5,'mode':'increment'").at("/score"))
        .isEqualTo("5");
    assertThat(api.score(board, "ann", "'score':1").at("/score")).isEqualTo("1");
    api.score(board, "ann", "'score':1,'mode':'median'").refused(400, "VALIDATION_ERROR");
  }

  @Test
  void put_sumBoard_addsInsideTheBounds() {
    String board = api.board("sum", "'update':'SUM'", "'bounds':{'min':-1,'max':10}");
    assertThat(api.score(board, "ann", "'score':6").at("/score")).isEqualTo("6");
    assertThat(api.score(board, "ann", "'score':4").at("/score")).isEqualTo("10");
    api.score(board, "ann", "'score':0.000001").refused(422, "SCORE_OUT_OF_BOUNDS");
    assertThat(api.score(board, "ann", "'score':-11").at("/score")).isEqualTo("-1");
    api.score(board, "ann", "'score':-0.5").refused(422, "SCORE_OUT_OF_BOUNDS");
    is(board, "ann", "-1", api.get(board + "/users/ann/rank").at("/timestamp"));
  }

  @Test
  void put_bounds_areInclusiveAndZeroIsTheDefaultMinimum() {
    String board = api.board("bounds", "'decimals':1", "'bounds':{'max':10}");
    api.score(board, "a", "'score':0").is(200);
    api.score(board, "b", "'score':10").is(200);
    api.score(board, "c", "'score':-0.1").refused(422, "SCORE_OUT_OF_BOUNDS");
    api.score(board, "c", "'score':10.1").refused(422, "SCORE_OUT_OF_BOUNDS");
    // Rounded first, then judged: what would be stored is what counts.
    assertThat(api.score(board, "c", "'score':10.04").is(200).at("/score")).isEqualTo("10");
    api.score(board, "d", "'score':10.05").refused(422, "SCORE_OUT_OF_BOUNDS");
    assertThat(api.score(board, "d", "'score':-0.04").is(200).at("/score")).isEqualTo("0");
    assertThat(api.get(board).number("/totalUsers")).isEqualTo(4);
  }

  @Test
  void put_decimals_areRoundedHalfAwayFromZero() {
    String board = api.board("round", "'decimals':2", "'bounds':{'min':-100}");
    String[][] cases = {
      {"1.005", "1.01"},
      {"1.004999", "1"},
      {"-1.005", "-1.01"},
      {"2.675", "2.68"},
      {"1e-2", "0.01"},
      {"0.005", "0.01"},
      {"0.0049", "0"},
      {"-0.005", "-0.01"},
      {"12.5e1", "125"},
      {"1.10", "1.1"},
      {"1E+2", "100"},
      {"-0", "0"},
      {"-0.0", "0"}
    };
    for (String[] each : cases) {
      Answer put = api.score(board, "u", "'score':" + each[0]).is(200);
      assertThat(put.text()).as(each[0]).contains("\"score\":" + each[1] + ",");
    }
  }

  @Test
  void put_scoresBeyondADouble_areExactAndRankedApart() {
    String board = api.board("exact", "'decimals':0");
    api.score(board, "even", "'score':9007199254740992," + EARLY).is(200);
    api.score(board, "odd", "'score':9007199254740993," + LATE).is(200);
    api.score(board, "max", "'score':9223372036854775807").is(200);
    api.score(board, "over", "'score':9223372036854775808").refused(400, "INVALID_SCORE");
    Answer top = api.get(board + "/top?limit=3").is(200);
    assertThat(top.all("/users", "userId")).containsExactly("max", "odd", "even");
    assertThat(top.text())
        .contains(":9223372036854775807,", ":9007199254740993,", ":9007199254740992,");
    assertThat(api.get(board + "/users/odd/rank").number("/rank")).isEqualTo(2);
    assertThat(api.get(board + "/users/even/rank").number("/rank")).isEqualTo(3);
  }

  @Test
  void put_metadata_isReturnedByRankAndBoundedTo4KiB() {
    String board = api.board("metadata");
    String odd = "{'source' : 'game-match-789', 'n':[1, 2.50, 1e400], 's':'\\ud83c\\udfc6 \u2028'}";
    api.score(board, "ann", "'score':1,'metadata':" + odd).is(200);
    assertThat(api.get(board + "/users/ann/rank").is(200).text())
        .contains("\"metadata\":" + odd.replace('\'', '"'));
    String largest = "{'a':'" + "x".repeat(4096 - 8) + "'}";
    api.score(board, "bob", "'score':1,'metadata':" + largest).is(200);
    assertThat(api.get(board + "/users/bob/rank").text()).contains(largest.replace('\'', '"'));
    String larger = "{'a':'" + "x".repeat(4096 - 7) + "'}";
    api.score(board, "cy", "'score':1,'metadata':" + larger).refused(400, "VALIDATION_ERROR");
    String wide = "{'a':'" + "\u20ac".repeat(1364) + "'}";
    api.score(board, "cy", "'score':1,'metadata':" + wide).refused(400, "VALIDATION_ERROR");
    for (String bad : List.of("[]", "'x'", "5", "true")) {
      api.score(board, "cy", "'score':1,'metadata':" + bad).refused(400, "VALIDATION_ERROR");
    }
    // The next score without any has none.
    api.score(board, "ann", "'score':2").is(200);
    assertThat(api.get(board + "/users/ann/rank").json().propertyNames())
        .doesNotContain("metadata");
  }

  @Test
  void post_batch_answersEachLineInOrder() {
    String board = api.board("batch", "'update':'BEST'", "'bounds':{'max':100}");
    Answer batch =
        api.post(
                board + "/scores",
                "{'scores':[{'userId':'a','score':5,"
                    + EARLY
                    + "},{'userId':'b','score':101},"
                    + "{'userId':'a','score':4},{'userId':'a','score':6,'eventId':'e1'},"
                    + "{'userId':'a','score':6,'eventId':'e1'},{'userId':'c','score':1,'eventId':'e1'},"
                    + "{'userId':'','score':1},{'score':1},{'userId':'d'},{'userId':'d','score':'1'},"
                    + "5,null,[],{'userId':'d','score':1,'x':1},{'userId':'d','score':1,'mode':'increment'},"
                    + "{'userId':7,'score':1}]}")
            .is(200);
    assertThat(batch.all("/results", "outcome"))
        .containsExactly(
            "APPLIED",
            "REJECTED",
            "UNCHANGED",
            "APPLIED",
            "DUPLICATE",
            "REJECTED",
            "REJECTED",
            "REJECTED",
            "REJECTED",
            "REJECTED",
            "REJECTED",
            "REJECTED",
            "REJECTED",
            "REJECTED",
            "APPLIED",
            "REJECTED");
    assertThat(batch.all("/results", "code"))
        .containsExactly(
            "",
            "SCORE_OUT_OF_BOUNDS",
            "",
            "",
            "",
            "EVENT_ID_CONFLICT",
            "VALIDATION_ERROR",
            "VALIDATION_ERROR",
            "VALIDATION_ERROR",
            "VALIDATION_ERROR",
            "VALIDATION_ERROR",
            "VALIDATION_ERROR",
            "VALIDATION_ERROR",
            "UNKNOWN_FIELD",
            "",
            "VALIDATION_ERROR");
    assertThat(batch.all("/results", "score").subList(0, 5))
        .containsExactly("5", "", "5", "6", "6");
    assertThat(batch.all("/results", "userId").subList(0, 3)).containsExactly("a", "b", "a");
    assertThat(api.get(board + "/top?limit=9").all("/users", "userId")).containsExactly("a", "d");
  }

  @Test
  void post_batchSizes_are1To1000() {
    String board = api.board("sizes");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 1001; i++) {
      lines.add("{'userId':'u" + i + "','score':" + i + "}");
    }
    api.post(board + "/scores", "{'scores':[" + String.join(",", lines) + "]}")
        .refused(400, "VALIDATION_ERROR");
    api.post(board + "/scores", "{'scores':[]}").refused(400, "VALIDATION_ERROR");
    assertThat(api.get(board).number("/totalUsers")).isZero();
    Answer full =
        api.post(board + "/scores", "{'scores':[" + String.join(",", lines.subList(0, 1000)) + "]}")
            .is(200);
    assertThat(full.all("/results", "outcome")).hasSize(1000).containsOnly("APPLIED");
    assertThat(api.get(board).number("/totalUsers")).isEqualTo(1000);
    // Nothing that can be read: still an answer for each line.
    assertThat(api.post(board + "/scores", "{'scores':[1,2]}").is(200).all("/results", "outcome"))
        .containsExactly("REJECTED", "REJECTED");
  }

  @Test
  void put_eventIdAgain_changesNothingAndHasTheRank() {
    String board = api.board("events", "'update':'SUM'");
    String event = "'score':5,'eventId':'event-uuid-456'";
    assertThat(api.score(board, "ann", event).is(200).at("/outcome")).isEqualTo("APPLIED");
    api.score(board, "bob", "'score':50").is(200);
    for (String key : List.of("", "k1", "k1")) {
      Answer again =
          api.with(key.isEmpty() ? new String[0] : new String[] {"Idempotency-Key", key})
              .score(board, "ann", event)
              .is(200);
      assertThat(again.at("/outcome")).isEqualTo("DUPLICATE");
      assertThat(again.at("/score")).isEqualTo("5");
      assertThat(again.number("/rank")).isEqualTo(2);
    }
    api.score(board, "ann", "'score':6,'eventId':'event-uuid-456'")
        .refused(409, "EVENT_ID_CONFLICT");
    api.score(board, "cy", event).refused(409, "EVENT_ID_CONFLICT");
    api.get(board + "/users/cy/rank").refused(404, "USER_NOT_FOUND");
    // Another board, other ids.
    api.score(api.board("events-2"), "cy", event).is(200);
    api.delete(board + "/users/ann").is(200);
    Answer gone = api.score(board, "ann", event).is(200);
    assertThat(gone.at("/outcome")).isEqualTo("DUPLICATE");
    assertThat(gone.json().propertyNames()).doesNotContain("rank");
  }

  @Test
  void delete_user_isGoneUntilANewerScore() {
    String board = api.board("delete");
    api.score(board, "ann", "'score':5," + LATE).is(200);
    api.score(board, "bob", "'score':4").is(200);
    assertThat(api.delete(board + "/users/ann").is(200).text())
        .isEqualTo("{\"UUID\":\"delete\",\"userId\":\"ann\",\"deleted\":true}");
    api.get(board + "/users/ann/rank").refused(404, "USER_NOT_FOUND");
    api.get(board + "/users/ann/around").refused(404, "USER_NOT_FOUND");
    assertThat(api.get(board + "/users/bob/rank").number("/rank")).isEqualTo(1);
    assertThat(api.get(board).number("/totalUsers")).isEqualTo(1);
    api.delete(board + "/users/ann").refused(404, "USER_NOT_FOUND");
    api.delete(board + "/users/never").refused(404, "USER_NOT_FOUND");
    api.delete(board + "/users/%01").refused(400, "VALIDATION_ERROR");
    for (String key : List.of("", "d1", "d1")) {
      Answer older =
          api.with(key.isEmpty() ? new String[0] : new String[] {"Idempotency-Key", key})
              .score(board, "ann", "'score':9," + EARLY)
              .is(200);
      assertThat(older.json().propertyNames()).containsExactly("UUID", "userId", "outcome");
      assertThat(older.at("/outcome")).isEqualTo("UNCHANGED");
    }
    Answer line =
        api.post(board + "/scores", "{'scores':[{'userId':'ann','score':9," + EARLY + "}]}");
    assertThat(line.is(200).json().at("/results/0").propertyNames())
        .containsExactly("userId", "outcome");
    assertThat(api.score(board, "ann", "'score':1").is(200).number("/rank")).isEqualTo(2);
  }

  @Test
  void sum_beyondTheBounds_namesWhatItWouldBeAddedTo() {
    String board = api.board("bounded-sum", "'update':'SUM','bounds':{'max':100}");
    api.score(board, "ann", "'score':70").is(200);
    Answer refused = api.score(board, "ann", "'score':40").refused(422, "SCORE_OUT_OF_BOUNDS");
    assertThat(refused.at("/error/message")).contains("40 added to the score so far");
  }

  /** A refusal is not stored, so it is made again: meanwhile the user may have got an entry. */
  @Test
  void sum_belowTheBounds_isRefusedInTheSameWordsBeforeAndAfterTheFirstScore() {
    String board = api.board("negative-sum", "'update':'SUM'");
    String body = "'score':-5,'eventId':'e1'";
    // Nobody knows this user yet, not even from another board.
    Answer unknown = api.score(board, "never-seen", body).refused(422, "SCORE_OUT_OF_BOUNDS");
    api.score(board, "never-seen", "'score':1").is(200);
    Answer known = api.score(board, "never-seen", body).refused(422, "SCORE_OUT_OF_BOUNDS");
    assertThat(known.at("/error/message")).isEqualTo(unknown.at("/error/message"));
  }
}
