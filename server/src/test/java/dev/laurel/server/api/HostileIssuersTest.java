package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a tenant can do to others, and to the network, with the issuers that it sets up. */
class HostileIssuersTest {
  private static final String ME = "/v1/users/me/score";
  private static final String ISSUERS = "/api/v1/issuers";

  private final TestIssuer issuer = new TestIssuer();

  @AfterEach
  void stop() {
    issuer.close();
  }

  private static Api bearer(TestServer server, String token) {
    return Api.anonymous(server).with("Authorization", "Bearer " + token);
  }

  private static Api tenant(TestServer server, String name) {
    Api admin = Api.admin(server);
    admin.post("/api/v1/tenants", "{'tenantId':'%s','name':'%s'}".formatted(name, name)).is(201);
    return admin.with("Laurel-Tenant", name);
  }

  /** Sends the head of an answer and never its body. */
  private static final class StalledServer implements AutoCloseable {
    private final ServerSocket listening;
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    StalledServer() throws IOException {
      listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
      Thread.ofVirtual().start(this::run);
    }

    private void run() {
      try {
        while (true) {
          Socket socket = listening.accept();
          open.add(socket);
          socket
              .getOutputStream()
              .write(
                  "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
                      .getBytes(StandardCharsets.US_ASCII));
        }
      } catch (IOException e) {
        // Closed.
      }
    }

    String url() {
      return "http://127.0.0.1:" + listening.getLocalPort() + "/jwks.json";
    }

    @Override
    public void close() throws IOException {
      listening.close();
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  @Test
  void keysThatNeverCome_ofOneTenant_stopNobodyElsesTokens() throws Exception {
    try (StalledServer stalled = new StalledServer();
        TestServer server = TestServer.start();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      tenant(server, "mallory")
          .post(
              ISSUERS,
              "{'issuer':'https://stalled.example','audience':'a','jwksUrl':'%s'}"
                  .formatted(stalled.url()))
          .is(201);
      List<Future<Answer>> attack = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        String token =
            issuer.token("u" + i, c -> c.issuer("https://stalled.example").audience("a"));
        attack.add(callers.submit(() -> bearer(server, token).get(ME)));
      }
      // Set up now, so that its keys are fetched while the others' are waited for.
      Api acme = tenant(server, "acme");
      acme.post(
              ISSUERS,
              "{'issuer':'%s','audience':'%s','jwksUrl':'%s'}"
                  .formatted(TestIssuer.ISSUER, TestIssuer.AUDIENCE, issuer.url()))
          .is(201);
      acme.score(Api.BOARDS + "/global", "ann", "'score':3").is(200);
      bearer(server, issuer.token("ann")).get(ME).is(200);
      // One deadline for all of it, so none of them waits for ever.
      for (Future<Answer> call : attack) {
        call.get().refused(401, "UNAUTHENTICATED");
      }
    }
  }

  @Test
  void jwksUrl_plainOrPrivate_isRefusedUnlessTheOperatorAllowsIt() {
    try (TestServer server =
        TestServer.start(s -> s.with(Settings.WEBHOOK_PRIVATE, "refuse"), _ -> {})) {
      Api admin = Api.admin(server);
      String body = "{'issuer':'%s','audience':'%s','jwksUrl':'%s'}";
      admin
          .post(ISSUERS, body.formatted(TestIssuer.ISSUER, TestIssuer.AUDIENCE, issuer.url()))
          .refused(400, "VALIDATION_ERROR");
      // By https it may be stored: what the name leads to is looked at when it is asked.
      admin
          .post(
              ISSUERS,
              body.formatted(
                  TestIssuer.ISSUER, TestIssuer.AUDIENCE, issuer.url().replace("http:", "https:")))
          .is(201);
      bearer(server, issuer.token("ann")).get(ME).refused(401, "UNAUTHENTICATED");
      assertThat(issuer.reads()).isZero();
    }
  }

