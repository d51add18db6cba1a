package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What malformed, oversized, stalled and smuggled input gets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileHttpTest {
  private static final int MAX_BODY = 100_000;
  private static final String HEALTH = "GET /v1/healthz HTTP/1.1\r\nHost: x\r\n";
  private static final String POST =
      "POST /t/length HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @BeforeAll
  void start() {
    server =
        TestServer.start(
            s ->
                s.with(Settings.MAX_BODY_BYTES, Integer.toString(MAX_BODY))
                    .with(Settings.IDLE_SECONDS, "2")
                    .with(Settings.BODY_SECONDS, "2"),
            table ->
                table.post(
                    "/t/length",
                    Kind.HOT,
                    Access.PUBLIC,
                    e -> e.json(new JsonOut(8).number(e.body().length))));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String refusal(String raw, int status, String code) {
    // Netty answers in 1.0 when it could not make out the version.
    assertThat(raw.substring(0, Math.min(raw.length(), 13))).matches("HTTP/1.[01] " + status + " ");
    assertThat(raw).contains("{\"error\":{\"code\":\"" + code + "\"");
    assertThat(raw).doesNotContain("Exception").doesNotContain("at io.").doesNotContain("netty");
    return raw;
  }

  @Test
  void raw_malformedRequests_are400AndClosed() throws IOException {
    for (String bytes :
        List.of(
            "nonsense\r\n\r\n",
            "GET\r\n\r\n",
            "GET /v1/healthz\r\n\r\n",
            HEALTH + "bad header\r\n\r\n",
            HEALTH + "X-A : 1\r\n\r\n",
            HEALTH + "X-A: a\0b\r\n\r\n")) {
      refusal(server.raw(bytes), 400, "MALFORMED_REQUEST");
    }
  }

  @Test
  void raw_unknownVersion_isNotServed() throws IOException {
    for (String version : List.of("HTTP/9.9", "HTTX/1.1", "HTTP/2.0")) {
      // Vert.x answers this itself, before our handler: 501 without a body.
      assertThat(server.raw("GET /v1/healthz " + version + "\r\nHost: x\r\n\r\n"))
          .contains(" 501 ")
          .doesNotContain("status");
    }
  }

  @Test
  void raw_smuggling_isRefusedAndTheRestIsNotServed() throws IOException {
    String smuggled = "GET /v1/healthz?smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
    for (String framing :
        List.of(
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
            "Content-Length: 5\r\nContent-Length: 6\r\n",
            "Content-Length: 5, 6\r\n",
            "Content-Length: -5\r\n",
            "Content-Length: +5\r\n",
            "Content-Length: 0x5\r\n",
            "Transfer-Encoding: chunked, identity\r\n",
            "Transfer-Encoding\t: chunked\r\n")) {
      String raw = server.raw(POST + framing + "\r\n0\r\n\r\n" + smuggled);
      refusal(raw, 400, "MALFORMED_REQUEST");
      assertThat(raw.split("HTTP/1.1 ", -1)).as(framing).hasSize(2);
    }
  }

  /** Its end cannot be known: what follows is neither its body nor another request. */
  @Test
  void raw_strangeTransferEncoding_is400AndTheRestIsNotServed() throws IOException {
    String smuggled = "GET /v1/healthz?smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
    for (String coding :
        List.of(
            "xchunked",
            "identity",
            "gzip",
            "chunked\u000b",
            "chunked;q=1",
            "\"chunked\"",
            "chunked,",
            "x,chunked",
            "identity, chunked",
            "chunked\r\nTransfer-Encoding: chunked",
            "chunked\r\nTransfer-Encoding: identity")) {
      for (String length : List.of("", "Content-Length: 2\r\n")) {
        String raw =
            server.raw(
                POST + "Transfer-Encoding: " + coding + "\r\n" + length + "\r\n{}" + smuggled);
        refusal(raw, 400, "MALFORMED_REQUEST");
        assertThat(raw.split("HTTP/1.1 ", -1)).as(coding + length).hasSize(2);
        assertThat(raw).contains("connection: close");
      }
    }
  }

  @Test
  void raw_transferEncodingOverHttp10_is400() throws IOException {
    refusal(
        server.raw(
            String.join(
                "\r\n",
                "POST /t/length HTTP/1.0",
                "Content-Type: application/json",
                "Connection: keep-alive",
                "Transfer-Encoding: chunked",
                "",
                "0",
                "",
                "")),
        400,
        "MALFORMED_REQUEST");
  }

  @Test
  void raw_chunkedInAnyCase_isRead() throws IOException {
    assertThat(
            server.raw(
                POST
                    + "Connection: close\r\nTransfer-Encoding: \tChunKed \r\n\r\n2\r\n{}\r\n0\r\n\r\n"))
        .endsWith("\r\n\r\n2");
  }

  /** One reader goes by the first, another by the last. */
  @Test
  void raw_headersThatMayBeThereOnce_twiceAre400AndClosed() throws IOException {
    for (String header :
        List.of(
            "Host: y",
            "host: x",
            "X-API-Key: a\r\nx-api-key: b",
            "Laurel-Tenant: a\r\nLaurel-Tenant: a",
            "Authorization: Bearer a\r\nAuthorization: Bearer b",
            "Idempotency-Key: a\r\nIdempotency-Key: b",
            "Content-Length: 0\r\nContent-Length: 0",
            ": x")) {
      String raw = server.raw(HEALTH + header + "\r\n\r\n" + HEALTH + "\r\n");
      assertThat(raw).as(header).startsWith("HTTP/1.1 400 ").doesNotContain(" 200 ");
    }
    assertThat(server.raw(HEALTH + "Accept: a\r\nAccept: b\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void raw_noHost_is400() throws IOException {
    refusal(
        server.raw("GET /v1/healthz HTTP/1.1\r\nConnection: close\r\n\r\n"),
        400,
        "MALFORMED_REQUEST");
  }

  @Test
  void raw_badTargets_are400() throws IOException {
    for (String target : List.of("/%", "/%zz", "/%ff", "/é", "/a#b", "nopath", "ftp://x/y", "*")) {
      refusal(
          server.raw("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
          target.equals("*") ? 404 : 400,
          target.equals("*") ? "NOT_FOUND" : "MALFORMED_REQUEST");
    }
  }

  @Test
  void raw_absoluteTarget_isServed() throws IOException {
    assertThat(
            server.raw(
                "GET http://x:1/v1/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void raw_longLineAndHeaders_are414And431() throws IOException {
    refusal(
        server.raw("GET /" + "a".repeat(9000) + " HTTP/1.1\r\nHost: x\r\n\r\n"),
        414,
        "URI_TOO_LONG");
    refusal(
        server.raw(HEALTH + "X-A: " + "a".repeat(20_000) + "\r\n\r\n"), 431, "HEADERS_TOO_LARGE");
  }

  @Test
  void raw_pipelinedRequests_areAnsweredInOrder() throws IOException {
    StringBuilder requests = new StringBuilder();
    for (int i = 1; i <= 50; i++) {
      String body = " ".repeat(i) + "{}";
      requests.append(POST).append("Content-Length: ").append(body.length()).append("\r\n\r\n");
      requests.append(body);
    }
    requests.append(HEALTH).append("Connection: close\r\n\r\n");
    String raw = server.raw(requests.toString());
    int at = 0;
    for (int i = 1; i <= 50; i++) {
      at = raw.indexOf("\r\n\r\n" + (i + 2), at);
      assertThat(at).as("answer %d in %s", i, raw).isPositive();
    }
    assertThat(raw).endsWith("{\"status\":\"ok\"}");
  }

  @Test
  void raw_bodyAtTheLimit_isRead() throws IOException {
    String body = "x".repeat(MAX_BODY);
    assertThat(
            server.raw(
                POST + "Connection: close\r\nContent-Length: " + MAX_BODY + "\r\n\r\n" + body))
        .endsWith("\r\n\r\n" + MAX_BODY);
  }

  @Test
  void raw_announcedBodyTooLarge_is413BeforeItIsSent() throws IOException {
    String raw = server.raw(POST + "Content-Length: 1000000000000\r\n\r\n");
    assertThat(refusal(raw, 413, "BODY_TOO_LARGE")).contains("connection: close");
  }

  @Test
  void raw_largeBodySentAnyway_stillGetsThe413() throws IOException {
    String raw =
        server.raw(POST + "Content-Length: 3000000\r\n\r\n" + "x".repeat(3_000_000) + HEALTH);
    refusal(raw, 413, "BODY_TOO_LARGE");
  }

  @Test
  void raw_chunkedBodyTooLarge_is413AndClosed() throws IOException {
    StringBuilder bytes = new StringBuilder(POST + "Transfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 30; i++) {
      bytes.append("2710\r\n").append("x".repeat(10_000)).append("\r\n");
    }
    String raw = server.raw(bytes + "0\r\n\r\n");
    assertThat(refusal(raw, 413, "BODY_TOO_LARGE")).contains("connection: close");
  }

  @Test
  void raw_chunkedBody_isReadWhole() throws IOException {
    String chunks = "3\r\nabc\r\n4;ext=1\r\ndefg\r\n0\r\nTrailer: x\r\n\r\n";
    String raw =
        server.raw(POST + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks);
    assertThat(raw).endsWith("\r\n\r\n7");
  }

  @Test
  void raw_malformedChunk_isNotServed() throws IOException {
    String raw = server.raw(POST + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n");
    assertThat(raw).doesNotContain("HTTP/1.1 200");
  }

  @Test
  void raw_expectContinue_isAnsweredOnlyIfTheBodyIsWanted() throws IOException {
    String expect = "Expect: 100-continue\r\nConnection: close\r\n";
    String wanted = server.raw(POST + expect + "Content-Length: 2\r\n\r\n{}");
    assertThat(wanted).startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ").endsWith("\r\n2");
    String unwanted = server.raw(POST + expect + "Content-Length: 9999999\r\n\r\n");
    refusal(unwanted, 413, "BODY_TOO_LARGE");
  }

  @Test
  void raw_refusedSmallBody_keepsTheConnection() throws IOException {
    String refused = "POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nabcd";
    String raw = server.raw(refused + HEALTH + "Connection: close\r\n\r\n");
    assertThat(raw).startsWith("HTTP/1.1 404 ").endsWith("{\"status\":\"ok\"}");
  }

  @Test
  void raw_stalledBody_is408AndClosed() throws IOException {
    refusal(server.raw(POST + "Content-Length: 9\r\n\r\nabc"), 408, "REQUEST_TIMEOUT");
  }

  @Test
  void raw_callerGoneInsideTheBody_isNotInFlightForEver() throws IOException {
    try (Socket socket = server.connect()) {
      String half = POST + "Content-Length: 9\r\n\r\nabc";
      socket.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
      Poll.until("it is counted", () -> metrics().contains("laurel_http_in_flight 2.0"));
    }
    Poll.until(
        "only the scrape is under way",
        () ->
            metrics().contains("laurel_http_in_flight 1.0")
                && metrics().contains("route=\"/t/length\",status=\"499\""));
  }

  private String metrics() {
    return server.get("/metrics").body();
  }

  @Test
  void raw_drippingHeaders_areClosed() throws IOException {
    try (Socket socket = server.connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(HEALTH.getBytes(StandardCharsets.US_ASCII));
      Poll.until(
          "the server closes",
          () -> {
            try {
              out.write("X-A: b\r\n".getBytes(StandardCharsets.US_ASCII));
              return false;
            } catch (SocketException e) {
              return true;
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  @Test
  void raw_idleConnection_isClosed() throws IOException {
    assertThat(server.raw("")).isEmpty();
    assertThat(server.raw(HEALTH + "\r\n")).endsWith("{\"status\":\"ok\"}");
  }

  @Test
  void connect_aboveTheCap_isClosedAtOnceAndRecovers() throws IOException {
    try (TestServer small =
        TestServer.start(s -> s.with(Settings.MAX_CONNECTIONS, "10"), _ -> {})) {
      List<Socket> sockets = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        sockets.add(small.connect());
      }
      String closed = TestServer.readAll(sockets.get(39));
      assertThat(closed).doesNotContain("HTTP");
      for (Socket socket : sockets) {
        socket.close();
      }
      Poll.until("it answers again", () -> answers(small));
    }
  }

  private static boolean answers(TestServer server) {
    try {
      return server.raw(HEALTH + "Connection: close\r\n\r\n").startsWith("HTTP/1.1 200");
    } catch (IOException e) {
      return false;
    }
  }
}
