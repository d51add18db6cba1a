package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.store.Asker;
import dev.laurel.server.Poll;
import dev.laurel.server.Scrape;
import dev.laurel.server.TestServer;
import dev.laurel.server.http.Access;
import dev.laurel.server.http.Body;
import dev.laurel.server.http.Kind;
import dev.laurel.server.settings.Settings;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What nobody waits for any more ends soon, and gives back what it held. */
class CallersWhoLeaveTest {
  private static final int LINES = 40_000;
  private static final String SPAN = "'from':'2020-01-01T00:00:00Z','to':'2100-01-01T00:00:00Z'";

  private static Socket ask(TestServer server, String method, String path, String json)
      throws IOException {
    byte[] body = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    String head =
        "%s %s HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\n"
                .formatted(method, path, TestServer.ADMIN_KEY)
            + (body.length == 0
                ? "\r\n"
                : "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n");
    Socket socket = server.connect();
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(body);
    return socket;
  }

  /** How often a caller of the route was gone before the answer. */
  private static boolean anyGone(TestServer server, String method, String route) {
    String series =
        "laurel_http_requests_seconds_count{method=\"%s\",route=\"%s\",status=\"499\""
            .formatted(method, route);
    return Scrape.of(server).text().contains(series);
  }

  private static void awaitNobodyElse(TestServer server) {
    Poll.until(
        "only the scrape itself is under way",
        () -> Scrape.of(server).value("laurel_http_in_flight") == 1);
  }

  @Test
  void reading_callersLeave_endsAndGivesItsPlacesBack() throws IOException {
    AtomicInteger rows = new AtomicInteger();
    AtomicInteger begun = new AtomicInteger();
    try (TestServer server =
        TestServer.start(
            s -> s.with(Settings.MAX_BLOCKING, "16"),
            table ->
                table.get(
                    "/t/endless",
                    Kind.BLOCKING,
                    Access.READ,
                    _ -> {
                      begun.incrementAndGet();
                      while (true) { // as whoever reads page after page does
                        Asker.requireCurrent();
                        rows.incrementAndGet();
                        LockSupport.parkNanos(100_000);
                      }
                    }))) {
      List<Socket> callers = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        callers.add(ask(server, "GET", "/t/endless", ""));
      }
      Poll.until("all are at it", () -> begun.get() == 10 && rows.get() > 100);
      for (Socket caller : callers) {
        caller.close();
      }
      awaitNobodyElse(server);
      int read = rows.get();
      Api.admin(server).get("/api/v1/keys").is(200);
      assertThat(rows).hasValue(read);
      assertThat(anyGone(server, "GET", "/t/endless")).isTrue();
    }
  }

  @Test
  void changing_callerLeaves_isDoneAllTheSame() throws IOException {
    CountDownLatch left = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    try (TestServer server =
        TestServer.start(
            s -> s,
            table ->
                table.add(
                    HttpMethod.POST,
                    "/t/change",
                    Kind.BLOCKING,
                    Access.READ,
                    Body.NONE,
                    exchange -> {
                      begun.countDown();
                      try {
                        left.await();
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                      Asker.requireCurrent();
                      done.incrementAndGet();
                      exchange.noContent();
                    }))) {
      try (Socket _ = ask(server, "POST", "/t/change", "")) {
        Poll.until("it is under way", () -> begun.getCount() == 0);
      }
      Poll.until(
          "the connection is closed",
          () -> Scrape.of(server).value("laurel_http_connections") <= 1);
      left.countDown();
      Poll.until("it is done", () -> done.get() == 1);
      awaitNobodyElse(server);
    }
  }

  @Test
  void exportsTrialsAndPreviews_callersLeave_endBeforeTheirEnd() throws IOException {
    try (TestServer server = TestServer.start()) {
      Api api = Api.admin(server);
      String board = api.board("b", "'decimals':0");
      for (int i = 0; i < LINES; i += 1000) {
        StringBuilder lines = new StringBuilder();
        for (int j = i; j < i + 1000; j++) {
          lines.append(j == i ? "" : ",").append("{\"userId\":\"u").append(j);
          lines.append("\",\"score\":").append(j).append('}');
        }
        api.raw("POST", board + "/scores", "{\"scores\":[" + lines + "]}").is(200);
      }
      String trial = "{'rules':[{'rule':'BOARD_Z_SCORE','threshold':3,'outcome':'FLAG'}]}";
      String preview = "{'source':{'eventIdPrefix':'none'," + SPAN + "},'dryRun':true}";
      api.post(board + "/guard/try", trial).is(200);
      api.post(board + "/reverts", preview).is(200);
      for (String route : List.of("/export", "/guard/try", "/reverts")) {
        String method = route.equals("/export") ? "GET" : "POST";
        String body =
            switch (route) {
              case "/export" -> "";
              case "/reverts" -> preview;
              default -> trial;
            };
        // The server may be done with one before it sees that the caller has left.
        Poll.until(
            "a caller of " + route + " is found to have left",
            () -> {
              try (Socket caller = ask(server, method, board + route, body)) {
                caller.setSoLinger(true, 0);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
              awaitNobodyElse(server);
              return anyGone(server, method, Api.BOARDS + "/{UUID}" + route);
            });
      }
      api.get(board + "/top?limit=1").is(200);
    }
  }
}
