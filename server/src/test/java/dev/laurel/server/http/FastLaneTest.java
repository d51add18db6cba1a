package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** That it makes no difference who answers: the lane, Vert.x, or both in turn. */
@ExtendWith(Seeds.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FastLaneTest {
  private static final Pattern ANSWER =
      Pattern.compile("(\\d+) (lane|vertx|body|late|waited|absent)");
  private static final Pattern IN_FLIGHT =
      Pattern.compile("(?m)^laurel_http_in_flight (\\d+)(\\.0)?$");
  private static final String MARK = "laurel-degraded";
  private static final String CLOSE = get("/v1/healthz", "Connection: close\r\n");

  private static final List<String> KINDS =
      List.of(
          "who", "who", "who", "waits", "late", "body", "fetched", "fetched", "known", "stored",
          "absent");

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  private volatile CompletableFuture<?> gate = new CompletableFuture<>();

  @BeforeAll
  void start() {
    server =
        TestServer.start(
            s -> s,
            table ->
                table
                    .get("/t/who/{n}", Kind.HOT, Access.PUBLIC, e -> say(e, who(e)))
                    .get("/t/cold/{n}", Kind.BLOCKING, Access.PUBLIC, e -> say(e, who(e)))
                    .get("/t/waits/{n}", Kind.HOT, Access.PUBLIC, FastLaneTest::waits)
                    .get("/t/late/{n}", Kind.HOT, Access.PUBLIC, FastLaneTest::late)
                    .get("/t/fetched/{n}", Kind.HOT, Access.PUBLIC, e -> fetched(e, true))
                    .get("/t/known/{n}", Kind.HOT, Access.PUBLIC, e -> fetched(e, false))
                    .get("/t/stored/{n}", Kind.HOT, Access.PUBLIC, FastLaneTest::stored)
                    .get("/t/absent/{n}", Kind.HOT, Access.PUBLIC, FastLaneTest::absent)
                    .get("/t/gated/{n}", Kind.HOT, Access.PUBLIC, this::gated)
                    .post("/t/body/{n}", Kind.HOT, Access.PUBLIC, e -> say(e, "body"))
                    .get("/t/marked", Kind.HOT, Access.PUBLIC, FastLaneTest::marked)
                    .get("/t/private", Kind.HOT, Access.READ, e -> say(e, "secret")));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Only Vert.x has a request of its own. */
  static String who(Exchange e) {
    try {
      return e.raw().path() == null ? "" : "vertx";
    } catch (IllegalStateException onTheLane) {
      return "lane";
    }
  }

  private static void say(Exchange e, String what) {
    e.json(new JsonOut(32).string((e.params.length == 0 ? "" : e.pathParam("n")) + " " + what));
  }

  private static void waits(Exchange e) {
    e.block(x -> say(x, "waited"));
  }

  private static void late(Exchange e) {
    Thread.ofVirtual().start(() -> say(e, "late"));
  }

  /** As a rank that is fetched from Redis, or that has just come. */
  private static void fetched(Exchange e, boolean elsewhere) {
    e.later(
        x -> {
          if (elsewhere) {
            Thread.ofVirtual().start(() -> say(x, who(x)));
          } else {
            say(x, who(x));
          }
        });
  }

  /** As one that turns out to be in the store only. */
  private static void stored(Exchange e) {
    e.later(x -> Thread.ofVirtual().start(() -> x.block(y -> say(y, "waited"))));
  }

  private static void absent(Exchange e) {
    e.later(x -> Thread.ofVirtual().start(() -> say(x.status(404), "absent")));
  }

  private void gated(Exchange e) {
    e.later(x -> gate.thenRunAsync(() -> say(x, who(x))));
  }

  private static void marked(Exchange e) {
    e.header("x-mark", "1").json(new JsonOut(8).bool(true));
  }

  private static String get(String path, String headers) {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n";
  }

  private static String post(int n) {
    return "POST /t/body/"
        + n
        + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
  }

  @Test
  void get_plain_isAnsweredOnTheLaneWithTheUsualHead() throws IOException {
    assertThat(headOfBoth()).contains("x-request-id: abc").contains("content-length: 8");
  }

  /** The head that both give: the lane, and Vert.x but for what it was asked otherwise. */
  private String headOfBoth() throws IOException {
    String plain = server.raw(get("/t/who/1", "X-Request-Id: abc\r\n") + CLOSE);
    String usual = server.raw(get("/t/who/1", "X-Request-Id: abc\r\nConnection: close\r\n"));
    assertThat(plain).contains("\"1 lane\"");
    assertThat(usual).contains("\"1 vertx\"");
    String head = plain.substring(0, plain.indexOf("\r\n\r\n"));
    assertThat(usual.substring(0, usual.indexOf("\r\n\r\n")))
        .isEqualTo(head.replace("content-length: 8", "connection: close\r\ncontent-length: 9"));
    return head;
  }

  @Test
  void get_storeDown_isAnsweredOnTheLaneAndMarkedAsByVertx() throws Exception {
    try (Connection other = DriverManager.getConnection(server.sqliteUrl());
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      assertThat(server.get("/v1/readyz").statusCode()).isEqualTo(503);
      assertThat(headOfBoth()).contains("\r\nlaurel-degraded: writes\r\n");
      statement.execute("ROLLBACK");
    }
    Poll.until("it is back", () -> !server.get("/t/who/1").headers().map().containsKey(MARK));
  }

  @Test
  void get_notPlain_isLeftToVertx() throws IOException {
    for (String headers :
        List.of(
            "Content-Length: 0\r\n",
            "Expect: nothing\r\n",
            "Upgrade: h2c\r\n",
            "Connection: upgrade\r\n",
            "Connection: keep-alive, x\r\n")) {
      String raw = server.raw(get("/t/who/1", headers) + CLOSE);
      assertThat(raw).as(headers).doesNotContain("lane");
    }
    assertThat(server.raw(get("/t/who/1", "Connection: Keep-Alive\r\n") + CLOSE)).contains("lane");
    assertThat(server.raw("GET /t/who/1 HTTP/1.0\r\nHost: x\r\n\r\n")).contains("1 vertx");
    assertThat(server.raw(get("/t/cold/1", "") + CLOSE)).contains("1 vertx");
  }

  @Test
  void get_anyOtherAnswer_isTheUsualOne() throws IOException {
    assertThat(server.raw(get("/t/marked", "") + CLOSE)).contains("x-mark: 1").contains("true");
    assertThat(server.raw(get("/t/private", "") + CLOSE)).startsWith("HTTP/1.1 401 ");
    assertThat(server.raw(get("/t/private", "X-API-Key: no\r\n") + CLOSE))
        .startsWith("HTTP/1.1 401 ")
        .doesNotContain("secret");
    assertThat(server.raw(get("/t/who/1?x=1", "") + CLOSE)).startsWith("HTTP/1.1 400 ");
    assertThat(server.raw(get("/t/gone", "") + CLOSE)).startsWith("HTTP/1.1 404 ");
    assertThat(server.raw("GET /t/who/1 HTTP/1.1\r\n\r\n" + CLOSE)).startsWith("HTTP/1.1 400 ");
  }

  @Test
  void pipeline_ofAllKinds_isAnsweredInOrder(Random random) throws IOException {
    for (int round = 0; round < 20; round++) {
      StringBuilder requests = new StringBuilder();
      List<String> expected = new ArrayList<>();
      for (int n = 0; n < 100; n++) {
        String kind = KINDS.get(random.nextInt(KINDS.size()));
        requests.append(kind.equals("body") ? post(n) : get("/t/" + kind + "/" + n, ""));
        expected.add(Integer.toString(n));
      }
      String raw = sendInPieces(requests.append(CLOSE).toString(), random);
      List<String> answers = new ArrayList<>();
      for (Matcher m = ANSWER.matcher(raw); m.find(); ) {
        answers.add(m.group(1));
      }
      assertThat(answers).as(raw).isEqualTo(expected);
      assertThat(raw).endsWith("{\"status\":\"ok\"}");
    }
  }

  private String sendInPieces(String bytes, Random random) throws IOException {
    try (Socket socket = server.connect()) {
      byte[] all = bytes.getBytes(StandardCharsets.ISO_8859_1);
      for (int from = 0; from < all.length; ) {
        int count = Math.min(all.length - from, 1 + random.nextInt(2000));
        socket.getOutputStream().write(all, from, count);
        from += count;
      }
      return TestServer.readAll(socket);
    }
  }

  @Test
  void pipeline_afterClose_isNotServed() throws IOException {
    for (String first : List.of(CLOSE, "GET /v1/healthz HTTP/1.0\r\nHost: x\r\n\r\n")) {
      String raw = server.raw(get("/t/who/1", "") + first + get("/t/who/2", ""));
      assertThat(raw).contains("1 lane").doesNotContain("2 lane").doesNotContain("2 vertx");
    }
  }

  @Test
  void pipeline_afterARefusedBody_isServedOnTheLaneAgain() throws IOException {
    String withBody = get("/t/who/1", "Content-Length: 2\r\n") + "{}";
    String raw = server.raw(withBody + get("/t/who/2", "") + CLOSE);
    assertThat(raw).startsWith("HTTP/1.1 400 ").contains("2 lane");
  }

  @Test
  void get_answeredLater_isAnsweredOnTheLane() throws IOException {
    String raw = server.raw(get("/t/fetched/1", "") + get("/t/known/2", "") + CLOSE);
    assertThat(raw).contains("1 lane").contains("2 lane");
    assertThat(server.raw(get("/t/stored/1", "") + CLOSE)).contains("1 waited");
    assertThat(server.raw(get("/t/absent/1", "") + CLOSE))
        .startsWith("HTTP/1.1 404 ")
        .contains("1 absent");
  }

  @Test
  void get_callerGoneBeforeALateAnswer_isUnderWayNoMore() throws IOException {
    gate = new CompletableFuture<>();
    try (Socket socket = server.connect()) {
      String requests = get("/t/gated/1", "") + post(2) + get("/t/who/3", "");
      socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
      Poll.until("it is under way", () -> inFlight() == 2);
    }
    Poll.until("it is not under way", () -> inFlight() == 1);
    gate.complete(null);
    assertThat(server.raw(get("/t/who/4", "") + CLOSE)).contains("4 lane");
    assertThat(inFlight()).isEqualTo(1);
  }

  /** With the request that asks. */
  private int inFlight() {
    Matcher found = IN_FLIGHT.matcher(server.get("/metrics").body());
    assertThat(found.find()).isTrue();
    return Integer.parseInt(found.group(1));
  }

  @Test
  void flood_behindALateAnswer_isNotReadAndComesInOrder() throws Exception {
    gate = new CompletableFuture<>();
    flood("gated", () -> gate.complete(null));
  }

  @Test
  void flood_unreadAnswers_areNotKeptInMemoryAndComeInOrder() throws Exception {
    flood("who", () -> {});
    flood("fetched", () -> {});
  }

  private void flood(String route, Runnable whenStuck) throws Exception {
    // More than the system keeps for both ends: some 10 MB each way.
    int count = 40_000;
    String zeros = "0".repeat(1000);
    try (Socket socket = server.connect()) {
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int n = 0; n < count; n++) {
                        socket
                            .getOutputStream()
                            .write(
                                get("/t/" + route + "/" + zeros + n, "")
                                    .getBytes(StandardCharsets.ISO_8859_1));
                      }
                      socket.getOutputStream().write(CLOSE.getBytes(StandardCharsets.ISO_8859_1));
                    } catch (IOException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      // The server stops reading long before all is sent, so the sender gets stuck until we read.
      assertThat(sender.join(java.time.Duration.ofMillis(500))).isFalse();
      whenStuck.run();
      Matcher answers = ANSWER.matcher(TestServer.readAll(socket));
      for (int n = 0; n < count; n++) {
        assertThat(answers.find()).isTrue();
        assertThat(answers.group(1)).isEqualTo(zeros + n);
      }
    }
  }

  @Test
  void metrics_eachRequest_isCountedOnce() throws IOException {
    server.raw(get("/t/waits/1", "") + get("/t/waits/2", "") + CLOSE);
    String lines = server.get("/metrics").body();
    assertThat(lines)
        .containsPattern("laurel_http_requests_seconds_count\\{.*/t/waits/\\{n}.* 2(\\.0)?\n")
        .containsPattern("laurel_http_in_flight 1(\\.0)?\n");
  }
}
