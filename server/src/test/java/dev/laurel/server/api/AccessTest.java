package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.store.ApiKey.Scope;
import dev.laurel.server.TestServer;
import dev.laurel.server.http.Access;
import dev.laurel.server.http.Body;
import dev.laurel.server.http.Route;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Who may do what: every route of the table with every kind of caller. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {
  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api admin;

  @BeforeAll
  void start() {
    server = TestServer.start();
    admin = Api.admin(server);
    admin.board("private");
    admin.score(Api.BOARDS + "/private", "ann", "'score':1").is(200);
    admin.post("/v1/games/private/scores", "{'user_id':'ann','score':1}").is(200);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /**
   * Every route but those anyone may call, those of users (see TokenTest), the list of boards,
   * which is only shorter for a stranger, and the stream of many boards, which refuses each by
   * itself (see SharedStreamTest); with an address that exists where it names one.
   */
  private List<Route> guarded() {
    return server.laurel().routes().routes().stream()
        .filter(r -> r.access() != Access.PUBLIC && !r.access().isForUsers())
        .filter(r -> !r.toString().equals("GET " + Api.BOARDS))
        .filter(r -> !r.toString().equals("POST /api/v1/stream"))
        .toList();
  }

  /**
   * The route's address with these values of its parameters; {@code ann} and {@code nothing} where
   * none is given.
   */
  static String address(Route route, Map<String, String> parameters) {
    String path = route.template();
    for (var parameter : parameters.entrySet()) {
      path = path.replace("{" + parameter.getKey() + "}", parameter.getValue());
    }
    path = path.replaceAll("\\{user_?[iI]d}", "ann").replaceAll("\\{\\w+}", "nothing");
    return path.startsWith("/leaderboards/") && path.endsWith("/top")
        ? path + "?k=1"
        : path.endsWith("/top") ? path + "?limit=1" : path;
  }

  /** As a caller behind a proxy, so that nothing is granted for being on the same machine. */
  private static Answer call(Api caller, Route route) {
    return caller
        .with("X-Forwarded-For", "203.0.113.9")
        .send(
            route.method().name(),
            address(route, Map.of("UUID", "private", "keyId", "999", "webhookId", "999")),
            route.body() == Body.JSON ? "{}" : null);
  }

  @Test
  void everyRoute_withoutAKey_is401() {
    assertThat(guarded()).hasSizeGreaterThan(15);
    for (Route route : guarded()) {
      call(Api.anonymous(server), route).refused(401, "UNAUTHENTICATED");
    }
  }

  @Test
  void everyRoute_withAWrongKey_is401() {
    for (String wrong :
        List.of("laurel_nonsense", "x", "x".repeat(600), TestServer.ADMIN_KEY + "x")) {
      for (Route route : guarded()) {
        call(Api.anonymous(server).with("X-API-Key", wrong), route).refused(401, "UNAUTHENTICATED");
      }
    }
  }

  @Test
  void everyRoute_byEachScope_isOpenOrForbidden() {
    for (Scope scope : Scope.values()) {
      String name = scope.name().toLowerCase(Locale.ROOT);
      Api caller = admin.key("only-" + name, name);
      for (Route route : guarded()) {
        Answer answer = call(caller, route);
        if (scope == Scope.ADMIN || scope == route.access().scope()) {
          assertThat(answer.status()).as(route + ": " + answer).isNotIn(401, 403);
        } else {
          answer.refused(403, "FORBIDDEN");
        }
      }
    }
  }

  @Test
  void everyOpenRoute_withAWrongKey_isServed() {
    Api wrong = Api.anonymous(server).with("X-API-Key", "laurel_nonsense");
    for (Route route : server.laurel().routes().routes()) {
      if (route.access() == Access.PUBLIC && !Contract.isPage(route.template())) {
        wrong.get(route.template()).is(200);
      }
    }
  }

  @Test
  void boards_byStrangersAndKeysThatMayNotRead_areThePublicOnes() {
    admin.board("shown", "'visibility':'PUBLIC'");
    Api ingest = admin.key("sends", "ingest");
    for (Api caller : List.of(Api.anonymous(server), ingest)) {
      assertThat(caller.get(Api.BOARDS).is(200).all("/leaderboards", "UUID"))
          .containsExactly("shown");
      assertThat(caller.get(Api.BOARDS + "?tenant=default").number("/total")).isEqualTo(1);
      assertThat(caller.get(Api.BOARDS + "?tenant=nobody").number("/total")).isZero();
    }
    assertThat(admin.get(Api.BOARDS).all("/leaderboards", "UUID")).contains("shown", "private");
    admin.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
    Api acme = admin.with("Laurel-Tenant", "acme");
    assertThat(acme.get(Api.BOARDS).number("/total")).isZero();
    assertThat(acme.get(Api.BOARDS + "?tenant=default").all("/leaderboards", "UUID"))
        .containsExactly("shown");
    Api.anonymous(server)
        .with("X-API-Key", "laurel_nonsense")
        .get(Api.BOARDS)
        .refused(401, "UNAUTHENTICATED");
  }

  @Test
  void revokedKey_stopsAtOnce() {
    for (int round = 0; round < 20; round++) {
      Answer made =
          admin.post("/api/v1/keys", "{'name':'brief','scopes':['read','manage']}").is(201);
      Api brief = Api.anonymous(server).with("X-API-Key", made.at("/key"));
      brief.get(Api.BOARDS).is(200);
      // Others that come and go meanwhile do not bring it back.
      Thread rival = Thread.startVirtualThread(() -> admin.secret("rival", "read"));
      brief.delete("/api/v1/keys/" + made.at("/keyId")).is(204);
      for (Route route : guarded()) {
        call(brief, route).refused(401, "UNAUTHENTICATED");
      }
      try {
        rival.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      brief.get(Api.BOARDS).refused(401, "UNAUTHENTICATED");
      admin.delete("/api/v1/keys/" + made.at("/keyId")).refused(404, "KEY_NOT_FOUND");
    }
    Answer list = admin.get("/api/v1/keys").is(200);
    assertThat(list.all("/keys", "revokedAt").stream().filter(t -> !t.isEmpty())).hasSize(20);
    assertThat(list.text()).doesNotContain("\"key\":").doesNotContain("\"hash\":");
  }

  @Test
  void manageKey_cannotMakeAnAdmin() {
    Api manager = admin.key("manager", "manage");
    manager.post("/api/v1/keys", "{'name':'x','scopes':['admin']}").refused(403, "FORBIDDEN");
    manager
        .post("/api/v1/keys", "{'name':'x','scopes':['read','admin']}")
        .refused(403, "FORBIDDEN");
    manager.post("/api/v1/keys", "{'name':'x','scopes':['manage','read','ingest']}").is(201);
    for (String bad : List.of("[]", "['root']", "['READ']", "['read','read']", "'read'", "[1]")) {
      manager
          .post("/api/v1/keys", "{'name':'x','scopes':" + bad + "}")
          .refused(400, "VALIDATION_ERROR");
    }
    for (String name : List.of("", " ", "x".repeat(201), "\\u0000", "a\\nb")) {
      manager
          .post("/api/v1/keys", "{'name':'" + name + "','scopes':['read']}")
          .refused(400, "VALIDATION_ERROR");
    }
    String widest = "\\ud83c\\udfc6".repeat(200);
    manager.post("/api/v1/keys", "{'name':'" + widest + "','scopes':['read']}").is(201);
    for (String id : List.of("0", "-1", "+1", "x", "1.0", "9223372036854775808")) {
      manager.delete("/api/v1/keys/" + id).refused(400, "VALIDATION_ERROR");
    }
  }

  @Test
  void keys_inTheDataFolder_areHashesOnly() throws IOException {
    String secret = admin.secret("find-this-name", "read");
    Api.anonymous(server).with("X-API-Key", secret).get(Api.BOARDS).is(200);
    StringBuilder all = new StringBuilder();
    try (var files = Files.walk(server.laurel().dataFolder())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    assertThat(all.indexOf("find-this-name")).isNotNegative();
    assertThat(all.indexOf(secret)).isNegative();
    assertThat(all.indexOf(secret.substring(12))).isNegative();
    assertThat(all.indexOf(TestServer.ADMIN_KEY)).isNegative();
  }

  @Test
  void publicBoard_isReadByAnyoneAndWrittenByNobody() {
    String board = admin.board("public", "'visibility':'PUBLIC'");
    admin.score(board, "ann", "'score':1").is(200);
    Api nobody = Api.anonymous(server);
    Api ingest = admin.key("ingest", "ingest");
    for (Api caller : List.of(nobody, ingest)) {
      for (String query : List.of("", "tenant=default")) {
        caller.get(board + "?" + query).is(200);
        caller.get(board + "/top?limit=1&" + query).is(200);
        caller.get(board + "/users/ann/rank?" + query).is(200);
        caller.get(board + "/users/ann/around?" + query).is(200);
        caller.post(board + "/ranks?" + query, "{'userIds':['ann']}").is(200);
      }
    }
    nobody.get(board + "/users/bob/rank").refused(404, "USER_NOT_FOUND");
    nobody.patch(board, "{}").refused(401, "UNAUTHENTICATED");
    nobody.score(board, "ann", "'score':2").refused(401, "UNAUTHENTICATED");
    nobody.with("X-API-Key", "wrong").get(board).refused(401, "UNAUTHENTICATED");
    admin.patch(board, "{'visibility':'PRIVATE'}").is(200);
    nobody.get(board).refused(401, "UNAUTHENTICATED");
  }

  @Test
  void privateBoard_toNobody_isLikeOneThatDoesNotExist() {
    Api nobody = Api.anonymous(server);
    List<String> answers = new ArrayList<>();
    for (String board : List.of("private", "nowhere")) {
      for (String rest : List.of("", "/top?limit=1", "/users/ann/rank", "/users/ann/around")) {
        Answer answer = nobody.get(Api.BOARDS + "/" + board + rest);
        answers.add(answer.refused(401, "UNAUTHENTICATED").text());
      }
    }
    assertThat(answers.subList(0, 4)).isEqualTo(answers.subList(4, 8));
  }

  @Test
  void anonymous_ifTheSettingSaysSo_readsAndWrites() {
    try (TestServer open =
        TestServer.start(s -> s.with(Settings.ANONYMOUS, "read,ingest"), _ -> {})) {
      Api nobody = Api.anonymous(open);
      nobody.post("/v1/games/open/scores", "{'user_id':'ann','score':5}").is(200);
      nobody.get("/v1/games/open/leaderboard").is(200);
      nobody.get("/v1/users/ann/scores").is(200);
      nobody.get(Api.BOARDS + "/nowhere").refused(404, "BOARD_NOT_FOUND");
      nobody.post(Api.BOARDS, "{'UUID':'x'}").refused(403, "FORBIDDEN");
      nobody.get("/api/v1/keys").refused(403, "FORBIDDEN");
      nobody.with("X-API-Key", "wrong").get(Api.BOARDS).refused(401, "UNAUTHENTICATED");
      Answer board = Api.admin(open).get(Api.BOARDS + "/game:open").is(200);
      assertThat(board.at("/createdBy")).isEqualTo("anonymous");
    }
    try (TestServer open = TestServer.start(s -> s.with(Settings.ANONYMOUS, "read"), _ -> {})) {
      Api.anonymous(open).get(Api.BOARDS).is(200);
      Api.anonymous(open)
          .post("/v1/games/open/scores", "{'user_id':'ann','score':5}")
          .refused(403, "FORBIDDEN");
    }
  }
}
