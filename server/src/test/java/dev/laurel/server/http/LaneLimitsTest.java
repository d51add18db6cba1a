package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** That whoever is counted is counted once, whether the lane answers or Vert.x after it. */
class LaneLimitsTest {
  private static final int MOST = 5;

  private static void who(Exchange e) {
    e.json(new JsonOut(32).string(FastLaneTest.who(e)));
  }

  @Test
  void reads_ofStrangersAndUsers_stayOnTheLaneAndAreCountedOnce() {
    try (TestIssuer issuer = new TestIssuer();
        TestServer server =
            TestServer.start(
                s ->
                    issuer
                        .settings()
                        .apply(s)
                        .with(Settings.ADDRESS_READ_RATE, Integer.toString(MOST))
                        .with(Settings.TRUSTED_PROXIES, "127.0.0.1"),
                table ->
                    table
                        .get("/t/lane", Kind.HOT, Access.READ_OR_PUBLIC_BOARD, LaneLimitsTest::who)
                        .get(
                            "/t/waits",
                            Kind.HOT,
                            Access.READ_OR_PUBLIC_BOARD,
                            e -> e.block(LaneLimitsTest::who))
                        .get(
                            "/t/absent",
                            Kind.HOT,
                            Access.READ_OR_PUBLIC_BOARD,
                            e -> who(e.status(404))))) {
      String token = "Bearer " + issuer.token("ann");
      // The first token of an issuer waits for its keys.
      server.send(server.anonymous("/t/lane").header("Authorization", token));
      List<Function<HttpRequest.Builder, HttpRequest.Builder>> callers =
          List.of(b -> b, b -> b.header("Authorization", token));
      int address = 1;
      for (Function<HttpRequest.Builder, HttpRequest.Builder> caller : callers) {
        for (String path : List.of("/t/lane", "/t/waits", "/t/absent")) {
          String from = "203.0.113." + address++;
          for (int i = 0; i < MOST; i++) {
            HttpResponse<String> answer = ask(server, path, from, caller);
            assertThat(answer.statusCode()).isEqualTo(path.equals("/t/absent") ? 404 : 200);
            assertThat(answer.body()).isEqualTo(path.equals("/t/lane") ? "\"lane\"" : "\"vertx\"");
          }
          HttpResponse<String> refused = ask(server, path, from, caller);
          assertThat(refused.statusCode()).isEqualTo(429);
          assertThat(refused.headers().allValues("Retry-After")).hasSize(1);
        }
      }
      assertThat(server.get("/metrics").body()).contains("rate_limit_drops_total 6.0");
    }
  }

  private static HttpResponse<String> ask(
      TestServer server,
      String path,
      String from,
      Function<HttpRequest.Builder, HttpRequest.Builder> caller) {
    return server.send(caller.apply(server.anonymous(path).header("X-Forwarded-For", from)));
  }
}
