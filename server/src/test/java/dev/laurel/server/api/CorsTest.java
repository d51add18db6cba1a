package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Which answers the pages of other origins may read. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before every test
class CorsTest {
  private static final String OURS = "https://game.example";
  private static final String THEIRS = "https://acme.example:8443";
  private static final String TOP = Api.BOARDS + "/open/top?limit=5";

  private final TestIssuer issuer = new TestIssuer();
  private TestServer server;
  private Api admin;
  private Api acme;

  @BeforeAll
  void start() {
    server = TestServer.start(issuer.settings(), _ -> {});
    admin = Api.admin(server);
    admin.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
    acme = admin.with("Laurel-Tenant", "acme");
    for (Api each : new Api[] {admin, acme}) {
      each.board("open", "'visibility':'PUBLIC'");
      each.board("closed");
    }
    admin.put("/api/v1/cors", "{'origins':['%s']}".formatted(OURS)).is(200);
    acme.put("/api/v1/cors", "{'origins':['%s']}".formatted(THEIRS)).is(200);
  }

  @AfterAll
  void stop() {
    server.close();
    issuer.close();
  }

  private static String allowed(Answer answer) {
    assertThat(answer.headers().map()).doesNotContainKey("access-control-allow-credentials");
    assertThat(answer.header("vary")).isEqualTo("origin");
    return answer.header("access-control-allow-origin");
  }

  private static String allowed(Api caller, String path, String origin) {
    return allowed(caller.get(path, "Origin", origin));
  }

  private Answer options(String path, String... headers) {
    HttpRequest.Builder request = server.anonymous(path).method("OPTIONS", BodyPublishers.noBody());
    HttpResponse<String> response =
        server.send(headers.length == 0 ? request : request.headers(headers));
    return Answer.of(response.statusCode(), response.headers(), response.body()).is(204);
  }

  private Answer preflight(String path, String origin, String method) {
    return options(path, "Origin", origin, "Access-Control-Request-Method", method);
  }

  @Test
  void reads_ofATenant_areForTheOriginsItAllows() {
    Api stranger = Api.anonymous(server);
    assertThat(allowed(stranger.get(TOP, "Origin", OURS).is(200))).isEqualTo(OURS);
    assertThat(allowed(stranger, TOP, THEIRS)).isEmpty();
    assertThat(allowed(stranger, TOP, "https://evil.example")).isEmpty();
    assertThat(allowed(stranger, TOP + "&tenant=acme", THEIRS)).isEqualTo(THEIRS);
    assertThat(allowed(stranger, TOP + "&tenant=acme", OURS)).isEmpty();
    assertThat(stranger.get(TOP).is(200).headers().map()).doesNotContainKeys("vary");
    // Whose data it is counts, not who asks.
    assertThat(allowed(admin, TOP + "&tenant=acme", OURS)).isEmpty();
    assertThat(allowed(acme, Api.BOARDS + "/closed/top?limit=5", THEIRS)).isEqualTo(THEIRS);
    assertThat(allowed(admin, Api.BOARDS + "/closed/top?limit=5", THEIRS)).isEmpty();
    assertThat(stranger.get(TOP, "Origin", OURS).header("access-control-expose-headers"))
        .contains("retry-after", "x-request-id");
  }

  @Test
  void token_ofAUser_isForTheOriginsOfItsTenant() {
    Api ann = Api.anonymous(server).with("Authorization", "Bearer " + issuer.token("ann"));
    assertThat(allowed(ann, "/v1/leaderboard", OURS)).isEqualTo(OURS);
    assertThat(allowed(ann, "/v1/leaderboard", THEIRS)).isEmpty();
    Answer award = ann.post("/v1/scores/award", "{}", "Origin", OURS).is(400);
    assertThat(allowed(award)).isEqualTo(OURS);
  }

  @Test
  void errors_forAnAllowedOrigin_canBeRead() {
    Api wrong = Api.anonymous(server).with("Authorization", "Bearer x");
    Answer expired = wrong.get("/v1/users/me/score", "Origin", THEIRS).is(401);
    assertThat(allowed(expired)).isEqualTo(THEIRS);
    assertThat(allowed(Api.anonymous(server), "/nowhere", "https://evil.example")).isEmpty();
  }

  @Test
  void routes_forServices_areNotForBrowsers() {
    assertThat(allowed(admin, "/api/v1/keys", OURS)).isEmpty();
    assertThat(allowed(Api.anonymous(server), "/api/v1/keys", OURS)).isEmpty();
    for (String method : new String[] {"GET", "POST", "", "\u00e9", "NOSUCH"}) {
      assertThat(allowed(preflight("/api/v1/keys", OURS, method))).isEmpty();
    }
  }

  @Test
  void preflight_ofARouteForBrowsers_saysWhatMayBeSent() {
    Answer yes = preflight("/v1/scores/award", THEIRS, "POST");
    assertThat(allowed(yes)).isEqualTo(THEIRS);
    assertThat(yes.header("access-control-allow-methods")).isEqualTo("POST");
    assertThat(yes.header("access-control-allow-headers"))
        .contains("authorization", "content-type", "idempotency-key", "last-event-id");
    assertThat(yes.header("access-control-max-age")).isEqualTo("7200");
    assertThat(allowed(preflight("/v1/scores/award", "https://evil.example", "POST"))).isEmpty();
    assertThat(allowed(preflight(TOP, OURS, "DELETE"))).isEmpty();
    Answer plain = options(TOP);
    assertThat(plain.header("allow")).contains("GET");
    assertThat(plain.headers().map()).doesNotContainKeys("vary", "access-control-allow-origin");
  }

  @Test
  void origins_areCheckedAndKept() {
    acme.post("/api/v1/tenants", "{'tenantId':'third','name':'T'}").is(201);
    Api third = admin.with("Laurel-Tenant", "third");
    third.board("open", "'visibility':'PUBLIC'");
    for (String bad :
        new String[] {
          "", "game.example", "https://", "https://a/", "https://A", "null", "https://a:x"
        }) {
      third
          .put("/api/v1/cors", "{'origins':['%s']}".formatted(bad))
          .refused(400, "VALIDATION_ERROR");
    }
    third.put("/api/v1/cors", "{}").refused(400, "VALIDATION_ERROR");
    assertThat(third.get("/api/v1/cors").is(200).text()).isEqualTo("{\"origins\":[]}");
    Answer set =
        third
            .put("/api/v1/cors", "{'origins':['http://[::1]:80','capacitor://localhost']}")
            .is(200);
    assertThat(set.text())
        .isEqualTo("{\"origins\":[\"capacitor://localhost\",\"http://[::1]:80\"]}");
    assertThat(third.get("/api/v1/cors").is(200).text()).isEqualTo(set.text());
    assertThat(allowed(third, TOP, "capacitor://localhost")).isEqualTo("capacitor://localhost");
    third.key("reader", "read").get("/api/v1/cors").refused(403, "FORBIDDEN");
  }
}
