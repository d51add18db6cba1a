package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Bodies that do not end, and many at once: what they take in memory is bounded. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BodyBudgetTest {
  private static final int MEGABYTE = 1 << 20;
  private static final String KEY = "X-API-Key: " + TestServer.ADMIN_KEY + "\r\n";

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @BeforeAll
  void start() {
    server =
        TestServer.start(
            s ->
                s.with(Settings.BODY_MEGABYTES, "1")
                    .with(Settings.BODY_RATE, "0")
                    .with(Settings.BODY_SECONDS, "300"),
            table ->
                table
                    .post("/t/known", Kind.HOT, Access.INGEST, BodyBudgetTest::length)
                    .post("/t/anyone", Kind.HOT, Access.PUBLIC, BodyBudgetTest::length));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static void length(Exchange exchange) {
    exchange.json(new JsonOut(8).number(exchange.body().length));
  }

  private static String head(String path, String headers, int length) {
    return "POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        .formatted(path, headers, length);
  }

  /** Sends a head and a part of its body. */
  private Socket begin(String head, int bytes) throws IOException {
    Socket socket = server.connect();
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    send(socket, bytes);
    return socket;
  }

  private static void send(Socket socket, int bytes) throws IOException {
    socket.getOutputStream().write(" ".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
  }

  private void awaitBytes(int atLeast) {
    Poll.until("bodies take at least " + atLeast, () -> used() >= atLeast);
  }

  private double used() {
    return metric("laurel_http_body_bytes");
  }

  private double metric(String name) {
    return server
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  private static void assertOverloaded(String answer) {
    assertThat(answer)
        .startsWith("HTTP/1.1 503 ")
        .contains("\"code\":\"OVERLOADED\"")
        .contains("retry-after: 1")
        .contains("connection: close");
  }

  @Test
  void post_moreBodiesThanFit_getA503AndTheOthersGoOn() throws IOException {
    try (Socket first = begin(head("/t/known", KEY, 700_000), 600_000)) {
      awaitBytes(600_000);
      try (Socket second = begin(head("/t/known", KEY, 700_000), 600_000)) {
        assertOverloaded(TestServer.readAll(second));
      }
      send(first, 100_000);
      assertThat(TestServer.readAll(first)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n700000");
    }
    Poll.until("nothing is held", () -> used() == 0);
  }

  @Test
  void post_strangers_cannotKeepOutThoseWithAKey() throws IOException {
    List<Socket> strangers = new ArrayList<>();
    double before = metric("laurel_http_bodies_refused_total");
    for (int i = 0; i < 20; i++) {
      strangers.add(begin(head("/t/anyone", "", 70_000), 60_000));
    }
    // One or two fit.
    Poll.until(
        "the others are refused", () -> metric("laurel_http_bodies_refused_total") - before >= 18);
    try (Socket known = begin(head("/t/known", KEY, 800_000), 800_000)) {
      assertThat(TestServer.readAll(known)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n800000");
    }
    assertThat(used()).isBetween(60_000.0, MEGABYTE / 8.0);
    for (Socket socket : strangers) {
      socket.close();
    }
    Poll.until("nothing is held", () -> used() == 0);
  }

  @Test
  void post_chunksThatNeverEnd_countAsTheyCome() throws IOException {
    String head =
        String.join(
            "\r\n",
            "POST /t/anyone HTTP/1.1",
            "Host: x",
            "Content-Type: application/json",
            "Transfer-Encoding: chunked",
            "",
            "");
    try (Socket _ = begin(head("/t/anyone", "", 100_000), 90_000)) {
      awaitBytes(90_000);
      try (Socket socket = begin(head, 0)) {
        for (int i = 0; i < 60; i++) {
          socket
              .getOutputStream()
              .write(("3e8\r\n" + "x".repeat(1000) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        assertOverloaded(TestServer.readAll(socket));
      }
      assertThat(used()).isBetween(90_000.0, 100_000.0);
    }
    Poll.until("nothing is held", () -> used() == 0);
  }

  @Test
  void post_callersThatLeave_giveBackWhatTheyHeld() throws IOException {
    for (int i = 0; i < 10; i++) {
      try (Socket _ = begin(head("/t/known", KEY, 900_000), 800_000)) {
        awaitBytes(800_000);
      }
      Poll.until("nothing is held", () -> used() == 0);
    }
  }

  @Test
  void post_bodyThatHardlyMoves_is408() throws IOException {
    try (TestServer strict = TestServer.start(s -> s.with(Settings.BODY_SECONDS, "300"), _ -> {});
        Socket socket = strict.connect()) {
      String head = head("/api/v1/leaderboards", KEY, 50_000);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      send(socket, 2000); // a fifth of what ten seconds have to bring
      assertThat(TestServer.readAll(socket))
          .startsWith("HTTP/1.1 408 ")
          .contains("at least 1024 bytes a second");
    }
  }

  @Test
  void connect_headThatDoesNotEnd_isClosedLongBeforeAnIdleConnection() throws IOException {
    try (TestServer strict =
            TestServer.start(
                s -> s.with(Settings.HEAD_SECONDS, "1").with(Settings.IDLE_SECONDS, "3600"),
                _ -> {});
        Socket silent = strict.connect();
        Socket half = strict.connect();
        Socket later = strict.connect()) {
      half.getOutputStream()
          .write("GET /v1/healthz HTTP/1.1\r\nHost".getBytes(StandardCharsets.US_ASCII));
      String whole = "GET /v1/healthz HTTP/1.1\r\nHost: x\r\n\r\n";
      later.getOutputStream().write(whole.getBytes(StandardCharsets.US_ASCII));
      assertThat(TestServer.readAll(silent)).isEmpty();
      assertThat(TestServer.readAll(half)).isEmpty();
      // It had a request, and the next has not begun: it is idle, and may be.
      byte[] some = new byte[4096];
      int first = later.getInputStream().read(some);
      assertThat(new String(some, 0, first, StandardCharsets.US_ASCII)).contains(" 200 ");
      later.getOutputStream().write("GET /v1".getBytes(StandardCharsets.US_ASCII));
      assertThat(TestServer.readAll(later)).isEmpty();
    }
  }
}
