package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.store.Store;
import dev.laurel.server.TestServer;
import dev.laurel.server.http.Body;
import dev.laurel.server.http.Route;
import dev.laurel.server.settings.Settings;
import dev.laurel.sql.SqliteStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
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

  /** A key of the tenant acme with every scope, and one of the tenant default. */
  @SuppressWarnings("NullAway.Init") // set before every test
  private Api acme;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api stranger;

  @SuppressWarnings("NullAway.Init") // set before every test
  private String acmeKeyId;

  @BeforeAll
  void start() {
    server = TestServer.start(TenantAccessTest::withAcme, _ -> {});
    admin = Api.admin(server);
    Answer key =
        admin
            .with("Laurel-Tenant", "acme")
            .post("/api/v1/keys", "{'name':'acme','scopes':['read','ingest','manage']}")
            .is(201);
    acmeKeyId = key.at("/keyId");
    acme = Api.anonymous(server).with("X-API-Key", key.at("/key"));
    stranger = admin.key("stranger", "read", "ingest", "manage");
    acme.board("secret", "'podId':'acme-pod'");
    acme.score(Api.BOARDS + "/secret", "ann", "'score':1").is(200);
    acme.post("/v1/games/private/scores", "{'user_id':'ann','score':1}").is(200);
  }

  /** There is no route that makes tenants yet. */
  private static Settings withAcme(Settings settings) {
    try (Store store =
        SqliteStore.open(Path.of(settings.get(Settings.DATA)), InstantSource.system())) {
      store.write(tx -> tx.createTenant("acme", "Acme", 0));
    }
    return settings;
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void everyRoute_ofAnotherTenantsBoard_isLikeOneThatDoesNotExist() {
    int compared = 0;
    for (Route route : server.laurel().routes().routes()) {
      if (route.template().contains("{UUID}")) {
        Answer secret = call(route, "secret", "1").refused(404, "BOARD_NOT_FOUND");
        Answer nowhere = call(route, "nowhere", "1").refused(404, "BOARD_NOT_FOUND");
        assertThat(secret.text()).isEqualTo(nowhere.text().replace("nowhere", "secret"));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(7);
  }

  private Answer call(Route route, String board, String key) {
    String body = route.body() == Body.JSON ? "{'score':1,'userIds':['ann'],'scores':[]}" : null;
    return stranger.send(route.method().name(), AccessTest.address(route, board, key), body);
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
  void keys_ofAnotherTenant_cannotBeRevoked() {
    Answer theirs = stranger.delete("/api/v1/keys/" + acmeKeyId).refused(404, "KEY_NOT_FOUND");
    Answer nobodys = stranger.delete("/api/v1/keys/777777").refused(404, "KEY_NOT_FOUND");
    assertThat(theirs.text()).isEqualTo(nobodys.text().replace("777777", acmeKeyId));
    acme.delete("/api/v1/keys/1").refused(404, "KEY_NOT_FOUND");
    acme.get(Api.BOARDS).is(200);
  }

  @Test
  void webhooks_ofAnotherTenant_areNotThere() {
    Answer made = acme.post("/api/v1/webhooks", "{'url':'http://acme.example/'}").is(201);
    String theirs = "/api/v1/webhooks/" + made.at("/webhookId");
    acme.board("heard-of");
    Answer sent = acme.get(theirs + "/deliveries").is(200);
    String delivery = sent.at("/deliveries/0/deliveryId");
    assertThat(delivery).isNotEmpty();

    assertThat(stranger.get("/api/v1/webhooks").is(200).json().at("/webhooks").size()).isZero();
    Answer foreign = stranger.delete(theirs).refused(404, "WEBHOOK_NOT_FOUND");
    Answer nobodys = stranger.delete("/api/v1/webhooks/777777").refused(404, "WEBHOOK_NOT_FOUND");
    assertThat(foreign.text()).isEqualTo(nobodys.text().replace("777777", made.at("/webhookId")));
    stranger.get(theirs + "/deliveries").refused(404, "WEBHOOK_NOT_FOUND");
    stranger
        .send("POST", "/api/v1/webhooks/deliveries/" + delivery + "/resend", null)
        .refused(404, "DELIVERY_NOT_FOUND");
    stranger
        .post("/api/v1/webhooks", "{'url':'http://x.example/','UUID':'secret'}")
        .refused(400, "VALIDATION_ERROR");
    stranger.board("not-heard-of");
    assertThat(acme.get(theirs + "/deliveries").text()).doesNotContain("not-heard-of");
    acme.delete(theirs).is(204);
    acme.get(theirs + "/deliveries").refused(404, "WEBHOOK_NOT_FOUND");
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
