package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who reads the metrics, and several at once. */
class MetricsApiTest {
  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @BeforeEach
  void start() {
    server = TestServer.start();
    api = Api.admin(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void metrics_severalScrapersAtOnce_allGetEverything() throws Exception {
    for (int i = 0; i < 30; i++) {
      api.board("board-" + i);
    }
    List<Callable<Boolean>> scrapers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      scrapers.add(
          () -> {
            for (int round = 0; round < 20; round++) {
              var answer = server.get("/metrics");
              assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
              assertThat(answer.body().lines().filter(l -> l.startsWith("laurel_board_entries{")))
                  .hasSize(30);
            }
            return true;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(scrapers.size())) {
      for (Future<Boolean> scraper : threads.invokeAll(scrapers)) {
        assertThat(scraper.get()).isTrue();
      }
    }
  }

  /** Prometheus can send no other header. */
  @Test
  void key_asABearerToken_isTheSame() {
    String board = api.board("solo");
    Api throughAProxy = Api.anonymous(server).with("X-Forwarded-For", "192.0.2.1");
    throughAProxy.get("/metrics").refused(401, "UNAUTHENTICATED");
    assertThat(
            server
                .send(
                    server
                        .anonymous("/metrics")
                        .header("X-Forwarded-For", "192.0.2.1")
                        .header("Authorization", "Bearer " + TestServer.ADMIN_KEY))
                .statusCode())
        .isEqualTo(200);
    String reader = api.secret("reader", "read");
    Api bearer = Api.anonymous(server).with("Authorization", "Bearer " + reader);
    bearer.get(board + "/top?limit=1").is(200);
    bearer.put(board + "/users/ann", "{'score':1}").refused(403, "FORBIDDEN");
    Api.anonymous(server)
        .with("Authorization", "Bearer " + reader + "x")
        .get(board + "/top?limit=1")
        .refused(401, "UNAUTHENTICATED");
  }
}
