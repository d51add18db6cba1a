package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.store.Digest;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import dev.laurel.testkit.ManualClock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Points for actions, by HTTP. */
class AwardsApiTest {
  private static final String RULES =
      "{'version':1,'rules':{'watch_video':25,'share_link':5,'old':1},'disabled':['old'],"
          + "'boards':['global','region:APAC']}";

  private final TestIssuer issuer = new TestIssuer();
  private @Nullable TestServer started;

  @AfterEach
  void stop() {
    if (started != null) {
      started.close();
    }
    issuer.close();
  }

  private TestServer start() {
    return start(settings -> settings);
  }

  private TestServer start(UnaryOperator<Configuration> more) {
    TestServer server = TestServer.start(s -> more.apply(issuer.settings().apply(s)), _ -> {});
    started = server;
    Api.admin(server).put("/api/v1/award-rules", RULES).is(200);
    return server;
  }

  private Api user(TestServer server, String name) {
    return Api.anonymous(server).with("Authorization", "Bearer " + issuer.token(name));
  }

  private static String body(String action, String id, String key) {
    return "{'action_type':'%s','action_id':'%s','idempotency_key':'%s'}"
        .formatted(action, id, key);
  }

  private static String key() {
    return UUID.randomUUID().toString();
  }

  private static Answer award(Api user, String action, String id) {
    return user.post("/v1/scores/award", body(action, id, key()));
  }

  @Test
  void award_knownAction_isAnsweredAsInTheDocument() {
    TestServer server = start();
    award(user(server, "bob"), "share_link", "b1").is(200);
    Answer first = award(user(server, "ann"), "watch_video", "a1").is(200);
    assertThat(first.text())
        .isEqualTo(
            "{\"user_id\":\"ann\",\"total\":25,\"delta\":25,\"rank\":1,\"leaderboard_top\":["
                + "{\"user_id\":\"ann\",\"total\":25},{\"user_id\":\"bob\",\"total\":5}]}");
    Answer second = award(user(server, "ann"), "share_link", "a2").is(200);
    assertThat(second.at("/total")).isEqualTo("30");
    Answer top = Api.anonymous(server).get("/v1/leaderboard?limit=1").is(200);
    assertThat(top.json().get("entries").toString())
        .isEqualTo("[{\"user_id\":\"ann\",\"total\":30}]");
    assertThat(top.at("/as_of")).matches("20\\d\\d-.*Z");
    Api.anonymous(server).get("/v1/leaderboard?limit=51").refused(400, "VALIDATION_ERROR");
    assertThat(user(server, "bob").get("/v1/users/me/score").is(200).text())
        .isEqualTo("{\"user_id\":\"bob\",\"total\":5,\"rank\":2}");
    Answer line = Api.admin(server).get(Api.BOARDS + "/global/users/ann/rank").is(200);
    assertThat(line.at("/metadata/action_id")).isEqualTo("a2");
    assertThat(line.at("/metadata/rules_version")).isEqualTo("1");
    assertThat(line.at("/metadata/award_id")).hasSize(36);
    assertThat(line.at("/metadata/idempotency_key")).hasSize(36);
    String metrics = Api.admin(server).get("/metrics").is(200).text();
    assertThat(metrics)
        .contains("score_award_requests_total{status=\"200\"} 3.0")
        .contains("score_award_points_sum 35.0")
        .contains("rate_limit_drops_total 0.0");
  }

