package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users decide about themselves, as services, the public and they themselves see it. */
class PrivacyApiTest {
  @TempDir Path folder = Path.of("");
  private final TestIssuer issuer = new TestIssuer();
  private @Nullable TestServer started;

  @AfterEach
  void stop() {
    if (started != null) {
      started.close();
    }
    issuer.close();
  }

  private TestServer start(UnaryOperator<Configuration> more) {
    TestServer server = TestServer.start(s -> more.apply(issuer.settings().apply(s)), _ -> {});
    started = server;
    return server;
  }

  private TestServer start() {
    return start(s -> s);
  }

  private Api user(TestServer server, String name) {
    return Api.anonymous(server).with("Authorization", "Bearer " + issuer.token(name));
  }

  /** A public board: ann 30, bob 20, cid 10. */
  private static String board(Api admin) {
    String board = admin.board("open", "'visibility':'PUBLIC'");
    admin.score(board, "ann", "'score':30").is(200);
    admin.score(board, "bob", "'score':20").is(200);
    admin.score(board, "cid", "'score':10").is(200);
    return board;
  }

  private static List<String> top(Api api, String board) {
    return api.get(board + "/top?limit=10").is(200).all("/users", "userId");
  }

  @Test
  void displayName_set_isShownWhereTheUserIs() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board = board(admin);
    Answer put =
        admin.put("/api/v1/users/bob/profile", "{'displayName':'Bobo\u0308 \ud83c\udfc6'}");
    assertThat(put.is(200).at("/displayName")).isEqualTo("Bob\u00f6 \ud83c\udfc6");
    assertThat(put.at("/anonymous")).isEqualTo("never");
    Api anyone = Api.anonymous(server);
    assertThat(anyone.get(board + "/top?limit=3").at("/users/1/displayName"))
        .isEqualTo("Bob\u00f6 \ud83c\udfc6");
    assertThat(anyone.get(board + "/users/bob/rank").at("/displayName")).startsWith("Bob");
    assertThat(anyone.get(board + "/users/ann/around").at("/below/0/displayName"))
        .startsWith("Bob");
    assertThat(anyone.get(board + "/users/ann/rank").text()).doesNotContain("displayName");
    user(server, "bob").put("/v1/users/me/profile", "{'display_name':'B'}").is(200);
    assertThat(user(server, "bob").get("/v1/users/me/profile").is(200).text())
        .isEqualTo("{\"user_id\":\"bob\",\"display_name\":\"B\",\"anonymous\":\"never\"}");
    assertThat(anyone.get("/v1/leaderboard?board=open").at("/entries/1/display_name"))
        .isEqualTo("B");
    admin.put("/api/v1/users/bob/profile", "{}").is(200);
    assertThat(anyone.get(board + "/top?limit=3").text()).doesNotContain("displayName");
    admin.get("/api/v1/users/nobody/profile").refused(404, "USER_NOT_FOUND");
    TestServer again = server.restart();
    started = again;
    assertThat(Api.admin(again).get("/api/v1/users/bob/profile").is(200).at("/anonymous"))
        .isEqualTo("never");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'displayName':''",
        "'displayName':'  '",
        "'displayName':'a\\u0007'",
        "'displayName':'a\\u202eb'",
        "'displayName':'a\\u2066b'",
        "'displayName':'12345678901234567890123456789012345678901'",
        "'displayName':7",
        "'anonymous':'sometimes'",
        "'anonymous':{'below':0}",
        "'anonymous':{}",
        "'anonymous':5"
      })
  void profile_thatWillNotDo_isRefused(String fields) {
    Api admin = Api.admin(start());
    admin.put("/api/v1/users/bob/profile", "{" + fields + "}").refused(400, "VALIDATION_ERROR");
  }

  @Test
  void anonymousEverywhere_toThePublic_isAPseudonymAndNotToBeFound() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board = board(admin);
    admin.put("/api/v1/users/bob/profile", "{'displayName':'B','anonymous':'everywhere'}").is(200);
    Api anyone = Api.anonymous(server);
    List<String> seen = top(anyone, board);
    assertThat(seen.get(1)).matches("anonymous-[0-9a-f]{8,12}");
    assertThat(seen).containsExactly("ann", seen.get(1), "cid");
    assertThat(anyone.get(board + "/top?limit=3").text()).doesNotContain("bob", "\"B\"");
    assertThat(anyone.get(board + "/users/ann/around").text()).doesNotContain("bob", "\"B\"");
    anyone.get(board + "/users/bob/rank").refused(404, "USER_NOT_FOUND");
    anyone.get(board + "/users/bob/around").refused(404, "USER_NOT_FOUND");
    assertThat(anyone.get(board + "/users/bob/history").is(200).all("/seasons", "rank")).isEmpty();
    Answer friends = anyone.post(board + "/ranks", "{'userIds':['bob','cid','ann']}").is(200);
    assertThat(friends.all("/users", "userId")).containsExactly("ann", "cid");
    assertThat(friends.all("/users", "rankAmong")).containsExactly("1", "2");
    assertThat(friends.at("/missing/0")).isEqualTo("bob");
    assertThat(anyone.get("/v1/leaderboard?board=open").text()).doesNotContain("bob", "\"B\"");

    assertThat(top(admin, board)).containsExactly("ann", "bob", "cid");
    assertThat(top(user(server, "bob"), board)).containsExactly("ann", "bob", "cid");
    assertThat(user(server, "bob").get(board + "/users/bob/rank").is(200).at("/rank"))
        .isEqualTo("2");
    assertThat(top(user(server, "cid"), board)).isEqualTo(seen);

    // The same name for ever on a board, another one elsewhere.
    admin.put("/api/v1/users/bob/profile", "{'anonymous':{'below':1}}").is(200);
    assertThat(top(anyone, board)).isEqualTo(seen);
    String other = admin.board("other", "'visibility':'PUBLIC'");
    admin.score(other, "bob", "'score':1").is(200);
    admin.put("/api/v1/users/bob/profile", "{'anonymous':'everywhere'}").is(200);
    assertThat(top(anyone, other).getFirst()).startsWith("anonymous-").isNotEqualTo(seen.get(1));
  }

  @Test
  void anonymousBelowARank_isShownAboveIt() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board = board(admin);
    admin.put("/api/v1/users/bob/profile", "{'anonymous':{'below':2}}").is(200);
    assertThat(top(Api.anonymous(server), board)).containsExactly("ann", "bob", "cid");
    admin.score(board, "cid", "'score':25").is(200);
    assertThat(top(Api.anonymous(server), board)).doesNotContain("bob").hasSize(3);
  }

  @Test
  void streams_toThePublic_nameUsersAsReadsDo() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board = board(admin);
    admin.put("/api/v1/users/bob/profile", "{'displayName':'B','anonymous':{'below':1}}").is(200);
    admin.put("/api/v1/users/cid/profile", "{'anonymous':'everywhere'}").is(200);
    List<String> seen = top(Api.anonymous(server), board);
    try (EventReader anyone = EventReader.open(server, board + "/stream?top=3");
        EventReader key =
            EventReader.open(
                server, board + "/stream?top=3", "X-API-Key", admin.secret("reader", "read"));
        EventReader curious = EventReader.open(server, board + "/stream?user=cid")) {
      anyone.until("ann 30", seen.get(1) + " 20", seen.get(2) + " 10");
      key.until("ann 30", "bob 20", "cid 10");
      assertThat(curious.next("leaderboard.snapshot").data().json().at("/entries")).isEmpty();
      admin.score(board, "bob", "'score':40").is(200);
      // First, bob is shown; that this was the one on the second place is nobody's business.
      anyone.until("bob 40", "ann 30", seen.get(2) + " 10");
      key.until("bob 40", "ann 30", "cid 10");
      admin.score(board, "ann", "'score':50").is(200);
      anyone.until("ann 50", seen.get(1) + " 40", seen.get(2) + " 10");
      admin.score(board, "dora", "'score':45").is(200);
      anyone.until("ann 50", "dora 45", seen.get(1) + " 40");
    }
  }

  @Test
  void streams_ofAUserWhoGoesIntoHidingOrIsErased_nameNobodyAnyMore() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board = board(admin);
    String top = board + "/stream?top=3";
    try (EventReader anyone = EventReader.open(server, top)) {
      anyone.until("ann 30", "bob 20", "cid 10");
      admin.put("/api/v1/users/bob/profile", "{'anonymous':'everywhere'}").is(200);
      List<String> seen = top(Api.anonymous(server), board);
      anyone.until("ann 30", seen.get(1) + " 20", "cid 10");
      try (EventReader later = EventReader.open(server, top)) {
        assertThat(later.next("leaderboard.snapshot").data().text()).doesNotContain("bob");
      }
      admin.delete("/api/v1/users/cid").is(204);
      String erased = top(admin, board).get(2);
      anyone.until("ann 30", seen.get(1) + " 20", erased + " 10");
      try (EventReader later = EventReader.open(server, top)) {
        assertThat(later.next("leaderboard.snapshot").data().text()).doesNotContain("cid", "bob");
      }
      admin.score(board, "ann", "'score':15").is(200);
      anyone.until(seen.get(1) + " 20", "ann 15", erased + " 10");
    }
  }

  /** Also before those who watch already are told, which takes a moment. */
  @Test
  void stream_openedWhenAProfileHasChanged_namesNobodyAsBefore() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board = board(admin);
    String top = board + "/stream?top=3";
    try (EventReader anyone = EventReader.open(server, top)) {
      anyone.next("leaderboard.snapshot");
      for (int i = 0; i < 30; i++) {
        String name = "Bob " + i;
        admin.put("/api/v1/users/bob/profile", "{'displayName':'" + name + "'}").is(200);
        try (EventReader later = EventReader.open(server, top)) {
          assertThat(later.next("leaderboard.snapshot").data().at("/entries/1/displayName"))
              .isEqualTo(name);
        }
      }
    }
  }

  /** Also one without a place, whom the others' rows would give away. */
  @Test
  void stream_aroundAUserWhoIsNotShownAndHasNoPlace_isThatOfNobody() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board =
        admin.board(
            "few", "'visibility':'PUBLIC','windows':[{'schedule':'all-time','capacity':2}]");
    for (int i = 1; i <= 4; i++) {
      admin.score(board, "h" + i, "'score':" + (100 - 10 * i)).is(200);
    }
    admin.put("/api/v1/users/h4/profile", "{'anonymous':'everywhere'}").is(200);
    try (EventReader hidden = EventReader.open(server, board + "/stream?user=h4");
        EventReader nobody = EventReader.open(server, board + "/stream?user=nobody")) {
      Answer one = hidden.next("leaderboard.snapshot").data();
      Answer other = nobody.next("leaderboard.snapshot").data();
      assertThat(one.json().at("/entries")).isEmpty();
      assertThat(one.text()).isEqualTo(other.text());
    }
  }

  @Test
  void export_ofAUser_hasAllThereIs() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board = board(admin);
    admin.score(board, "bob", "'score':21,'eventId':'e1','metadata':{'level':7}").is(200);
    admin
        .put(board + "/guard", "{'rules':[{'rule':'JUMP','threshold':20,'outcome':'QUARANTINE'}]}")
        .is(200);
    admin.score(board, "bob", "'score':99").is(200);
    admin.put("/api/v1/users/bob/profile", "{'displayName':'B'}").is(200);
    Answer all = admin.get("/api/v1/users/bob/export").is(200);
    assertThat(all.at("/profile/displayName")).isEqualTo("B");
    assertThat(all.all("/entries", "score")).containsExactly("21");
    assertThat(all.all("/lines", "value")).containsExactly("20", "21", "99");
    assertThat(all.at("/lines/2/anomaly/rule")).isEqualTo("JUMP");
    assertThat(all.at("/lines/1/eventId")).isEqualTo("e1");
    assertThat(all.at("/lines/1/metadata/level")).isEqualTo("7");
    assertThat(all.text()).doesNotContain("ann");
    assertThat(user(server, "bob").get("/v1/users/me/export").is(200).text()).isEqualTo(all.text());
    admin.get("/api/v1/users/nobody/export").refused(404, "USER_NOT_FOUND");
  }

  private static List<String> strings(String url, String sql) {
    List<String> found = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        ResultSet rows = connection.createStatement().executeQuery(sql)) {
      while (rows.next()) {
        found.add(String.valueOf(rows.getString(1)));
      }
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
    return found;
  }

  @Test
  void erase_aUser_removesTheIdentityAndKeepsRanksAndChain() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board = board(admin);
    admin
        .put(
            board + "/users/bob",
            "{'score':21,'eventId':'secret-event','metadata':{'secret':7}}",
            "Idempotency-Key",
            "k1")
        .is(200);
    admin.put("/api/v1/users/bob/profile", "{'displayName':'Secret name'}").is(200);

    admin.delete("/api/v1/users/bob").is(204);

    List<String> after = top(admin, board);
    assertThat(after.get(1)).matches("erased-[0-9a-f]{16}");
    assertThat(after).containsExactly("ann", after.get(1), "cid");
    assertThat(admin.get(board + "/top?limit=3").at("/users/1/score")).isEqualTo("21");
    admin.get(board + "/users/bob/rank").refused(404, "USER_NOT_FOUND");
    assertThat(admin.get(board + "/users/" + after.get(1) + "/rank").is(200).text())
        .doesNotContain("metadata");
    Cli verified = Cli.run(server, folder, "verify", "--ledger");
    assertThat(verified.code()).as(verified.out()).isZero();
    assertThat(Cli.run(server, folder, "verify").code()).isZero();
    String url = server.sqliteUrl();
    assertThat(strings(url, "SELECT id FROM users")).doesNotContain("bob");
    assertThat(strings(url, "SELECT coalesce(event_id,'') || coalesce(metadata,'') FROM ledger"))
        .allMatch(String::isEmpty);
    assertThat(strings(url, "SELECT kind FROM ledger ORDER BY line DESC LIMIT 1"))
        .containsExactly("7");
    assertThat(strings(url, "SELECT display_name FROM user_profiles")).containsExactly("null");
    assertThat(strings(url, "SELECT CAST(answer AS TEXT) FROM ids WHERE answer IS NOT NULL"))
        .noneMatch(a -> a.contains("bob"));

    admin.delete("/api/v1/users/bob").refused(404, "USER_NOT_FOUND");
    admin.delete("/api/v1/users/" + after.get(1)).refused(404, "USER_NOT_FOUND");
    admin.get("/api/v1/users/bob/export").refused(404, "USER_NOT_FOUND");

    // The id is free, and is somebody else.
    admin.score(board, "bob", "'score':1").is(200);
    assertThat(top(admin, board)).containsExactly("ann", after.get(1), "cid", "bob");
    TestServer again = server.restart();
    started = again;
    Api later = Api.admin(again);
    assertThat(top(later, board)).containsExactly("ann", after.get(1), "cid", "bob");
    assertThat(later.get(board + "/users/bob/rank").is(200).at("/score")).isEqualTo("1");
    assertThat(Cli.run(again, folder, "verify", "--ledger").code()).isZero();
  }

  @Test
  void erase_interrupted_goesOnAtTheNextStart() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board = board(admin);
    admin.delete("/api/v1/users/bob").is(204);
    String url = server.sqliteUrl();
    TestServer again =
        server.restart(() -> assertThat(update(url, "UPDATE user_profiles SET state = 1")).isOne());
    started = again;
    Poll.until(
        "it is done", () -> strings(url, "SELECT state FROM user_profiles").equals(List.of("2")));
    assertThat(top(Api.admin(again), board).get(1)).startsWith("erased-");
    assertThat(Cli.run(again, folder, "verify", "--ledger").code()).isZero();
  }

  private static int update(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url)) {
      return connection.createStatement().executeUpdate(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Ids are the last part of the order: the index is right also among equals. */
  @Test
  void erase_amongEquals_leavesAnIndexThatTheDatabaseAgreesWith() {
    TestServer server = start();
    Api admin = Api.admin(server);
    String board = admin.board("equal", "'ties':'SHARED'");
    for (String name : List.of("a", "b", "f", "g", "h")) {
      admin.score(board, name, "'score':5,'timestamp':'2026-01-01T00:00:00Z'").is(200);
    }
    admin.delete("/api/v1/users/a").is(204);
    assertThat(top(admin, board).getFirst()).isEqualTo("b");
    assertThat(top(admin, board).get(1)).startsWith("erased-");
    Cli verified = Cli.run(server, folder, "verify", "equal");
    assertThat(verified.code()).as(verified.out()).isZero();
  }

  @Test
  void eraseOwn_withRanksInRedis_isSeenThere(@TempDir Path redisFolder) {
    try (RedisServer redis = RedisServer.start(redisFolder)) {
      TestServer server = start(s -> s.with(Settings.REDIS_URL, redis.url()));
      Api admin = Api.admin(server);
      String board = board(admin);
      user(server, "bob")
          .delete("/v1/users/me", "Idempotency-Key", UUID.randomUUID().toString())
          .is(204);
      List<String> after = top(admin, board);
      assertThat(after.get(1)).startsWith("erased-");
      assertThat(after).containsExactly("ann", after.get(1), "cid");
      Cli verified = Cli.run(server, folder, "verify", "open");
      assertThat(verified.code()).as(verified.out()).isZero();
      user(server, "bob").delete("/v1/users/me").refused(404, "USER_NOT_FOUND");
      admin.score(board, "bob", "'score':40").is(200);
      assertThat(top(admin, board)).containsExactly("bob", "ann", after.get(1), "cid");
    }
  }
}
