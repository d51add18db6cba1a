package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.RSAKey;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Issuers of tenants: set up by the API, with keys that come, go and cannot be had. */
class IssuersApiTest {
  private static final String LEADERBOARD = "/v1/leaderboard";

  private final TestIssuer issuer = new TestIssuer();

  @AfterEach
  void stop() {
    issuer.close();
  }

  private static Api bearer(TestServer server, String token) {
    return Api.anonymous(server).with("Authorization", "Bearer " + token);
  }

  @Test
  void keys_afterARotation_areFetchedAtOnceAndTheOldOnesForgotten() {
    try (TestServer server = TestServer.start(issuer.settings(), _ -> {})) {
      String old = issuer.token("ann");
      bearer(server, old).get(LEADERBOARD).is(200);
      RSAKey second = TestIssuer.rsa("second");
      issuer.publish(issuer.key(), second);
      issuer.use(second);
      bearer(server, issuer.token("ann")).get(LEADERBOARD).is(200);
      bearer(server, old).get(LEADERBOARD).is(200);
      RSAKey third = TestIssuer.rsa("third");
      issuer.publish(third);
      issuer.use(third);
      bearer(server, issuer.token("ann")).get(LEADERBOARD).is(200);
      // What was verified before counts no more than its key.
      bearer(server, old).get(LEADERBOARD).refused(401, "UNAUTHENTICATED");
    }
  }

  @Test
  void keys_whileTheirServerIsDown_staySoAndForgedIdsDoNotHammerIt() {
    try (TestServer server = TestServer.start(issuer.settings(), _ -> {})) {
      bearer(server, issuer.token("ann")).get(LEADERBOARD).is(200);
      issuer.answer(500);
      int before = issuer.reads();
      RSAKey mine = issuer.key();
      for (int i = 0; i < 50; i++) {
        if (i < 5) {
          issuer.use(TestIssuer.rsa("forged-" + i));
        }
        bearer(server, issuer.token("eve")).get(LEADERBOARD).refused(401, "UNAUTHENTICATED");
      }
      assertThat(issuer.reads() - before).isBetween(1, 6);
      issuer.use(mine);
      bearer(server, issuer.token("bob")).get(LEADERBOARD).is(200);
    }
  }

  @Test
  void keys_ofAServerThatIsDownAtTheStart_areFetchedWithTheFirstToken() {
    issuer.answer(503);
    try (TestServer server = TestServer.start(issuer.settings(), _ -> {})) {
      bearer(server, issuer.token("ann")).get(LEADERBOARD).refused(401, "UNAUTHENTICATED");
      issuer.answer(200);
      bearer(server, issuer.token("ann")).get(LEADERBOARD).is(200);
      // A body comes while the keys do.
      bearer(server, issuer.token("ann"))
          .post("/v1/scores/award", "{'action_type':'x'}")
          .refused(400, "VALIDATION_ERROR");
    }
  }

  @Test
  void issuers_ofATenant_areItsOwn() {
    try (TestServer server = TestServer.start()) {
      Api admin = Api.admin(server);
      admin.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
      Api acme = admin.with("Laurel-Tenant", "acme");
      String body =
          "{'issuer':'%s','audience':'%s','jwks':%s}"
              .formatted(
                  TestIssuer.ISSUER, TestIssuer.AUDIENCE, issuer.keySet().replace('"', '\''));
      Answer made = acme.post("/api/v1/issuers", body).is(201);
      assertThat(made.json().at("/jwks/keys").size()).isEqualTo(1);
      assertThat(made.text()).doesNotContain("\"d\"");
      acme.score(Api.BOARDS + "/global", "ann", "'score':3").is(200);
      Api ann = bearer(server, issuer.token("ann"));
      assertThat(ann.get("/v1/users/me/score").is(200).at("/total")).isEqualTo("3");
      assertThat(Api.anonymous(server).get(LEADERBOARD + "?tenant=acme").is(200).text())
          .contains("ann");
      // A pair belongs to one tenant.
      admin.post("/api/v1/issuers", body).refused(409, "ISSUER_EXISTS");
      acme.post("/api/v1/issuers", body).refused(409, "ISSUER_EXISTS");
      assertThat(admin.get("/api/v1/issuers").is(200).json().at("/issuers").size()).isZero();
      admin.delete("/api/v1/issuers/" + made.at("/issuerId")).refused(404, "ISSUER_NOT_FOUND");
      acme.delete("/api/v1/issuers/" + made.at("/issuerId")).is(204);
      ann.get("/v1/users/me/score").refused(401, "UNAUTHENTICATED");
      for (String wrong :
          new String[] {
            "'jwks':{'keys':[]}",
            "'jwks':{'keys':[{'kty':'oct','k':'AAAA'}]}",
            "'jwks':{'keys':[" + issuer.key().toJSONString() + "]}",
            "'jwksUrl':'file:///etc/passwd'",
            "'jwksUrl':'ftp://x/'",
            "'jwksUrl':'https://x/','algorithms':['HS256']",
            "'jwksUrl':'https://x/','jwks':{'keys':[]}"
          }) {
        acme.post("/api/v1/issuers", "{'issuer':'i','audience':'a'," + wrong + "}")
            .refused(400, "VALIDATION_ERROR");
      }
      acme.post("/api/v1/issuers", "{'issuer':'i','audience':'a'}")
          .refused(400, "VALIDATION_ERROR");
    }
  }
}