  private void issuer(Api tenant, String name, String audience, String more) {
    String keys = issuer.keySet().replace('"', '\'');
    tenant
        .post(
            ISSUERS,
            "{'issuer':'%s','audience':'%s','jwks':%s%s}".formatted(name, audience, keys, more))
        .is(201);
  }

  @Test
  void audience_ofAnotherTenantInTheSameToken_takesNothingAway() {
    try (TestServer server = TestServer.start()) {
      Api acme = tenant(server, "acme");
      Api mallory = tenant(server, "mallory");
      issuer(acme, TestIssuer.ISSUER, "game", "");
      acme.score(Api.BOARDS + "/global", "ann", "'score':3").is(200);
      String token = issuer.token("ann", c -> c.audience(List.of("account", "game")));
      assertThat(bearer(server, token).get(ME).is(200).at("/total")).isEqualTo("3");
      issuer(mallory, TestIssuer.ISSUER, "account", "");
      mallory.score(Api.BOARDS + "/global", "ann", "'score':66").is(200);
      assertThat(bearer(server, token).get(ME).is(200).at("/total")).isEqualTo("3");
      // The caller decides, and not who registered what.
      Api named = bearer(server, token);
      assertThat(named.get(ME, "Laurel-Tenant", "acme").is(200).at("/total")).isEqualTo("3");
      assertThat(named.get(ME, "Laurel-Tenant", "mallory").is(200).at("/total")).isEqualTo("66");
      assertThat(named.get(ME).is(200).at("/total")).isEqualTo("3");
      named.get(ME, "Laurel-Tenant", "default").refused(403, "FORBIDDEN");
    }
  }

  @Test
  void sameSubject_ofTwoIssuers_isTwoUsersUnlessTheTenantSaysOtherwise() {
    try (TestServer server = TestServer.start()) {
      Api acme = tenant(server, "acme");
      issuer(acme, "https://login.example", "game", "");
      issuer(acme, "https://guests.example", "game", "");
      acme.score(Api.BOARDS + "/global", "ann", "'score':3").is(200);
      String owner = issuer.token("ann", c -> c.audience("game"));
      String guest = issuer.token("ann", c -> c.issuer("https://guests.example").audience("game"));
      assertThat(bearer(server, owner).get(ME).is(200).at("/total")).isEqualTo("3");
      assertThat(bearer(server, guest).get(ME).is(200).at("/total")).isEqualTo("0");
      // It has a place of its own, which no subject of the first issuer reaches.
      String prefix = acme.get(ISSUERS).is(200).at("/issuers/1/userPrefix");
      assertThat(prefix).matches("[0-9a-f]{8}:");
      acme.score(Api.BOARDS + "/global", prefix + "ann", "'score':1").is(200);
      assertThat(bearer(server, guest).get(ME).is(200).at("/total")).isEqualTo("1");
      String posing = issuer.token(prefix + "ann", c -> c.audience("game"));
      bearer(server, posing).get(ME).refused(401, "UNAUTHENTICATED");
      // Said on purpose, issuers share users, and more of one issuer always do.
      issuer(acme, "https://partner.example", "game", ",'userPrefix':''");
      issuer(acme, "https://guests.example", "app", "");
      String partner =
          issuer.token("ann", c -> c.issuer("https://partner.example").audience("game"));
      assertThat(bearer(server, partner).get(ME).is(200).at("/total")).isEqualTo("3");
      String sameGuest =
          issuer.token("ann", c -> c.issuer("https://guests.example").audience("app"));
      assertThat(bearer(server, sameGuest).get(ME).is(200).at("/total")).isEqualTo("1");
      acme.post(
              ISSUERS,
              "{'issuer':'x','audience':'y','jwksUrl':'https://x/','userPrefix':'%sa'}"
                  .formatted(prefix))
          .refused(400, "VALIDATION_ERROR");
    }
  }

  @Test
  void settings_byDefault_refusePrivateAddresses() {
    assertThat(
            dev.laurel.server.settings.Configuration.defaults()
                .get(Settings.WEBHOOK_PRIVATE)
                .name())
        .isEqualTo("REFUSE");
  }
}
