package dev.laurel.server.api;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What makes the server read whole ledgers is not to be had as often as one likes. */
class OwnDataLimitTest {
  private static final String EXPORT = "/v1/users/me/export";

  @Test
  void exportAndErasure_ofOneself_haveADailyCap() {
    ManualClock clock = new ManualClock(Instant.now());
    try (TestIssuer issuer = new TestIssuer();
        TestServer server = TestServer.start(issuer.settings(), clock, _ -> {})) {
      Api admin = Api.admin(server);
      Api ann = Api.anonymous(server).with("Authorization", "Bearer " + issuer.token("ann"));
      Api bob = Api.anonymous(server).with("Authorization", "Bearer " + issuer.token("bob"));
      for (String user : new String[] {"ann", "bob"}) {
        admin.score(Api.BOARDS + "/global", user, "'score':3").is(200);
      }
      for (int i = 0; i < 5; i++) {
        ann.get(EXPORT).is(200);
      }
      ann.get(EXPORT).refused(429, "RATE_LIMITED");
      bob.get(EXPORT).is(200);
      // Services decide for themselves, and another day is another day.
      admin.get("/api/v1/users/ann/export").is(200);
      for (int i = 0; i < 5; i++) {
        ann.delete("/v1/users/me").is(204);
        admin.score(Api.BOARDS + "/global", "ann", "'score':3").is(200);
      }
      ann.delete("/v1/users/me").refused(429, "RATE_LIMITED");
      clock.turn(Duration.ofDays(1));
      Api later =
          Api.anonymous(server)
              .with(
                  "Authorization",
                  "Bearer "
                      + issuer.token(
                          "ann",
                          c ->
                              c.expirationTime(
                                  java.util.Date.from(clock.instant().plusSeconds(600)))));
      later.get(EXPORT).is(200);
    }
  }
}
