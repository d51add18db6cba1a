package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import dev.laurel.server.http.Access;
import dev.laurel.server.http.Body;
import dev.laurel.server.http.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tenants see nothing of each other, not even that there is something. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TenantAccessTest {
  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api admin;

  private static final String SCORES = "{'score':1,'userIds':['ann'],'scores':[]}";
  private static final String CONFIG =
      "{'tenantId':'acme','name':'secret',"
          + "'featureConfig':{'features':[{'name':'points','dataType':'INTEGER','required':true}]},"
          + "'rankingOrder':'HIGHEST_FIRST',"
          + "'scoringStrategy':{'spelExpression':'points','features':['points']},"
          + "'startTime':'2026-01-01T00:00:00Z','endTime':'2036-01-01T00:00:00Z',"
          + "'topicName':'secret-events','writeQPS':1}";
  private static final Map<String, String> CONFIG_BODIES =
      Map.of("PUT", CONFIG.replace("acme", "default"), "PATCH", "{'status':'ACTIVE'}");

  private static final Map<String, String> POD_BODIES =
      Map.of(
          "",
          "{'versionField':'v'}",
          "/schemas",
          "{'schemaVersion':'1','timestampFormat':'ISO_8601','scoreType':'double',"
              + "'fieldMappings':{'userId':'u','score':'s','timestamp':'t','UUID':'b'}}",
          "/schemas/{schemaVersion}",
          "{'status':'ACTIVE'}",
          "/schemas/try",
          "{'event':{}}");

  /** A key of the tenant acme with every scope, and one of the tenant default. */
  @SuppressWarnings("NullAway.Init") // set before every test
  private Api acme;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api stranger;

  /** One of each thing that acme has, by the name of the parameter that asks for it. */
  private final Map<String, String> theirs = new HashMap<>();

  @BeforeAll
  void start() {
    server = TestServer.start();
    admin = Api.admin(server);
    admin.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
    Answer key =
        admin
            .with("Laurel-Tenant", "acme")
            .post("/api/v1/keys", "{'name':'acme','scopes':['read','ingest','manage']}")
            .is(201);
    theirs.put("keyId", key.at("/keyId"));
    acme = Api.anonymous(server).with("X-API-Key", key.at("/key"));
    stranger = admin.key("stranger", "read", "ingest", "manage");
    Answer hook = acme.post("/api/v1/webhooks", "{'url':'http://acme.example/'}").is(201);
    theirs.put("webhookId", hook.at("/webhookId"));
    acme.board("secret", "'podId':'acme-pod'");
    theirs.put("UUID", "secret");
    acme.score(Api.BOARDS + "/secret", "ann", "'score':1").is(200);
    acme.post("/v1/games/private/scores", "{'user_id':'ann','score':1}").is(200);
    Answer seasons = acme.get(Api.BOARDS + "/secret/seasons").is(200);
    theirs.put("instanceId", seasons.at("/seasons/0/instanceId"));
    theirs.put("seasonId", seasons.at("/seasons/0/instanceId"));
    Answer sent = acme.get("/api/v1/webhooks/" + theirs.get("webhookId") + "/deliveries").is(200);
    theirs.put("deliveryId", sent.at("/deliveries/0/deliveryId"));
    acme.post("/api/v1/topics", "{'topicName':'others','numberOfPartitions':1}")
        .refused(403, "FORBIDDEN");
    admin
        .with("Laurel-Tenant", "acme")
        .post("/api/v1/topics", "{'topicName':'secret-events','numberOfPartitions':1}")
        .is(201);
    theirs.put("configId", acme.post("/leaderboards/config", CONFIG).is(201).at("/configId"));
    acme.post("/api/v1/pods", "{'podId':'secret-pod'}").refused(403, "FORBIDDEN");
    admin.with("Laurel-Tenant", "acme").post("/api/v1/pods", "{'podId':'secret-pod'}").is(201);
    theirs.put("podId", "secret-pod");
    String issuer =
        "{'issuer':'https://acme.example','audience':'a','jwksUrl':'https://x.example/'}";
    theirs.put("issuerId", acme.post("/api/v1/issuers", issuer).is(201).at("/issuerId"));
    assertThat(theirs.values()).doesNotContain("");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void everyRoute_withAnIdOfAnotherTenant_isLikeOneThatDoesNotExist() {
    Map<String, Integer> compared = new HashMap<>();
    for (Route route : server.laurel().routes().routes()) {
      for (String parameter : theirs.keySet()) {
        if (route.template().contains("{" + parameter + "}")) {
          String secret = theirs.getOrDefault(parameter, "");
          int refused = route.access() == Access.ADMIN ? 403 : 404;
          Answer known = call(route, parameter, secret).is(refused);
          Answer unknown = call(route, parameter, "777777").is(refused);
          assertThat(known.text()).isEqualTo(unknown.text().replace("777777", secret));
          compared.merge(parameter, 1, Integer::sum);
        }
      }
    }
    assertThat(compared).containsOnlyKeys(theirs.keySet());
    assertThat(compared.values()).allMatch(routes -> routes >= 1);
    assertThat(compared.getOrDefault("UUID", 0)).isGreaterThan(10);
  }

  private Answer call(Route route, String parameter, String value) {
    String body = null;
    if (route.body() == Body.JSON) {
      body = parameter.equals("configId") ? CONFIG_BODIES.get(route.method().name()) : SCORES;
      if (route.template().endsWith("/try")) {
        body = "{'features':{'points':1}}";
      }
      if (parameter.equals("webhookId")) {
        body = route.template().endsWith("{webhookId}") ? "{'paused':true}" : "{}";
      }
      if (parameter.equals("podId")) {
        body = POD_BODIES.get(route.template().substring("/api/v1/pods/{podId}".length()));
      }
    }
    return stranger.send(
        route.method().name(), AccessTest.address(route, Map.of(parameter, value)), body);
  }

  @Test
  void games_ofAnotherTenant_areEmpty() {
    assertThat(stranger.get("/v1/games/private/leaderboard").is(200).number("/total")).isZero();
    stranger.get("/v1/games/private/users/ann/context").refused(404, "USER_NOT_FOUND");
    assertThat(stranger.get("/v1/users/ann/scores").is(200).json().at("/scores").size()).isZero();
    assertThat(acme.get("/v1/users/ann/scores").is(200).all("/scores", "UUID"))
        .contains("secret", "game:private");
  }

  @Test
  void lists_showOnlyTheirOwn() {
    assertThat(stranger.get(Api.BOARDS).is(200).text()).doesNotContain("secret");
    assertThat(stranger.get(Api.BOARDS + "?podId=acme-pod").is(200).number("/total")).isZero();
    assertThat(stranger.get("/api/v1/keys").is(200).all("/keys", "name")).doesNotContain("acme");
    assertThat(acme.get("/api/v1/keys").is(200).all("/keys", "name"))
        .contains("acme")
        .doesNotContain("admin", "stranger");
  }

  @Test
  void keys_ofTheAdmin_cannotBeRevokedByATenant() {
    acme.delete("/api/v1/keys/1").refused(404, "KEY_NOT_FOUND");
    acme.get(Api.BOARDS).is(200);
  }

  @Test
  void webhooks_ofATenant_hearOnlyOfItsOwn() {
    String theirHook = "/api/v1/webhooks/" + theirs.get("webhookId");
    assertThat(stranger.get("/api/v1/webhooks").is(200).json().at("/webhooks").size()).isZero();
    stranger
        .post("/api/v1/webhooks", "{'url':'http://x.example/','UUID':'secret'}")
        .refused(400, "VALIDATION_ERROR");
    stranger.board("not-heard-of");
    acme.board("heard-of");
    assertThat(acme.get(theirHook + "/deliveries").text())
        .contains("heard-of")
        .doesNotContain("not-heard-of");
  }

  @Test
  void names_areFreeInEachTenant() {
    String mine = stranger.board("shared-name", "'name':'mine'");
    acme.board("shared-name", "'name':'theirs'");
    stranger.score(mine, "bob", "'score':1").is(200);
    assertThat(acme.get(mine).at("/name")).isEqualTo("theirs");
    assertThat(acme.get(mine).number("/totalUsers")).isZero();
    acme.score(mine, "bob", "'score':2").is(200);
    acme.score(mine, "cy", "'score':3").is(200);
    String cursor = acme.get(mine + "/top?limit=1").at("/nextCursor");
    stranger.get(mine + "/top?limit=1&cursor=" + cursor).refused(400, "INVALID_CURSOR");
    assertThat(stranger.get(mine + "/users/bob/rank").at("/score")).isEqualTo("1");
  }

  @Test
  void tenantParameter_opensOnlyPublicBoards() {
    String open = acme.board("acme-public", "'visibility':'PUBLIC'");
    acme.score(open, "ann", "'score':1").is(200);
    Api nobody = Api.anonymous(server);
    Api ingest = acme.key("acme-ingest", "ingest");
    for (Api caller : List.of(nobody, stranger, admin, ingest, acme)) {
      assertThat(caller.get(open + "/top?limit=1&tenant=acme").is(200).number("/totalUsers"))
          .isEqualTo(1);
      caller.get(open + "/users/ann/rank?tenant=acme").is(200);
    }
    // A key of acme means acme, also where it may only read what everyone may.
    ingest.get(open).is(200);
    ingest.get(Api.BOARDS + "/secret").refused(403, "FORBIDDEN");
    nobody.get(open).refused(401, "UNAUTHENTICATED");
    stranger.get(open).refused(404, "BOARD_NOT_FOUND");
    for (String tenant : List.of("acme", "nosuch", "")) {
      String secret = Api.BOARDS + "/secret?tenant=" + tenant;
      stranger.get(secret).refused(404, "BOARD_NOT_FOUND");
      nobody.get(secret).refused(401, "UNAUTHENTICATED");
      // The admin names a tenant by the header, not by the address of public boards.
      admin.get(secret).refused(404, "BOARD_NOT_FOUND");
    }
  }

  @Test
  void tenantHeader_isForTheAdminOnly() {
    Api acting = admin.with("Laurel-Tenant", "acme");
    acting.get(Api.BOARDS + "/secret").is(200);
    admin.get(Api.BOARDS + "/secret").refused(404, "BOARD_NOT_FOUND");
    for (String tenant : List.of("acme", "nosuch")) {
      stranger.with("Laurel-Tenant", tenant).get(Api.BOARDS).refused(403, "FORBIDDEN");
    }
    stranger.with("Laurel-Tenant", "default").get(Api.BOARDS).is(200);
    acme.with("Laurel-Tenant", "acme").get(Api.BOARDS).is(200);
    acme.with("Laurel-Tenant", "default").get(Api.BOARDS).refused(403, "FORBIDDEN");
    admin.with("Laurel-Tenant", "nosuch").get(Api.BOARDS).refused(400, "TENANT_NOT_FOUND");
    admin.with("Laurel-Tenant", "Acme").get(Api.BOARDS).refused(400, "TENANT_NOT_FOUND");
    // Without a key it would be answered for another tenant than asked.
    Api.anonymous(server)
        .get(Api.BOARDS + "/acme-public", "Laurel-Tenant", "acme")
        .refused(401, "UNAUTHENTICATED");
  }

  @Test
  void idempotencyKeys_ofTheAdminInTwoTenants_areIndependent() {
    for (String tenant : List.of("default", "acme")) {
      Answer made =
          admin
              .with("Laurel-Tenant", tenant)
              .post(Api.BOARDS, "{'UUID':'by-admin'}", "Idempotency-Key", "same")
              .is(201);
      assertThat(made.replayed()).isFalse();
    }
  }
}
