package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A server that is short of memory refuses what is large or unknown, and serves the rest. */
class HeapPressureApiTest {
  private static final String BOARDS = "/api/v1/leaderboards";

  @Test
  void requests_memoryIsShort_largeAndUnknownOnesAreRefusedAndTheRestIsServed() {
    try (TestServer server = TestServer.start()) {
      String board = BOARDS + "/b";
      assertThat(server.post(BOARDS, "{\"UUID\":\"b\",\"visibility\":\"PUBLIC\"}").statusCode())
          .isEqualTo(201);
      String large = "{\"scores\":[{\"userId\":\"ann\",\"score\":1}" + " ".repeat(70_000) + "]}";
      assertThat(server.post(board + "/scores", large).statusCode()).isEqualTo(200);
      String ranks = "{\"userIds\":[\"ann\"]}";
      assertThat(anonymously(server, board + "/ranks", ranks).statusCode()).isEqualTo(200);
      assertThat(server.send(server.anonymous(board)).statusCode()).isEqualTo(200);

      refused(server, () -> server.post(board + "/scores", large));
      refused(server, () -> anonymously(server, board + "/ranks", ranks));
      refused(server, () -> server.send(server.anonymous(board)));
      // Those with a key go on, and whoever asks how the server is hears it.
      assertThat(
              server
                  .post(board + "/scores", "{\"scores\":[{\"userId\":\"bob\",\"score\":2}]}")
                  .statusCode())
          .isEqualTo(200);
      assertThat(server.get(board).statusCode()).isEqualTo(200);
      assertThat(server.send(server.anonymous(board + "/top?limit=5")).statusCode()).isEqualTo(200);
      for (String probe :
          new String[] {"/api/v1/health", "/api/v1/ready", "/v1/healthz", "/v1/readyz"}) {
        assertThat(server.send(server.anonymous(probe)).statusCode()).as(probe).isEqualTo(200);
      }
      assertThat(Scrape.of(server).value("laurel_http_shed_total")).isGreaterThanOrEqualTo(3);
      Poll.until(
          "the gauge says it",
          () -> {
            server.laurel().heap().collected(95, 100);
            return Scrape.of(server).value("laurel_heap_tight") == 1;
          });

      server.laurel().heap().collected(10, 100);
      assertThat(server.post(board + "/scores", large).statusCode()).isEqualTo(200);
      assertThat(server.send(server.anonymous(board)).statusCode()).isEqualTo(200);
    }
  }

  /** Until it is: a collection of the test's own process may say in between that there is room. */
  private static void refused(TestServer server, Supplier<HttpResponse<String>> call) {
    Poll.until(
        "it is refused",
        () -> {
          server.laurel().heap().collected(95, 100);
          HttpResponse<String> answer = call.get();
          return answer.statusCode() == 503
              && answer.body().contains("memory is short")
              && answer.headers().firstValue("Retry-After").orElse("").equals("5");
        });
  }

  private static HttpResponse<String> anonymously(TestServer server, String path, String json) {
    return server.send(
        server
            .anonymous(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json)));
  }
}