  /** Many users of one address can be seen, and nobody can tell which address it is. */
  @Test
  void award_fromAnAddress_isInTheLedgerByItsHashOnly() throws Exception {
    TestServer server = start(s -> s.with(Settings.TRUSTED_PROXIES, "127.0.0.1"));
    for (String[] call :
        new String[][] {
          {"ann", "203.0.113.7", "agent/1"},
          {"bob", "203.0.113.7", "agent/2"},
          {"cid", "203.0.113.8", "agent/1"}
        }) {
      Api user = user(server, call[0]).with("X-Forwarded-For", call[1]).with("User-Agent", call[2]);
      award(user, "watch_video", "w1").is(200);
    }
    Api.admin(server).score(Api.BOARDS + "/global", "dan", "'score':1").is(200);
    List<String> clients = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(server.sqliteUrl());
        ResultSet rows =
            connection
                .createStatement()
                .executeQuery("SELECT client, metadata FROM ledger ORDER BY line")) {
      while (rows.next()) {
        clients.add(String.valueOf(rows.getString(1)));
        assertThat(rows.getString(1) + rows.getString(2)).doesNotContain("203.0", "agent/");
      }
    }
    assertThat(clients).hasSize(4);
    assertThat(clients.subList(0, 3)).allMatch(c -> c.matches("[0-9a-f]{32}\\.[0-9a-f]{16}"));
    String[] ann = clients.get(0).split("\\.");
    assertThat(clients.get(1)).startsWith(ann[0]).doesNotEndWith(ann[1]);
    assertThat(clients.get(2)).endsWith(ann[1]).doesNotStartWith(ann[0]);
    assertThat(clients.get(3)).isEqualTo("null");
  }

  @Test
  void award_ofWhatIsNotWorthAnything_isRefused() {
    TestServer server = start();
    Api ann = user(server, "ann");
    award(ann, "nosuch", "1").refused(400, "UNKNOWN_ACTION");
    award(ann, "old", "1").refused(422, "ACTION_DISABLED");
    ann.post("/v1/scores/award?board=elsewhere", body("watch_video", "1", key()))
        .refused(404, "BOARD_NOT_FOUND");
    Api admin = Api.admin(server);
    admin.board("region:APAC", "'update':'SUM'", "'decimals':0", "'visibility':'PUBLIC'");
    ann.post("/v1/scores/award?board=region:APAC", body("watch_video", "1", key())).is(200);
    assertThat(ann.get("/v1/users/me/score?board=region:APAC").is(200).at("/total"))
        .isEqualTo("25");
    assertThat(ann.get("/v1/users/me/score").is(200).text())
        .isEqualTo("{\"user_id\":\"ann\",\"total\":0}");

    admin.put("/api/v1/award-switch", "{'enabled':false,'action':'share_link'}").is(200);
    award(ann, "share_link", "2").refused(422, "ACTION_DISABLED");
    award(ann, "watch_video", "2").is(200);
    admin.put("/api/v1/award-switch", "{'enabled':false}").is(200);
    award(ann, "watch_video", "3").refused(422, "AWARDS_DISABLED");
    Answer off = admin.get("/api/v1/award-rules").is(200);
    assertThat(off.at("/enabled")).isEqualTo("false");
    assertThat(off.json().get("switchedOff").toString()).isEqualTo("[\"share_link\"]");
    admin.put("/api/v1/award-switch", "{'enabled':true}").is(200);
    award(ann, "watch_video", "3").is(200);
  }

  @Test
  void award_sameActionOnAnotherBoard_isRefused() {
    TestServer server = start();
    Api.admin(server).board("region:APAC", "'update':'SUM'", "'decimals':0");
    Api ann = user(server, "ann");
    String there = "/v1/scores/award?board=region:APAC";
    award(ann, "watch_video", "01J95V6F5H7M8").is(200);
    ann.post(there, body("watch_video", "01J95V6F5H7M8", key())).refused(409, "ACTION_REPLAYED");
    ann.post(there, body("watch_video", "01J95V6F5H7M9", key())).is(200);
    award(ann, "watch_video", "01J95V6F5H7M9").refused(409, "ACTION_REPLAYED");
    user(server, "bob").post(there, body("watch_video", "01J95V6F5H7M8", key())).is(200);
  }

  /** An earlier version kept actions by board: what it took is not taken again. */
  @Test
  void award_actionThatAnEarlierVersionTook_isRefused() throws Exception {
    TestServer server = start();
    Api ann = user(server, "ann");
    award(ann, "watch_video", "a1").is(200);
    try (Connection connection = DriverManager.getConnection(server.sqliteUrl());
        PreparedStatement former =
            connection.prepareStatement(
                "UPDATE ids SET id_key = ?, board = (SELECT max(board) FROM ids)"
                    + " WHERE board = 0 AND id_key = ?")) {
      former.setBytes(1, Digest.of("action", "ann", "a1").bytes());
      former.setBytes(2, Digest.of("action", "1", "ann", "a1").bytes());
      assertThat(former.executeUpdate()).isEqualTo(1);
    }
    award(ann, "watch_video", "a1").refused(409, "ACTION_REPLAYED");
    award(ann, "watch_video", "a2").is(200);
  }

  /** The award shows the list of the board anyway. */
  @Test
  void token_withoutScopes_readsThePrivateBoardsThatTheRulesName() {
    TestServer server = start();
    Api admin = Api.admin(server);
    admin.board("region:APAC", "'update':'SUM'", "'decimals':0");
    String other = admin.board("staff");
    Api ann = user(server, "ann");
    ann.post("/v1/scores/award?board=region:APAC", body("watch_video", "1", key())).is(200);
    assertThat(ann.get("/v1/leaderboard?board=region:APAC").is(200).at("/entries/0/total"))
        .isEqualTo("25");
    assertThat(ann.get("/v1/users/me/score?board=region:APAC").is(200).at("/rank")).isEqualTo("1");
    assertThat(user(server, "bob").get("/v1/users/me/score?board=region:APAC").is(200).text())
        .isEqualTo("{\"user_id\":\"bob\",\"total\":0}");
    ann.get(Api.BOARDS + "/region:APAC/users/ann/rank?tenant=default").is(200);
    ann.get("/v1/leaderboard?board=staff").refused(403, "FORBIDDEN");
    ann.get(other + "/top?limit=1").refused(403, "FORBIDDEN");
    Api.anonymous(server).get("/v1/leaderboard?board=region:APAC").refused(401, "UNAUTHENTICATED");
    // The next rules do not name it any more.
    admin.put("/api/v1/award-rules", "{'version':2,'rules':{'watch_video':25}}").is(200);
    ann.get("/v1/leaderboard?board=region:APAC").refused(403, "FORBIDDEN");
  }

  @Test
  void ownScore_beforeTheFirstAwardOfAll_isNothing() {
    TestServer server = TestServer.start(issuer.settings(), _ -> {});
    started = server;
    assertThat(user(server, "ann").get("/v1/users/me/score").is(200).text())
        .isEqualTo("{\"user_id\":\"ann\",\"total\":0}");
  }

  @Test
  void award_whileTheSettingIsOff_isRefused() {
    TestServer server = start(s -> s.with(Settings.AWARDING_ENABLED, "false"));
    award(user(server, "ann"), "watch_video", "1").refused(422, "AWARDS_DISABLED");
  }

  @Test
  void award_body_isCheckedStrictly() {
    TestServer server = start();
    Api ann = user(server, "ann");
    String key = key();
    String whole = "'action_type':'watch_video','action_id':'x1'";
    ann.post("/v1/scores/award", "{" + whole + "}").refused(400, "INVALID_IDEMPOTENCY_KEY");
    for (String bad : List.of("", "x", "1-1-1-1-1", key + "0", "{" + key + "}")) {
      ann.post("/v1/scores/award", "{" + whole + ",'idempotency_key':'" + bad + "'}")
          .refused(400, "INVALID_IDEMPOTENCY_KEY");
    }
    ann.post("/v1/scores/award", body("watch_video", "x1", key), "Idempotency-Key", key())
        .refused(400, "INVALID_IDEMPOTENCY_KEY");
    ann.post("/v1/scores/award", "{" + whole + ",'points':99}", "Idempotency-Key", key)
        .refused(400, "UNKNOWN_FIELD");
    ann.post("/v1/scores/award", body("watch_video", "x".repeat(129), key))
        .refused(400, "VALIDATION_ERROR");
    // Whoever is named, it is the bearer who gets the points.
    Answer given =
        ann.post("/v1/scores/award", "{" + whole + ",'user_id':'bob'}", "Idempotency-Key", key)
            .is(200);
    assertThat(given.at("/user_id")).isEqualTo("ann");
    // In the header, in the body, in another case: the same key.
    Answer again =
        ann.post(
                "/v1/scores/award",
                body("watch_video", "x1", key.toUpperCase(Locale.ROOT)),
                "Idempotency-Key",
                key)
            .is(200);
    assertThat(again.replayed()).isTrue();
  }

  @Test
  void award_again_isAnsweredAsBeforeOrRefused() {
    ManualClock clock = new ManualClock(Instant.now());
    TestServer server = TestServer.start(issuer.settings(), clock, _ -> {});
    started = server;
    Api.admin(server).put("/api/v1/award-rules", RULES).is(200);
    Api ann = user(server, "ann");
    String key = key();
    ann.post("/v1/scores/award", body("watch_video", "a1", key)).is(200);
    award(ann, "share_link", "a2").is(200);
    Answer replay = ann.post("/v1/scores/award", body("watch_video", "a1", key)).is(200);
    assertThat(replay.replayed()).isTrue();
    // The first outcome, and nothing of another moment beside it.
    assertThat(replay.text())
        .isEqualTo("{\"user_id\":\"ann\",\"total\":25,\"delta\":25,\"rank\":1}");
    ann.post("/v1/scores/award", body("watch_video", "a3", key))
        .refused(409, "IDEMPOTENCY_CONFLICT");
    ann.post("/v1/scores/award", body("share_link", "a1", key))
        .refused(409, "IDEMPOTENCY_CONFLICT");
    award(ann, "watch_video", "a1").refused(409, "ACTION_REPLAYED");
    award(ann, "share_link", "a1").refused(409, "ACTION_REPLAYED");
    // Another user's action is another action, and so is their key.
    user(server, "bob").post("/v1/scores/award", body("watch_video", "a1", key)).is(200);

    server = server.restart();
    started = server;
    ann = user(server, "ann");
    assertThat(ann.post("/v1/scores/award", body("watch_video", "a1", key)).is(200).replayed())
        .isTrue();
    award(ann, "watch_video", "a1").refused(409, "ACTION_REPLAYED");
    assertThat(ann.get("/v1/users/me/score").at("/total")).isEqualTo("30");

    // Tokens are of another day by then.
    clock.turn(Duration.ofHours(25));
    ann = later(server, "ann", 25);
    Answer reused = ann.post("/v1/scores/award", body("watch_video", "a4", key)).is(200);
    assertThat(reused.replayed()).isFalse();
    assertThat(reused.at("/total")).isEqualTo("55");
    award(ann, "watch_video", "a1").refused(409, "ACTION_REPLAYED");
    clock.turn(Duration.ofDays(7));
    ann = later(server, "ann", 25 + 7 * 24);
    assertThat(award(ann, "watch_video", "a1").is(200).at("/total")).isEqualTo("80");
    award(ann, "watch_video", "a1").refused(409, "ACTION_REPLAYED");
  }

  /** With a token of that time. */
  private Api later(TestServer server, String name, int hours) {
    Instant then = Instant.now().plus(Duration.ofHours(hours));
    String token =
        issuer.token(
            name,
            c ->
                c.issueTime(Date.from(then))
                    .expirationTime(Date.from(then.plus(Duration.ofHours(1)))));
    return Api.anonymous(server).with("Authorization", "Bearer " + token);
  }

  @Test
  void award_manyAtOnceWithTheSameActionOrKey_countsOnce() {
    TestServer server = start();
    String key = key();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Api ann = user(server, "ann");
        answers.add(
            CompletableFuture.supplyAsync(() -> award(ann, "watch_video", "same"), threads));
        Api bob = user(server, "bob");
        answers.add(
            CompletableFuture.supplyAsync(
                () -> bob.post("/v1/scores/award", body("watch_video", "same", key)), threads));
      }
      long refused = answers.stream().filter(a -> a.join().status() == 409).count();
      assertThat(refused).isEqualTo(39);
    }
    for (String name : List.of("ann", "bob")) {
      assertThat(user(server, name).get("/v1/users/me/score").is(200).at("/total")).isEqualTo("25");
    }
  }

  @Test
  void award_thatTakesLong_goesWithoutTheTopList() {
    TestServer server = start(s -> s.with(Settings.AWARD_SLOW_MILLIS, "0"));
    Answer given = award(user(server, "ann"), "watch_video", "1").is(202);
    assertThat(given.text())
        .isEqualTo("{\"user_id\":\"ann\",\"total\":25,\"delta\":25,\"rank\":1}");
  }

  @Test
  void award_asOftenAsAllowed_isLimited() {
    TestServer server = start(s -> s.with(Settings.AWARD_RATE, "3").with(Settings.USER_RATE, "6"));
    Api ann = user(server, "ann");
    for (int i = 0; i < 3; i++) {
      award(ann, "share_link", "a" + i).is(200);
    }
    Answer drop = award(ann, "share_link", "a3").refused(429, "RATE_LIMITED");
    assertThat(Integer.parseInt(drop.header("Retry-After"))).isBetween(1, 20);
    assertThat(drop.header("RateLimit-Limit")).isEqualTo("3");
    assertThat(drop.header("RateLimit-Remaining")).isEqualTo("0");
    assertThat(drop.header("RateLimit-Reset")).isNotEmpty();
    ann.get("/v1/users/me/score").is(200);
    ann.get("/v1/leaderboard").is(200);
    ann.get("/v1/leaderboard").refused(429, "RATE_LIMITED");
    award(user(server, "bob"), "share_link", "b1").is(200);
    assertThat(Api.admin(server).get("/metrics").text()).contains("rate_limit_drops_total 2.0");
  }

  @Test
  void requests_ofAnAddress_areLimitedAndServicesAreNot() {
    TestServer server =
        start(
            s ->
                s.with(Settings.ADDRESS_RATE, "4")
                    .with(Settings.ADDRESS_READ_RATE, "4")
                    .with(Settings.TRUSTED_PROXIES, "127.0.0.1,10.0.0.0/8"));
    Api nobody = Api.anonymous(server);
    // The same caller, whatever it claims further left.
    for (int i = 0; i < 4; i++) {
      nobody
          .with("X-Forwarded-For", "198.51.100." + i + ", 203.0.113.9, 10.1.2.3")
          .get("/v1/leaderboard")
          .is(200);
    }
    nobody
        .with("X-Forwarded-For", "203.0.113.9")
        .get("/v1/leaderboard")
        .refused(429, "RATE_LIMITED");
    // Guesses are counted as well.
    for (int i = 0; i < 4; i++) {
      nobody
          .with("X-Forwarded-For", "203.0.113.10", "X-API-Key", "wrong-" + i)
          .get(Api.BOARDS)
          .refused(401, "UNAUTHENTICATED");
    }
    nobody
        .with("X-Forwarded-For", "203.0.113.10", "X-API-Key", "wrong")
        .get(Api.BOARDS)
        .refused(429, "RATE_LIMITED");
    nobody.with("X-Forwarded-For", "203.0.113.11").get("/v1/leaderboard").is(200);
    Api admin = Api.admin(server).with("X-Forwarded-For", "203.0.113.9");
    for (int i = 0; i < 10; i++) {
      admin.get("/v1/leaderboard").is(200);
      nobody.with("X-Forwarded-For", "203.0.113.9").get("/api/v1/health").is(200);
    }
  }
}
