package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The games API, request by request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GamesApiTest {
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

  private static String game(String id) {
    return "/v1/games/" + id;
  }

  private Answer submit(String game, String user, String rest) {
    return api.post(game(game) + "/scores", "{'user_id':'" + user + "','score':" + rest + "}");
  }

  private void violation(Answer answer, String names) {
    assertThat(answer.refused(400, "VALIDATION_ERROR").message()).contains(names);
  }

  @Test
  void healthAndReadiness_areOpenToAll() {
    Api nobody = Api.anonymous(server);
    assertThat(nobody.get("/v1/healthz").is(200).text()).isEqualTo("{\"status\":\"ok\"}");
    assertThat(nobody.get("/v1/readyz").is(200).text()).isEqualTo("{\"status\":\"ready\"}");
    assertThat(nobody.get("/api/v1/health").is(200).at("/status")).isEqualTo("ok");
    assertThat(nobody.get("/api/v1/ready").is(200).at("/status")).isEqualTo("ready");
  }

  @Test
  void scores_best_keepsTheMaximum() {
    assertThat(submit("best", "ann", "100").is(200).text())
        .isEqualTo(
            "{\"game_id\":\"best\",\"user_id\":\"ann\",\"score\":100,\"rank\":1,\"updated\":true}");
    assertThat(submit("best", "ann", "90").is(200).at("/score")).isEqualTo("100");
    assertThat(submit("best", "ann", "90,'mode':'best'").is(200).at("/updated")).isEqualTo("false");
    assertThat(submit("best", "ann", "100").is(200).at("/updated")).isEqualTo("false");
    assertThat(submit("best", "ann", "101").is(200).at("/updated")).isEqualTo("true");
  }

  @Test
  void scores_latest_overwrites() {
    submit("latest", "ann", "100").is(200);
    assertThat(submit("latest", "ann", "90,'mode':'latest'").is(200).at("/score")).isEqualTo("90");
    Answer byQuery =
        api.post(game("latest") + "/scores?mode=latest", "{'user_id':'ann','score':80}").is(200);
    assertThat(byQuery.at("/score")).isEqualTo("80");
    assertThat(byQuery.at("/updated")).isEqualTo("true");
    Answer both =
        api.post(
                game("latest") + "/scores?mode=latest",
                "{'user_id':'ann','score':70,'mode':'latest'}")
            .is(200);
    assertThat(both.at("/score")).isEqualTo("70");
  }

  @Test
  void scores_withoutMode_goByTheBoardsOwnRule() {
    api.post(Api.BOARDS, "{'UUID':'game:coins','update':'SUM'}").is(201);
    submit("coins", "ann", "3").is(200);
    Answer sum = submit("coins", "ann", "4").is(200);
    assertThat(sum.at("/score")).isEqualTo("7");
    assertThat(sum.at("/updated")).isEqualTo("true");
    api.post(Api.BOARDS, "{'UUID':'game:elo','update':'LATEST'}").is(201);
    submit("elo", "ann", "1200").is(200);
    assertThat(submit("elo", "ann", "900").is(200).at("/score")).isEqualTo("900");
    // A mode that is said counts on every board.
    assertThat(submit("coins", "ann", "9,'mode':'best'").is(200).at("/score")).isEqualTo("9");
    assertThat(submit("elo", "ann", "800,'mode':'best'").is(200).at("/score")).isEqualTo("900");
  }

  @Test
  void scores_increment_adds() {
    submit("adding", "ann", "100").is(200);
    assertThat(submit("adding", "ann", "25,'mode':'increment'").is(200).at("/score"))
        .isEqualTo("125");
    String path = game("adding") + "/scores?mode=increment";
    Answer byQuery = api.post(path, "{'user_id':'ann','score':5}", "Idempotency-Key", "one");
    assertThat(byQuery.is(200).at("/score")).isEqualTo("130");
    Answer again = api.post(path, "{'user_id':'ann','score':5}", "Idempotency-Key", "one");
    assertThat(again.is(200).text()).isEqualTo(byQuery.text());
    violation(submit("adding", "ann", "1999999900,'mode':'increment'"), "score");
    assertThat(submit("adding", "ann", "10").is(200).at("/score")).isEqualTo("130");
  }

  @Test
  void scores_metadata_isKeptWithTheEntry() {
    submit("kept", "ann", "10,'metadata':{'source':'game-match-789','map':[1,2]}").is(200);
    assertThat(api.get(BOARD_OF + "kept/users/ann/rank").is(200).at("/metadata/source"))
        .isEqualTo("game-match-789");
    violation(submit("kept", "ann", "11,'metadata':5"), "metadata");
    violation(submit("kept", "ann", "11,'metadata':{'a':'" + "x".repeat(4096) + "'}"), "metadata");
    assertThat(api.get(BOARD_OF + "kept/users/ann/rank").is(200).at("/score")).isEqualTo("10");
  }

  @Test
  void leaderboard_cursors_meetEveryUserOnce() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      submit("pages", "u" + i, Integer.toString(10_000 - i)).is(200);
      expected.add("u" + i);
    }
    List<String> met = new ArrayList<>();
    String path = game("pages") + "/leaderboard";
    Answer page = api.get(path).is(200);
    met.addAll(page.all("/entries", "user_id"));
    String first = page.at("/next_cursor");
    // Somebody comes in above: nobody is met twice.
    submit("pages", "first", "99999").is(200);
    while (!page.at("/next_cursor").isEmpty()) {
      page = api.get(path + "?cursor=" + page.at("/next_cursor")).is(200);
      met.addAll(page.all("/entries", "user_id"));
      assertThat(page.number("/offset") + 1).isEqualTo(page.number("/entries/0/rank"));
    }
    assertThat(met).isEqualTo(expected);
    violation(api.get(path + "?offset=10&cursor=" + first), "offset");
    for (String bad : List.of("", "x", first.substring(1) + "A")) {
      api.get(path + "?cursor=" + bad).refused(400, "INVALID_CURSOR");
    }
    submit("pages2", "ann", "1").is(200);
    api.get(game("pages2") + "/leaderboard?cursor=" + first).refused(400, "INVALID_CURSOR");
    api.get(game("no-pages") + "/leaderboard?cursor=" + first).refused(400, "INVALID_CURSOR");
  }

  @Test
  void scores_held_sayThatAndDoNotMakeTheNextOneOdd() {
    api.post(Api.BOARDS, "{'UUID':'game:guarded'}").is(201);
    api.put(
            BOARD_OF + "guarded/guard",
            "{'rules':[{'rule':'JUMP','threshold':1000,'outcome':'QUARANTINE'}]}")
        .is(200);
    assertThat(submit("guarded", "ann", "500000").is(200).text())
        .isEqualTo("{\"game_id\":\"guarded\",\"user_id\":\"ann\",\"updated\":false,\"held\":true}");
    submit("guarded", "bob", "900").is(200);
    Answer held = submit("guarded", "bob", "700000").is(200);
    assertThat(held.at("/held")).isEqualTo("true");
    assertThat(held.at("/score")).isEqualTo("900");
    for (String user : List.of("ann", "bob")) {
      Answer honest = submit("guarded", user, "950").is(200);
      assertThat(honest.at("/updated")).isEqualTo("true");
      assertThat(honest.at("/score")).isEqualTo("950");
    }
    // Once somebody has approved it, the next one is measured from it.
    String line =
        api.get(BOARD_OF + "guarded/anomalies?state=open").is(200).at("/anomalies/0/line");
    api.send("POST", BOARD_OF + "guarded/anomalies/" + line + "/approve", null).is(200);
    assertThat(submit("guarded", "bob", "960").is(200).at("/updated")).isEqualTo("false");
    assertThat(submit("guarded", "bob", "701000").is(200).at("/held")).isEqualTo("true");
  }

  @Test
  void scores_bothModesOnOneBoard_eachGoesByItsOwn() {
    submit("mixed", "ann", "50").is(200);
    submit("mixed", "bob", "60,'mode':'latest'").is(200);
    submit("mixed", "ann", "40,'mode':'latest'").is(200);
    submit("mixed", "bob", "55").is(200);
    Answer board = api.get(game("mixed") + "/leaderboard").is(200);
    assertThat(board.all("/entries", "user_id")).containsExactly("bob", "ann");
    assertThat(board.all("/entries", "score")).containsExactly("60", "40");
  }

  @Test
  void scores_modesThatDisagreeOrAreUnknown_areRefused() {
    String path = game("modes") + "/scores";
    String body = "{'user_id':'ann','score':1,'mode':'best'}";
    violation(api.post(path + "?mode=latest", body), "mode");
    for (String mode : List.of("INCREMENT", "BEST", "sum", "", "null")) {
      violation(api.post(path + "?mode=" + mode, "{'user_id':'ann','score':1}"), "mode");
      violation(submit("modes", "ann", "1,'mode':'" + mode + "'"), "mode");
    }
    violation(submit("modes", "ann", "1,'mode':5"), "mode");
    assertThat(api.get(game("modes") + "/leaderboard").is(200).at("/total")).isEqualTo("0");
  }

  @Test
  void scores_values_areWholeNumbersFrom0To2000000000() {
    assertThat(submit("range", "low", "0").is(200).at("/score")).isEqualTo("0");
    assertThat(submit("range", "high", "2000000000").is(200).at("/score")).isEqualTo("2000000000");
    for (String bad :
        List.of(
            "-1",
            "2000000001",
            "1.0",
            "1.5",
            "1e3",
            "'5'",
            "null",
            "true",
            "[1]",
            "{}",
            "1e400",
            "9".repeat(60),
            "99999999999999999999")) {
      violation(submit("range", "bad", bad), "score");
    }
    violation(submit("range", "bad", "9".repeat(100_000)), "body");
    violation(submit("range", "bad", "NaN"), "body");
    violation(submit("range", "bad", "01"), "body");
    assertThat(api.get(game("range") + "/leaderboard").is(200).at("/total")).isEqualTo("2");
  }

  @Test
  void ids_byTheRule_areTakenAndOthersRefused() {
    String longest = "aZ09_-".repeat(11).substring(0, 64);
    assertThat(submit(longest, longest, "1").is(200).at("/user_id")).isEqualTo(longest);
    assertThat(api.get(game(longest) + "/users/" + longest + "/context").is(200).at("/game_id"))
        .isEqualTo(longest);
    for (String bad :
        List.of(
            longest + "x",
            "a b",
            "a.b",
            "a:b",
            "a/b",
            "é",
            "a'b",
            "..",
            "a\u0000",
            "\u0661",
            "a\n")) {
      String escaped = Api.path(bad);
      violation(api.post(game(escaped) + "/scores", "{'user_id':'a','score':1}"), "game_id");
      violation(api.get(game(escaped) + "/leaderboard"), "game_id");
      violation(api.get(game(escaped) + "/users/ann/context"), "game_id");
      violation(api.get(game("ids") + "/users/" + escaped + "/context"), "user_id");
    }
    for (String bad : List.of("", longest + "x", "a b", "a.b", "\\u00e9", "\\u0000", "\\ud800")) {
      violation(submit("ids", bad, "1"), "user_id");
    }
    violation(api.post(game("ids") + "/scores", "{'user_id':5,'score':1}"), "user_id");
    violation(api.post(game("ids") + "/scores", "{'user_id':null,'score':1}"), "user_id");
  }

  @Test
  void scores_otherBreaches_areValidationErrorsToo() {
    String path = game("breach") + "/scores";
    violation(api.raw("POST", path, "{"), "body");
    violation(api.raw("POST", path, null), "body");
    violation(api.post(path, "[]"), "body");
    violation(api.post(path, "{}"), "user_id");
    violation(api.post(path, "{'user_id':'a'}"), "score");
    violation(api.post(path, "{'user_id':'a','score':1,'extra':1}"), "extra");
    violation(api.post(path, "{'user_id':'a','score':1,'score':2}"), "body");
    violation(api.post(path + "?window=1", "{'user_id':'a','score':1}"), "window");
    violation(api.post(path, "{'user_id':'a','score':1}", "Idempotency-Key", "a b"), "Idempotency");
    // Not a breach of the games API's contract but of HTTP's, which has words of its own.
    api.post(path, "{'user_id':'a','score':1}", "Content-Type", "text/plain")
        .refused(415, "UNSUPPORTED_MEDIA_TYPE");
    api.get(BOARD_OF + "breach").refused(404, "BOARD_NOT_FOUND");
  }

  private static final String BOARD_OF = Api.BOARDS + "/game:";

  @Test
  void leaderboard_limit_is10Or100() {
    for (String limit :
        List.of(
            "",
            "0",
            "1",
            "9",
            "11",
            "99",
            "101",
            "1000",
            "-10",
            "ten",
            "+10",
            "10.0",
            "010",
            "%D9%A1%D9%A0")) {
      violation(api.get(game("limit") + "/leaderboard?limit=" + limit), "limit");
    }
    for (String offset : List.of("", "-1", "x", "1.5", "9223372036854775808", "%D9%A1")) {
      violation(api.get(game("limit") + "/leaderboard?offset=" + offset), "offset");
    }
    violation(api.get(game("limit") + "/leaderboard?limit=10&limit=10"), "limit");
    violation(api.get(game("limit") + "/leaderboard?page=1"), "page");
  }

  @Test
  void leaderboard_slices_haveRanksFrom1() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 113; i++) {
      submit("slices", "u" + i, Integer.toString(10_000 - i)).is(200);
      expected.add("u" + i);
    }
    Answer first = api.get(game("slices") + "/leaderboard").is(200);
    assertThat(first.json().propertyNames())
        .containsExactly("game_id", "entries", "total", "limit", "offset", "next_cursor");
    assertThat(first.json().at("/entries/0").propertyNames())
        .containsExactly("rank", "user_id", "score");
    assertThat(first.number("/limit")).isEqualTo(10);
    assertThat(first.number("/offset")).isEqualTo(0);
    assertThat(first.number("/total")).isEqualTo(113);
    assertThat(first.all("/entries", "user_id")).isEqualTo(expected.subList(0, 10));
    assertThat(first.number("/entries/0/rank")).isEqualTo(1);
    Answer last = api.get(game("slices") + "/leaderboard?limit=100&offset=100").is(200);
    assertThat(last.all("/entries", "user_id")).isEqualTo(expected.subList(100, 113));
    assertThat(last.number("/entries/0/rank")).isEqualTo(101);
    for (String offset : List.of("113", "2147483648", "9223372036854775807")) {
      Answer beyond = api.get(game("slices") + "/leaderboard?offset=" + offset).is(200);
      assertThat(beyond.json().at("/entries").size()).isZero();
      assertThat(beyond.at("/offset")).isEqualTo(offset);
    }
  }

  @Test
  void leaderboard_unknownGame_isEmptyAndMakesNone() {
    assertThat(api.get(game("unheard-of") + "/leaderboard").is(200).text())
        .isEqualTo(
            "{\"game_id\":\"unheard-of\",\"entries\":[],\"total\":0,\"limit\":10,\"offset\":0}");
    api.get(BOARD_OF + "unheard-of").refused(404, "BOARD_NOT_FOUND");
  }

  @Test
  void leaderboard_ties_earliestFirst() {
    for (String user : List.of("zoe", "ann", "bob")) {
      submit("ties", user, "7").is(200);
    }
    Answer board = api.get(game("ties") + "/leaderboard").is(200);
    // The same millisecond is possible: then by id.
    assertThat(board.all("/entries", "rank")).containsExactly("1", "2", "3");
    assertThat(board.all("/entries", "user_id")).containsExactlyInAnyOrder("zoe", "ann", "bob");
  }

  @Test
  void context_edges_areClippedNotPadded() {
    for (int i = 1; i <= 60; i++) {
      submit("context", "u" + i, Integer.toString(1000 - i)).is(200);
    }
    Answer top = api.get(game("context") + "/users/u1/context").is(200);
    assertThat(top.json().propertyNames()).containsExactly("game_id", "user", "above", "below");
    assertThat(top.number("/user/rank")).isEqualTo(1);
    assertThat(top.json().at("/above").size()).isZero();
    assertThat(top.all("/below", "user_id")).containsExactly("u2", "u3");
    Answer second = api.get(game("context") + "/users/u2/context").is(200);
    assertThat(second.all("/above", "user_id")).containsExactly("u1");
    Answer bottom = api.get(game("context") + "/users/u60/context?window=3").is(200);
    assertThat(bottom.all("/above", "user_id")).containsExactly("u57", "u58", "u59");
    assertThat(bottom.json().at("/below").size()).isZero();
    Answer none = api.get(game("context") + "/users/u30/context?window=0").is(200);
    assertThat(none.json().at("/above").size() + none.json().at("/below").size()).isZero();
    Answer wide = api.get(game("context") + "/users/u30/context?window=25").is(200);
    assertThat(wide.all("/above", "user_id"))
        .isEqualTo(IntStream.range(5, 30).mapToObj(i -> "u" + i).toList());
    assertThat(wide.all("/below", "rank"))
        .isEqualTo(IntStream.range(31, 56).mapToObj(Integer::toString).toList());
    for (String window : List.of("", "-1", "26", "2.0", "x")) {
      violation(api.get(game("context") + "/users/u30/context?window=" + window), "window");
    }
  }

  @Test
  void context_unknownUserOrGame_is404UserNotFound() {
    submit("lonely", "ann", "1").is(200);
    for (String path : List.of("lonely/users/bob", "unheard-of/users/ann")) {
      Answer answer = api.get("/v1/games/" + path + "/context");
      assertThat(answer.refused(404, "USER_NOT_FOUND").message()).contains("user_id");
    }
  }

  @Test
  void userScores_overSeveralBoards_hasALineForEach() {
    submit("first", "wanderer", "10").is(200);
    submit("first", "other", "20").is(200);
    String board = api.board("second", "'decimals':2", "'name':'Second one'");
    api.score(board, "wanderer", "'score':1.25,'timestamp':'2024-01-15T10:30:00Z'").is(200);
    api.board("third");
    Answer answer = api.get("/v1/users/wanderer/scores").is(200);
    assertThat(answer.at("/user_id")).isEqualTo("wanderer");
    assertThat(answer.all("/scores", "UUID")).containsExactly("game:first", "second");
    assertThat(answer.all("/scores", "score")).containsExactly("10", "1.25");
    assertThat(answer.all("/scores", "rank")).containsExactly("2", "1");
    assertThat(answer.all("/scores", "total")).containsExactly("2", "1");
    assertThat(answer.at("/scores/1/timestamp")).isEqualTo("2024-01-15T10:30:00Z");
    assertThat(answer.at("/scores/1/name")).isEqualTo("Second one");
    assertThat(api.get("/v1/users/nobody/scores").is(200).text())
        .isEqualTo("{\"user_id\":\"nobody\",\"scores\":[]}");
    violation(api.get("/v1/users/" + "x".repeat(129) + "/scores"), "user_id");
    violation(api.get("/v1/users/%00/scores"), "user_id");
  }

  @Test
  void gamesBoard_onTheNativeSurface_isReadAndOpened() {
    submit("both", "ann", "5").is(200);
    Answer board = api.get(BOARD_OF + "both").is(200);
    assertThat(board.at("/update")).isEqualTo("BEST");
    assertThat(board.number("/decimals")).isZero();
    assertThat(board.at("/bounds/max")).isEqualTo("2000000000");
    assertThat(api.get(BOARD_OF + "both/users/ann/rank").is(200).number("/rank")).isEqualTo(1);
    api.patch(BOARD_OF + "both", "{'visibility':'PUBLIC'}").is(200);
    Api.anonymous(server).get(game("both") + "/leaderboard").is(200);
    Api.anonymous(server).get(game("none") + "/leaderboard").refused(401, "UNAUTHENTICATED");
  }

  /** Another rule, but still whole numbers under an id that the games surface can name. */
  @Test
  void gamesBoard_madeBeforeItsFirstScore_keepsItsRuleAndTheGamesDefaults() {
    Answer made =
        api.post(Api.BOARDS, "{'UUID':'game:golf','order':'LOWEST_FIRST','ties':'SHARED'}").is(201);
    api.post(Api.BOARDS, "{'UUID':'game:darts','bounds':{'max':180}}").is(201);
    violation(submit("darts", "ann", "181"), "score");
    assertThat(made.at("/name")).isEqualTo("golf");
    assertThat(made.at("/update")).isEqualTo("BEST");
    assertThat(made.number("/decimals")).isZero();
    assertThat(made.at("/bounds/max")).isEqualTo("2000000000");
    submit("golf", "ann", "72").is(200);
    assertThat(submit("golf", "ann", "80").is(200).at("/score")).isEqualTo("72");
    assertThat(submit("golf", "bob", "70").is(200).number("/rank")).isEqualTo(1);
    for (String bad :
        List.of(
            "{'UUID':'game:mine','decimals':1}",
            "{'UUID':'game:'}",
            "{'UUID':'game:a.b'}",
            "{'UUID':'game:" + "x".repeat(65) + "'}")) {
      violation(api.post(Api.BOARDS, bad), "expected: ");
    }
  }
}
