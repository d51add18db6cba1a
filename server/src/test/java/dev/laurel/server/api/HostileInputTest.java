package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Bodies and ids that somebody made to break something: refused whole, or kept exactly. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileInputTest {
  /** All legal; each must come back as it went in. */
  private static final List<String> ODD =
      List.of(
          "a b",
          " ",
          "..",
          ".",
          "../../etc/passwd",
          "a/b",
          "%2F",
          "%",
          "+",
          "'; DROP TABLE entry; --",
          "\" OR 1=1",
          "back\\slash",
          "<script>alert(1)</script>",
          "?limit=1&x=#y;z",
          "e\u0301",
          "\u00e9",
          "\u202eright to left",
          "\ufeffbom",
          "\u00a0",
          "\u200b",
          "\uffff",
          "\ufb00",
          "I\u0307",
          "\u540d\u524d",
          "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
          "null",
          "0",
          "rank",
          "x".repeat(128),
          "\ud83c\udfc6".repeat(128),
          "\u20ac".repeat(128));

  /** None is legal; as JSON escapes. */
  private static final List<String> ILLEGAL =
      List.of(
          "",
          "\\u0000",
          "a\\u0000b",
          "\\u0007",
          "\\n",
          "\\t",
          "\\u007f",
          "\\u0085",
          "\\u009f",
          "\\u2028",
          "\\u2029",
          "\\ud800",
          "\\udc00",
          "\\udc00\\ud800",
          "a\\ud83c",
          "x".repeat(129),
          "\\ud83c\\udfc6".repeat(129));

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @SuppressWarnings("NullAway.Init") // set before every test
  private String board;

  @BeforeAll
  void start() {
    server = TestServer.start();
    api = Api.admin(server);
    board = api.board("guarded");
  }

  /** Nothing of what was refused is there. */
  @AfterEach
  void nothingWasApplied() {
    assertThat(api.get(board).is(200).number("/totalUsers")).isZero();
    assertThat(api.get(board).number("/version")).isEqualTo(1);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void awards_oddIdsOfUsersAndActions_areTakenExactlyAndIllegalOnesRefused() {
    try (TestIssuer issuer = new TestIssuer();
        TestServer own = TestServer.start(issuer.settings(), _ -> {})) {
      Api.admin(own).put("/api/v1/award-rules", "{'version':1,'rules':{'watch':1}}").is(200);
      int given = 0;
      for (String id : ODD) {
        Api user = Api.anonymous(own).with("Authorization", "Bearer " + issuer.token(id));
        Answer answer = user.raw("POST", "/v1/scores/award", award(quoted(id), given++)).is(200);
        assertThat(answer.at("/user_id")).isEqualTo(id);
        assertThat(user.get("/v1/users/me/score").is(200).at("/user_id")).isEqualTo(id);
        user.raw("POST", "/v1/scores/award", award(quoted(id), 999 + given))
            .refused(409, "ACTION_REPLAYED");
      }
      Api user = Api.anonymous(own).with("Authorization", "Bearer " + issuer.token("eve"));
      for (String id : ILLEGAL) {
        user.raw("POST", "/v1/scores/award", award("\"" + id + "\"", 0)).is(400);
      }
      assertThat(user.get("/v1/users/me/score").is(200).at("/total")).isEqualTo("0");
    }
  }

  private static String award(String actionId, int number) {
    return "{\"action_type\":\"watch\",\"action_id\":%s,\"idempotency_key\":\"%s\"}"
        .formatted(actionId, new UUID(7, number));
  }

  @Test
  void userIds_oddButLegal_comeBackExactly() {
    String odd = api.board("odd");
    for (String id : ODD) {
      String path = odd + "/users/" + encoded(id);
      assertThat(api.put(path, "{\"score\":1}").is(200).at("/userId")).isEqualTo(id);
      assertThat(api.get(path + "/rank").is(200).at("/userId")).isEqualTo(id);
      assertThat(api.get(path + "/around").is(200).at("/user/userId")).isEqualTo(id);
      Answer lines = api.get("/v1/users/" + encoded(id) + "/scores").is(200);
      assertThat(lines.at("/user_id")).isEqualTo(id);
      assertThat(lines.json().at("/scores").size()).isEqualTo(1);
    }
    Answer top = api.get(odd + "/top?limit=1000").is(200);
    assertThat(top.all("/users", "userId")).containsExactlyInAnyOrderElementsOf(ODD);
    List<String> quoted = new ArrayList<>();
    ODD.forEach(id -> quoted.add(quoted(id)));
    Answer ranks =
        api.raw("POST", odd + "/ranks", "{\"userIds\":[" + String.join(",", quoted) + "]}");
    assertThat(ranks.is(200).json().at("/missing").size()).isZero();
    List<String> lines = quoted.stream().map(q -> "{\"score\":2,\"userId\":" + q + "}").toList();
    Answer batch =
        api.raw("POST", odd + "/scores", "{\"scores\":[" + String.join(",", lines) + "]}");
    assertThat(batch.is(200).all("/results", "userId")).isEqualTo(ODD);
    assertThat(api.get(odd).number("/totalUsers")).isEqualTo(ODD.size());
    for (String id : ODD) {
      assertThat(api.delete(odd + "/users/" + encoded(id)).is(200).at("/userId")).isEqualTo(id);
    }
    assertThat(api.get(odd).number("/totalUsers")).isZero();
  }

  /** Every byte escaped: dots too, which URLs would take for steps. */
  private static String encoded(String id) {
    StringBuilder out = new StringBuilder();
    for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
      out.append("%%%02x".formatted(b & 0xff));
    }
    return out.toString();
  }

  private static String quoted(String id) {
    return "\"" + id.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  @Test
  void userIds_illegal_areRefusedOnEveryWay() {
    for (String id : ILLEGAL) {
      Answer line =
          api.raw(
              "POST", board + "/scores", "{\"scores\":[{\"userId\":\"" + id + "\",\"score\":1}]}");
      assertThat(line.is(200).at("/results/0/code")).as(id).isEqualTo("VALIDATION_ERROR");
      Answer event = api.score(board, "ann", "'score':1,'eventId':'" + id + "'");
      event.refused(400, "VALIDATION_ERROR");
    }
    for (String path :
        List.of("%00", "a%00b", "%0A", "%7f", "%c2%85", "%e2%80%a8", "x".repeat(129))) {
      String user = board + "/users/" + path;
      api.put(user, "{'score':1}").refused(400, "VALIDATION_ERROR");
      api.delete(user).refused(400, "VALIDATION_ERROR");
      api.get(user + "/rank").refused(400, "VALIDATION_ERROR");
      api.get(user + "/around").refused(400, "VALIDATION_ERROR");
    }
    // Not UTF-8: a lone surrogate, an overlong slash, half a character.
    for (String path : List.of("%ed%a0%80", "%c0%af", "%e2%82")) {
      api.put(board + "/users/" + path, "{'score':1}").refused(400, "MALFORMED_REQUEST");
    }
  }

  @Test
  void boardIds_likePathsAndSql_areRefusedOrNotFound() {
    for (String id :
        List.of(
            "",
            "../x",
            "a/b",
            "'; DROP",
            "a b",
            "a%2Fb",
            "\\u0000",
            "\\ud800",
            "\u00e9",
            "x".repeat(129))) {
      api.raw("POST", Api.BOARDS, "{\"UUID\":\"" + id + "\"}").refused(400, "VALIDATION_ERROR");
    }
    for (String path :
        List.of("%2e%2e", "..%2f..%2fetc", "%27%3b%20DROP", "%00", "guarded%2Ftop", "GUARDED")) {
      api.get(Api.BOARDS + "/" + path).refused(404, "BOARD_NOT_FOUND");
      api.put(Api.BOARDS + "/" + path + "/users/ann", "{'score':1}")
          .refused(404, "BOARD_NOT_FOUND");
    }
  }

  @Test
  void numbers_hostile_areRefusedOrExact() {
    for (String score :
        List.of(
            "1e400",
            "-1e400",
            "1e999999999",
            "1e99999999999",
            "9223372036854775807",
            "1E+19",
            "9".repeat(64))) {
      api.score(board, "ann", "'score':" + score).refused(400, "INVALID_SCORE");
    }
    for (String score :
        List.of(
            "9".repeat(65),
            "1" + "0".repeat(100_000),
            "0." + "1".repeat(100_000),
            "NaN",
            "Infinity",
            "-Infinity",
            "0x10",
            "1.",
            ".5",
            "+1",
            "01",
            "1e",
            "--1",
            "1_000",
            "\u0661")) {
      api.score(board, "ann", "'score':" + score).refused(400, "MALFORMED_JSON");
    }
    for (String score : List.of("'1'", "true", "null", "[1]", "{}")) {
      api.score(board, "ann", "'score':" + score).refused(400, "VALIDATION_ERROR");
    }
    String tiny = api.board("tiny");
    for (String score : List.of("1e-400", "-1e-400", "1e-999999999", "0e400", "0.00000049999")) {
      assertThat(api.score(tiny, "ann", "'score':" + score).is(200).at("/score")).isEqualTo("0");
    }
  }

  @Test
  void numbers_hostileInABatch_failTheirLineOnly() {
    String lines = api.board("lines");
    Answer batch =
        api.post(
            lines + "/scores",
            "{'scores':[{'userId':'a','score':1e400},{'userId':'b','score':1}]}");
    assertThat(batch.is(200).all("/results", "code")).containsExactly("INVALID_SCORE", "");
    // What cannot be read is no line: nothing of the body counts.
    api.post(board + "/scores", "{'scores':[{'userId':'b','score':1},{'userId':'a','score':NaN}]}")
        .refused(400, "MALFORMED_JSON");
    api.post(board + "/scores", "{'scores':[{'userId':'b','score':1}]")
        .refused(400, "MALFORMED_JSON");
  }

  @Test
  void json_deepWideOrDouble_isRefused() {
    String deep = "{'a':".repeat(40) + "1" + "}".repeat(40);
    String array = "[".repeat(100_000);
    for (String body :
        List.of(
            "{'score':1,'metadata':" + deep + "}",
            "{'score':1,'metadata':{'a':" + array,
            array,
            "{'score':1,'score':2}",
            "{'score':1,'metadata':{'a':1,'a':2}}",
            "{'score':1,'sc\\u006fre':2}",
            "{'score':1,'" + "x".repeat(1000) + "':1}",
            "{'score':1,'eventId':'" + "x".repeat(70_000) + "'}")) {
      api.put(board + "/users/ann", body).refused(400, "MALFORMED_JSON");
    }
    api.post(
            board + "/scores",
            "{'scores':[{'userId':'a','score':1},{'userId':'b','score':1,'score':2}]}")
        .refused(400, "MALFORMED_JSON");
    api.patch(board, "{'name':'a','name':'b'}").refused(400, "MALFORMED_JSON");
    api.patch(board, "{'name':'a','nam':'b'}").refused(400, "UNKNOWN_FIELD");
    api.put(board + "/users/ann", "{'score':1,'__proto__':{}}").refused(400, "UNKNOWN_FIELD");
    api.put(board + "/users/ann", "{'score':1,'userId':'ann'}").refused(400, "UNKNOWN_FIELD");
  }

  @Test
  void bodies_overTheLimit_are413OnEveryWrite() {
    String large = "{\"score\":1,\"x\":\"" + "x".repeat(1_048_576) + "\"}";
    for (String path : List.of("/scores", "/ranks")) {
      api.raw("POST", board + path, large).refused(413, "BODY_TOO_LARGE");
    }
    api.raw("PUT", board + "/users/ann", large).refused(413, "BODY_TOO_LARGE");
    api.raw("PATCH", board, large).refused(413, "BODY_TOO_LARGE");
    api.raw("POST", Api.BOARDS, large).refused(413, "BODY_TOO_LARGE");
    api.raw("POST", "/api/v1/keys", large).refused(413, "BODY_TOO_LARGE");
    api.raw("POST", "/v1/games/g/scores", large).refused(413, "BODY_TOO_LARGE");
    // Just below is read, and refused for what it says.
    String padded = "{\"score\":-1" + " ".repeat(1_048_576 - 12) + "}";
    api.raw("PUT", board + "/users/ann", padded).refused(422, "SCORE_OUT_OF_BOUNDS");
  }

  /** Some editors and shells put one first; RFC 8259 lets a reader pass over it. */
  @Test
  void byteOrderMark_isPassedOverAndShiftsNothing() {
    String marked = api.board("bom");
    String body = "\ufeff{\"score\":1,\"metadata\":{\"a\":\"\u20ac\"}}";
    api.raw("PUT", marked + "/users/ann", body).is(200);
    assertThat(api.get(marked + "/users/ann/rank").json().at("/metadata").toString())
        .isEqualTo("{\"a\":\"\u20ac\"}");
  }

  @Test
  void gameScore_refused_makesNoBoard() {
    for (String body :
        List.of(
            "{'user_id':'a b','score':1}",
            "{'user_id':'a','score':-1}",
            "{'user_id':'a','score':1,'x':1}")) {
      api.post("/v1/games/unmade/scores", body).refused(400, "VALIDATION_ERROR");
    }
    api.post("/v1/games/unmade/scores", "{'user_id':'a','score':1}", "Idempotency-Key", "a b")
        .refused(400, "VALIDATION_ERROR");
    api.get(Api.BOARDS + "/game:unmade").refused(404, "BOARD_NOT_FOUND");
  }
}
