package dev.laurel.server.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server with a small heap, and callers who send more than fits into it. */
class PressureIT {
  private static final int HEAP_MEGABYTES = 256;
  private static final int LINES = 250;
  private static final int MEGABYTE = 1 << 20;
  private static final String SCORES = "/api/v1/leaderboards/heavy/scores";

  @TempDir Path folder = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before every test
  private LaurelProcess laurel;

  private final HttpClient client = HttpClient.newHttpClient();

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Flood flood;

  @BeforeEach
  void start() throws Exception {
    laurel =
        LaurelProcess.spawnSmall(HEAP_MEGABYTES, Files.createDirectories(folder.resolve("small")));
    String url = laurel.awaitReady();
    api = new Api(client, url);
    flood = new Flood(url);
    api.call("POST", "/api/v1/leaderboards", "{\"UUID\":\"heavy\",\"update\":\"SUM\"}", 201);
  }

  @AfterEach
  void stop() {
    laurel.close();
    client.close();
  }

  /** A legal batch of nearly a megabyte: every line adds 1 to a user, with much metadata. */
  private static byte[] heavyBatch() {
    StringBuilder json = new StringBuilder("{\"scores\":[");
    for (int i = 0; i < LINES; i++) {
      json.append(i == 0 ? "" : ",")
          .append("{\"userId\":\"u%d\",\"score\":1,\"metadata\":{\"a\":\"".formatted(i))
          .append("x".repeat(3900))
          .append("\"}}");
    }
    return json.append("]}").toString().getBytes(StandardCharsets.US_ASCII);
  }

  private Flood.Probe probe() {
    return new Flood.Probe(() -> api.get("/api/v1/health").status());
  }

  private void assertHealthy() throws IOException {
    assertThat(laurel.isAlive()).as(laurel.log()).isTrue();
    assertThat(laurel.log()).doesNotContain("OutOfMemoryError");
    api.get("/api/v1/ready");
    // It may be told to come again in a moment, until those who do not finish have lost their
    // place.
    Checks.eventually(
        () -> api.call("PUT", "/api/v1/leaderboards/heavy/users/after", "{\"score\":1}", 200));
  }

  @Test
  void post_batchesBeyondTheHeap_areOverloadedAndWhatIsAcceptedCounts() throws Exception {
    byte[] body = heavyBatch();
    String head = Flood.head("POST", SCORES, true, body.length);
    int calls = 1050;
    try (Flood.Probe probe = probe();
        ExecutorService callers =
            Executors.newFixedThreadPool(350, Thread.ofPlatform().daemon().factory())) {
      callers.invokeAll(
          Collections.nCopies(
              calls,
              () -> {
                flood.send(head, body);
                return true;
              }));
      System.out.println(flood + "; " + probe);
      assertThat(probe.failed()).isZero();
    }
    assertHealthy();
    assertThat(flood.other.get()).isZero();
    assertThat(flood.accepted.get()).isPositive();
    assertThat(flood.overloaded.get()).isPositive();
    JsonNode top = api.get("/api/v1/leaderboards/heavy/top?limit=1000").json();
    for (JsonNode user : top.get("users")) {
      if (!user.get("userId").asString().equals("after")) {
        assertThat(user.get("score").asInt())
            .isBetween(flood.accepted.get(), flood.accepted.get() + flood.unknown.get());
      }
    }
    assertThat(top.get("users").size()).isEqualTo(LINES + 1);
  }

  /** Bodies to which a byte is missing. */
  private void holdUnfinished(int connections, String path, boolean known) throws Exception {
    byte[] body = " ".repeat(MEGABYTE - 1).getBytes(StandardCharsets.US_ASCII);
    byte[] head = Flood.head("POST", path, known, MEGABYTE).getBytes(StandardCharsets.US_ASCII);
    List<Socket> held = new ArrayList<>();
    try (Flood.Probe probe = probe()) {
      for (int i = 0; i < connections; i++) {
        Socket socket = flood.connect();
        held.add(socket);
        try {
          socket.getOutputStream().write(head);
          socket.getOutputStream().write(body);
        } catch (IOException e) {
          // Refused, and closed.
        }
      }
      System.out.println(connections + " unfinished; " + probe);
      assertThat(probe.failed()).isZero();
      assertHealthy();
    } finally {
      for (Socket socket : held) {
        socket.close();
      }
    }
    assertHealthy();
  }

  @Test
  void post_unfinishedBodies_doNotEndTheServer() throws Exception {
    holdUnfinished(900, SCORES, true);
  }

  @Test
  void post_unfinishedBodiesOfStrangers_doNotEndTheServer() throws Exception {
    api.call("POST", "/api/v1/leaderboards", "{\"UUID\":\"open\",\"visibility\":\"PUBLIC\"}", 201);
    holdUnfinished(300, "/api/v1/leaderboards/open/ranks", false);
  }

  /** Pings without end, of anonymous readers who take no answer: no pong may wait in memory. */
  @Test
  void webSocket_floodOfPings_doesNotEndTheServer() throws Exception {
    api.call("POST", "/api/v1/leaderboards", "{\"UUID\":\"open\",\"visibility\":\"PUBLIC\"}", 201);
    byte[] ping = new byte[131];
    ping[0] = (byte) 0x89;
    ping[1] = (byte) (0x80 | 125);
    byte[] pings = new byte[500 * ping.length];
    for (int i = 0; i < 500; i++) {
      System.arraycopy(ping, 0, pings, i * ping.length, ping.length);
    }
    try (Flood.Probe probe = probe();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      callers.invokeAll(
          Collections.nCopies(
              8,
              () -> {
                sendPings(pings);
                return true;
              }));
      System.out.println("pings; " + probe);
      assertThat(probe.failed()).isZero();
    }
    assertHealthy();
  }

  /** As many as fill the heap twice, unless the server closes before. */
  private void sendPings(byte[] pings) throws IOException {
    try (Socket socket = flood.connect()) {
      socket
          .getOutputStream()
          .write(
              String.join(
                      "\r\n",
                      "GET /api/v1/leaderboards/open/stream HTTP/1.1",
                      "Host: x",
                      "Upgrade: websocket",
                      "Connection: Upgrade",
                      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                      "Sec-WebSocket-Version: 13",
                      "",
                      "")
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      for (int sent = 0; sent < 2 * HEAP_MEGABYTES * MEGABYTE / 8; sent += pings.length) {
        socket.getOutputStream().write(pings);
      }
    } catch (IOException e) {
      // Closed, as it should be.
    }
  }
}
