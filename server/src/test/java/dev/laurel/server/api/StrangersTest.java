package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** How often those may call who do not say who they are, and many behind one address. */
class StrangersTest {
  /** The defaults, and a proxy that says where callers are. */
  private static TestServer start(UnaryOperator<Configuration> more) {
    return TestServer.start(
        s ->
            more.apply(
                s.with(Settings.ADDRESS_RATE, "120")
                    .with(Settings.ADDRESS_READ_RATE, "6000")
                    .with(Settings.USER_RATE, "30")
                    .with(Settings.AWARD_RATE, "10")
                    .with(Settings.TRUSTED_PROXIES, "127.0.0.1")),
        _ -> {});
  }

  private static Api from(TestServer server, int address) {
    return Api.anonymous(server)
        .with("X-Forwarded-For", "203.0." + address / 250 + "." + address % 250);
  }

  private static Answer submit(Api api, String game, String user) {
    return api.post("/v1/games/" + game + "/scores", "{'user_id':'" + user + "','score':1}");
  }

  /** A burst of one minute's worth passes; the bucket fills by two a second meanwhile. */
  @Test
  void scores_ofStrangersFromOneAddress_areLimitedByDefault() {
    try (TestServer server = start(s -> s.with(Settings.ANONYMOUS, "read,ingest"))) {
      int passed = 0;
      Answer last = submit(from(server, 1), "chess", "alice");
      while (last.status() == 200 && passed < 1000) {
        passed++;
        last = submit(from(server, 1), "chess", "alice");
      }
      last.refused(429, "RATE_LIMITED");
      assertThat(last.header("Retry-After")).isNotEmpty();
      assertThat(passed).isGreaterThanOrEqualTo(120);
      // Whoever is elsewhere, and whoever has a key, goes on; and reading is another matter.
      submit(from(server, 2), "chess", "bob").is(200);
      submit(Api.admin(server).with("X-Forwarded-For", "203.0.0.1"), "chess", "carl").is(200);
      from(server, 1).get("/v1/games/chess/leaderboard").is(200);
    }
  }

  @Test
  void scores_ofStrangersFromManyAddresses_areLimitedByGame() {
    try (TestServer server =
        start(s -> s.with(Settings.ANONYMOUS, "ingest").with(Settings.GAME_RATE, "6"))) {
      int address = 0;
      Answer last = submit(from(server, address), "chess", "u0");
      while (last.status() == 200 && address < 200) {
        last = submit(from(server, ++address), "chess", "u" + address);
      }
      last.refused(429, "RATE_LIMITED");
      assertThat(address).isGreaterThanOrEqualTo(6);
      submit(from(server, ++address), "go", "ann").is(200);
      // The same board by its other name.
      from(server, ++address)
          .put(Api.BOARDS + "/game:chess/users/ann", "{'score':1}")
          .refused(429, "RATE_LIMITED");
      submit(Api.admin(server), "chess", "dora").is(200);
    }
  }

  /** A carrier's NAT: a board that many look at, and users of whom each has a limit. */
  @Test
  void reads_ofManyBehindOneAddress_areNotShutOut() {
    try (TestIssuer issuer = new TestIssuer();
        TestServer server = start(s -> issuer.settings().apply(s))) {
      Api admin = Api.admin(server);
      String board = admin.board("open", "'visibility':'PUBLIC'");
      admin.score(board, "ann", "'score':1").is(200);
      Api nobody = from(server, 1);
      for (int i = 0; i < 400; i++) {
        nobody.get(board + "/top?limit=10").is(200);
      }
      for (int user = 0; user < 20; user++) {
        Api one = nobody.with("Authorization", "Bearer " + issuer.token("u" + user));
        for (int i = 0; i < 10; i++) {
          one.get(board + "/top?limit=10").is(200);
        }
      }
      // One of them alone has a limit, and guesses are few.
      Api one = nobody.with("Authorization", "Bearer " + issuer.token("u0"));
      Answer last = one.get(board + "/top?limit=10");
      for (int i = 0; i < 200 && last.status() == 200; i++) {
        last = one.get(board + "/top?limit=10");
      }
      last.refused(429, "RATE_LIMITED");
      Answer guess = nobody.with("X-API-Key", "wrong").get(Api.BOARDS);
      for (int i = 0; i < 1000 && guess.status() == 401; i++) {
        guess = nobody.with("X-API-Key", "wrong").get(Api.BOARDS);
      }
      guess.refused(429, "RATE_LIMITED");
      nobody.get(board + "/top?limit=10").is(200);
    }
  }
}
