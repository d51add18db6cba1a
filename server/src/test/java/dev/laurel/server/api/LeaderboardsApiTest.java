package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The boards API, request by request, and the life of a board. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeaderboardsApiTest {
  /** The document's body; its end is long past. */
  private static final String DOCUMENT =
      """
      {
        "UUID": "%s",
        "podId": "pod-1",
        "name": "Monthly Challenge",
        "startTime": "2024-01-01T00:00:00Z",
        "endTime": "%s",
        "metadata": {
          "category": "gaming",
          "prize": "Gold Medal"
        }
      }
      """;

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

  @Test
  void document_itsExamples_areAnsweredLiterally() {
    String uuid = "client-provided-uuid-123";
    String board = Api.BOARDS + "/" + uuid;
    String future =
        Instant.now().plus(30, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS).toString();
    Answer created = api.post(Api.BOARDS, DOCUMENT.formatted(uuid, future)).is(201);
    for (Answer answer : List.of(created, api.get(board).is(200))) {
      assertThat(answer.at("/UUID")).isEqualTo(uuid);
      assertThat(answer.at("/podId")).isEqualTo("pod-1");
      assertThat(answer.at("/name")).isEqualTo("Monthly Challenge");
      assertThat(answer.at("/status")).isEqualTo("ACTIVE");
      assertThat(answer.at("/startTime")).isEqualTo("2024-01-01T00:00:00Z");
      assertThat(answer.at("/endTime")).isEqualTo(future);
      assertThat(answer.at("/metadata/prize")).isEqualTo("Gold Medal");
      assertThat(answer.at("/createdBy")).isEqualTo("admin");
      assertThat(answer.number("/totalUsers")).isZero();
      assertThat(Instant.parse(answer.at("/createdAt")))
          .isBetween(Instant.now().minusSeconds(60), Instant.now());
    }

    Answer updated = api.put(board + "/users/user123", "{\"score\": 1500.5}").is(200);
    assertThat(updated.json().propertyNames())
        .containsExactly("UUID", "userId", "score", "rank", "updatedAt", "outcome");
    assertThat(updated.at("/UUID")).isEqualTo(uuid);
    assertThat(updated.at("/userId")).isEqualTo("user123");
    assertThat(updated.at("/score")).isEqualTo("1500.5");
    assertThat(updated.number("/rank")).isEqualTo(1);
    api.score(board, "user456", "'score':2300.0").is(200);
    assertThat(api.score(board, "user123", "'score':2500.5").is(200).number("/rank")).isEqualTo(1);

    Answer rank = api.get(board + "/users/user456/rank").is(200);
    assertThat(rank.number("/rank")).isEqualTo(2);
    assertThat(rank.at("/score")).isEqualTo("2300");
    assertThat(rank.at("/percentile")).isEqualTo("50");

    Answer top = api.get(board + "/top?limit=10").is(200);
    assertThat(top.at("/UUID")).isEqualTo(uuid);
    assertThat(top.json().at("/users/0").propertyNames())
        .containsExactly("userId", "rank", "score", "timestamp");
    assertThat(top.all("/users", "userId")).containsExactly("user123", "user456");
    assertThat(top.all("/users", "score")).containsExactly("2500.5", "2300");
    assertThat(top.number("/totalUsers")).isEqualTo(2);
    assertThat(Instant.parse(top.at("/retrievedAt"))).isAfter(Instant.now().minusSeconds(60));
    assertThat(api.get(board).is(200).number("/totalUsers")).isEqualTo(2);
  }

  @Test
  void document_itsOwnDates_areASeasonThatIsClosed() {
    api.post(Api.BOARDS, DOCUMENT.formatted("past", "2024-01-31T23:59:59Z")).is(201);
    String board = Api.BOARDS + "/past";
    api.score(board, "user123", "'score':1500.5").refused(422, "SEASON_CLOSED");
    api.score(board, "user123", "'score':1,'timestamp':'2024-01-15T10:30:00Z'")
        .refused(422, "SEASON_CLOSED");
    Answer batch = api.post(board + "/scores", "{'scores':[{'userId':'a','score':1}]}").is(200);
    assertThat(batch.at("/results/0/code")).isEqualTo("SEASON_CLOSED");
    assertThat(api.get(board + "/top?limit=1").is(200).number("/totalUsers")).isZero();
  }

  @Test
  void create_bareMinimum_getsTheContractsDefaults() {
    Answer board = api.post(Api.BOARDS, "{'UUID':'bare'}").is(201);
    assertThat(board.at("/name")).isEqualTo("bare");
    assertThat(board.at("/order")).isEqualTo("HIGHEST_FIRST");
    assertThat(board.at("/ties")).isEqualTo("EARLIEST_FIRST");
    assertThat(board.at("/update")).isEqualTo("LATEST");
    assertThat(board.number("/decimals")).isEqualTo(6);
    assertThat(board.json().at("/bounds").toString()).isEqualTo("{\"min\":0}");
    assertThat(board.at("/visibility")).isEqualTo("PRIVATE");
    assertThat(board.at("/status")).isEqualTo("ACTIVE");
    assertThat(board.number("/version")).isEqualTo(1);
    assertThat(board.json().propertyNames()).doesNotContain("podId", "startTime", "endTime");
    assertThat(board.json().at("/metadata").toString()).isEqualTo("{}");
  }

  @Test
  void create_everything_isKept() {
    String all =
        "{'UUID':'A.z_0:9~-','podId':'pod 1','name':'N \u2603','order':'LOWEST_FIRST','ties':'DENSE',"
            + "'update':'SUM','decimals':2,'bounds':{'min':-10.5,'max':99.99},'visibility':'PUBLIC',"
            + "'status':'DRAFT','metadata':{'a':[1,{'b':1e400}]}}";
    api.post(Api.BOARDS, all).is(201);
    Answer board = api.get(Api.BOARDS + "/A.z_0:9~-").is(200);
    assertThat(board.at("/order")).isEqualTo("LOWEST_FIRST");
    assertThat(board.at("/ties")).isEqualTo("DENSE");
    assertThat(board.at("/update")).isEqualTo("SUM");
    assertThat(board.at("/bounds/min")).isEqualTo("-10.5");
    assertThat(board.at("/bounds/max")).isEqualTo("99.99");
    assertThat(board.at("/visibility")).isEqualTo("PUBLIC");
    assertThat(board.at("/status")).isEqualTo("DRAFT");
    assertThat(board.at("/name")).isEqualTo("N \u2603");
    assertThat(board.text()).contains("{\"a\":[1,{\"b\":1e400}]}");
  }

  @Test
  void create_twice_is409AndTheFirstStays() {
    api.post(Api.BOARDS, "{'UUID':'twice','name':'first'}").is(201);
    api.post(Api.BOARDS, "{'UUID':'twice','name':'second'}").refused(409, "BOARD_EXISTS");
    assertThat(api.get(Api.BOARDS + "/twice").at("/name")).isEqualTo("first");
  }

  @Test
  void create_whatMakesNoSense_is400() {
    for (String bad :
        List.of(
            "'bounds':{'min':2,'max':1}",
            "'bounds':{'max':-1}",
            "'bounds':{'low':1}",
            "'bounds':{'min':1e30}",
            "'startTime':'2030-01-01T00:00:00Z','endTime':'2030-01-01T00:00:00Z'",
            "'startTime':'2030-01-02T00:00:00Z','endTime':'2030-01-01T00:00:00Z'",
            "'status':'PAUSED'",
            "'status':'COMPLETED'",
            "'order':'highest_first'",
            "'decimals':10",
            "'decimals':-1",
            "'name':'\\u0007'",
            "'metadata':{'a':'" + "x".repeat(16_400) + "'}")) {
      assertThat(api.post(Api.BOARDS, "{'UUID':'nonsense'," + bad + "}").status())
          .as(bad)
          .isEqualTo(400);
    }
    api.get(Api.BOARDS + "/nonsense").refused(404, "BOARD_NOT_FOUND");
  }

  @Test
  void patch_status_followsTheLifeOfABoard() {
    record Step(String from, String to, boolean legal) {}
    List<Step> steps =
        List.of(
            new Step("DRAFT", "PAUSED", false),
            new Step("DRAFT", "COMPLETED", false),
            new Step("DRAFT", "ACTIVE", true),
            new Step("ACTIVE", "DRAFT", false),
            new Step("ACTIVE", "ACTIVE", true),
            new Step("ACTIVE", "PAUSED", true),
            new Step("PAUSED", "DRAFT", false),
            new Step("PAUSED", "ACTIVE", true),
            new Step("ACTIVE", "COMPLETED", true),
            new Step("COMPLETED", "ACTIVE", false),
            new Step("COMPLETED", "PAUSED", false),
            new Step("COMPLETED", "DRAFT", false));
    String board = api.board("life", "'status':'DRAFT'");
    for (Step step : steps) {
      assertThat(api.get(board).at("/status")).as(step.toString()).isEqualTo(step.from());
      Answer write = api.score(board, "ann", "'score':1");
      if (step.from().equals("ACTIVE")) {
        write.is(200);
      } else {
        write.refused(409, "BOARD_NOT_ACTIVE");
        assertThat(write.at("/error/details/status")).isEqualTo(step.from());
        api.delete(board + "/users/ann").refused(409, "BOARD_NOT_ACTIVE");
        api.post(board + "/scores", "{'scores':[{'userId':'a','score':1}]}")
            .refused(409, "BOARD_NOT_ACTIVE");
      }
      api.get(board + "/top?limit=1").is(200);
      Answer patched = api.patch(board, "{'status':'" + step.to() + "'}");
      if (step.legal()) {
        assertThat(patched.is(200).at("/status")).isEqualTo(step.to());
      } else {
        patched.refused(409, "ILLEGAL_STATUS_CHANGE");
        assertThat(patched.at("/error/details/from")).isEqualTo(step.from());
        assertThat(patched.at("/error/details/to")).isEqualTo(step.to());
      }
    }
    Api.admin(server).patch(board, "{'status':'GONE'}").refused(400, "VALIDATION_ERROR");
  }

  @Test
  void patch_fields_changeOnlyWhatIsNamed() {
    String board =
        api.board("fields", "'podId':'p'", "'name':'before'", "'metadata':{'a':1}", "'decimals':3");
    Answer one = api.patch(board, "{'name':'after'}").is(200);
    assertThat(one.at("/name")).isEqualTo("after");
    assertThat(one.at("/metadata/a")).isEqualTo("1");
    assertThat(one.number("/version")).isEqualTo(2);
    Answer two = api.patch(board, "{'metadata':{'b':2},'visibility':'PUBLIC'}").is(200);
    assertThat(two.json().at("/metadata").toString()).isEqualTo("{\"b\":2}");
    assertThat(two.at("/name")).isEqualTo("after");
    assertThat(two.number("/version")).isEqualTo(3);
    assertThat(api.patch(board, "{'metadata':null}").is(200).json().at("/metadata").toString())
        .isEqualTo("{}");
    for (String fixed : List.of("order", "ties", "update", "decimals", "bounds", "UUID")) {
      Answer answer = api.patch(board, "{'" + fixed + "':1}").refused(400, "UNKNOWN_FIELD");
      assertThat(answer.message()).contains(fixed);
    }
    assertThat(api.get(board).number("/version")).isEqualTo(4);
  }

  @Test
  void patch_times_openAndCloseTheSeason() {
    String board = api.board("times");
    api.score(board, "ann", "'score':1").is(200);
    Answer later = api.patch(board, "{'startTime':'2100-01-01T00:00:00Z'}").is(200);
    assertThat(later.at("/startTime")).isEqualTo("2100-01-01T00:00:00Z");
    api.score(board, "ann", "'score':2").refused(422, "SEASON_NOT_STARTED");
    api.patch(board, "{'endTime':'2099-01-01T00:00:00Z'}").refused(400, "VALIDATION_ERROR");
    api.patch(board, "{'startTime':null,'endTime':'2024-01-01T00:00:00Z'}").is(200);
    api.score(board, "ann", "'score':2").refused(422, "SEASON_CLOSED");
    Answer open = api.patch(board, "{'endTime':null}").is(200);
    assertThat(open.json().propertyNames()).doesNotContain("startTime", "endTime");
    api.score(board, "ann", "'score':2").is(200);
    assertThat(api.get(board + "/users/ann/rank").at("/score")).isEqualTo("2");
  }

  @Test
  void list_byPodAndStatus_isPagedOldestFirst() {
    for (int i = 0; i < 5; i++) {
      api.board(
          "list-" + i,
          "'podId':'list-pod'",
          "'status':'" + (i % 2 == 0 ? "ACTIVE" : "DRAFT") + "'");
    }
    api.score(Api.BOARDS + "/list-2", "ann", "'score':1").is(200);
    String list = Api.BOARDS + "?podId=list-pod";
    Answer all = api.get(list).is(200);
    assertThat(all.all("/leaderboards", "UUID"))
        .containsExactly("list-0", "list-1", "list-2", "list-3", "list-4");
    assertThat(all.all("/leaderboards", "totalUsers")).containsExactly("0", "0", "1", "0", "0");
    assertThat(all.number("/total")).isEqualTo(5);
    assertThat(all.number("/limit")).isEqualTo(100);
    assertThat(api.get(list + "&status=DRAFT").all("/leaderboards", "UUID"))
        .containsExactly("list-1", "list-3");
    Answer page = api.get(list + "&limit=2&offset=3").is(200);
    assertThat(page.all("/leaderboards", "UUID")).containsExactly("list-3", "list-4");
    assertThat(page.number("/total")).isEqualTo(5);
    assertThat(api.get(list + "&offset=5").is(200).json().at("/leaderboards").size()).isZero();
    assertThat(api.get(Api.BOARDS + "?podId=other").is(200).number("/total")).isZero();
    api.get(list + "&status=GONE").refused(400, "VALIDATION_ERROR");
    api.get(list + "&limit=0").refused(400, "VALIDATION_ERROR");
    api.get(list + "&limit=1001").refused(400, "VALIDATION_ERROR");
  }
}
