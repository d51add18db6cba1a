package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.ManualClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stream ends soon after what it was opened with, and is closed if its reader sends much. */
class LiveCredentialsTest {
  private static final String UPGRADE =
      String.join(
          "\r\n",
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "");

  /** A ping without a payload, masked by zeros as clients must. */
  private static final byte[] PING = {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0};

  private final ManualClock clock = new ManualClock(Instant.now().truncatedTo(ChronoUnit.SECONDS));

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestIssuer issuer;

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @BeforeEach
  void start() {
    issuer = new TestIssuer();
    server = TestServer.start(issuer.settings(), clock, _ -> {});
    api = Api.admin(server);
  }

  @AfterEach
  void stop() {
    server.close();
    issuer.close();
  }

  private EventReader open(String path, String... headers) {
    EventReader reader = EventReader.open(server, path, headers);
    reader.next("leaderboard.snapshot");
    return reader;
  }

  @Test
  void stream_keyIsRevoked_endsAndOthersGoOn() {
    String board = api.board("secret");
    Answer key = api.post("/api/v1/keys", "{'name':'reader','scopes':['read']}").is(201);
    String secret = key.at("/key");
    String ticket =
        Api.anonymous(server)
            .with("X-API-Key", secret)
            .post(board + "/tickets", "")
            .is(201)
            .at("/ticket");
    try (EventReader ofAnother = open(board + "/stream", "X-API-Key", TestServer.ADMIN_KEY);
        EventReader withKey = open(board + "/stream", "X-API-Key", secret);
        EventReader withTicket = open(board + "/stream?ticket=" + ticket)) {
      api.send("DELETE", "/api/v1/keys/" + key.at("/keyId"), null).is(204);
      withKey.end();
      withTicket.end();
      // A ticket of a key that is gone opens nothing.
      Api.anonymous(server).get(board + "/stream?ticket=" + ticket).refused(401, "UNAUTHENTICATED");
      api.score(board, "ann", "'score':7").is(200);
      ofAnother.until("ann 7");
    }
  }

  @Test
  void stream_tokenExpires_ends() {
    String board = api.board("secret");
    Date soon = Date.from(clock.instant().plusSeconds(300));
    String token =
        issuer.token(
            "ann",
            c ->
                c.claim("scope", "laurel:read")
                    .issueTime(Date.from(clock.instant()))
                    .expirationTime(soon));
    String bearer = "Bearer " + token;
    String ticket =
        Api.anonymous(server)
            .with("Authorization", bearer)
            .post(board + "/tickets", "")
            .is(201)
            .at("/ticket");
    try (EventReader withToken = open(board + "/stream", "Authorization", bearer);
        EventReader withTicket = open(board + "/stream?ticket=" + ticket)) {
      clock.turn(Duration.ofSeconds(290));
      api.score(board, "ann", "'score':7").is(200);
      withToken.until("ann 7");
      withTicket.until("ann 7");
      clock.turn(Duration.ofSeconds(90)); // a minute is allowed for clocks that differ
      withToken.end();
      withTicket.end();
    }
  }

  private Socket socket(String path, String headers) throws IOException {
    Socket socket = server.connect();
    socket
        .getOutputStream()
        .write(
            ("GET " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void webSocket_keyIsRevoked_isClosedWithAReason() throws IOException {
    String board = api.board("secret");
    Answer key = api.post("/api/v1/keys", "{'name':'reader','scopes':['read']}").is(201);
    try (Socket socket =
        socket(board + "/stream", UPGRADE + "X-API-Key: " + key.at("/key") + "\r\n")) {
      Poll.until("it watches", () -> clients() == 1);
      api.send("DELETE", "/api/v1/keys/" + key.at("/keyId"), null).is(204);
      String all = TestServer.readAll(socket);
      assertThat(all).startsWith("HTTP/1.1 101 ").endsWith("\u0088\u0002\u0003\u00f0"); // 1008
    }
  }

  @Test
  void webSocket_somePings_areAnswered() throws IOException {
    String board = api.board("open", "'visibility':'PUBLIC'");
    try (Socket socket = socket(board + "/stream", UPGRADE)) {
      Poll.until("it watches", () -> clients() == 1);
      InputStream in = socket.getInputStream();
      for (int i = 0; i < 10; i++) {
        socket.getOutputStream().write(PING);
      }
      int pongs = 0;
      for (int before = 0, c = in.read(); pongs < 10; before = c, c = in.read()) {
        assertThat(c).isNotNegative();
        pongs += before == 0x8a && c == 0 ? 1 : 0;
      }
    }
  }

  /** Each pong would wait in memory for a reader that does not read. */
  @Test
  void webSocket_floodOfPings_isClosed() throws IOException {
    String board = api.board("open", "'visibility':'PUBLIC'");
    assertClosedByFlood(socket(board + "/stream", UPGRADE), PING);
  }

  @Test
  void stream_floodOfRequests_isClosed() throws IOException {
    String board = api.board("open", "'visibility':'PUBLIC'");
    assertClosedByFlood(
        socket(board + "/stream", ""),
        ("GET " + board + "/top HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  private void assertClosedByFlood(Socket open, byte[] message) throws IOException {
    try (Socket socket = open) {
      Poll.until("it watches", () -> clients() == 1);
      Poll.until(
          "the server closes",
          () -> {
            try {
              for (int i = 0; i < 100; i++) {
                socket.getOutputStream().write(message);
              }
              return false;
            } catch (IOException e) {
              return true;
            }
          });
    }
    Poll.until("its place is free", () -> clients() == 0);
    assertThat(metric("laurel_live_flooded_total")).isEqualTo(1);
  }

  private double clients() {
    return metric("leaderboard_sse_clients");
  }

  private double metric(String name) {
    return server
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }
}
