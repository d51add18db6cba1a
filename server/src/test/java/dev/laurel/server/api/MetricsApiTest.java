package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.Scrape;
import dev.laurel.server.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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

  /** A proxy on the same machine, which says nothing of whom it speaks for, is no reason to. */
  @Test
  void metrics_withoutTheirScope_areRefusedAlsoFromLoopback() {
    Api.anonymous(server).get("/metrics").refused(401, "UNAUTHENTICATED");
    api.key("manager", "read", "ingest", "manage").get("/metrics").refused(403, "FORBIDDEN");
    Api scraper = api.key("scraper", "metrics");
    assertThat(scraper.get("/metrics").is(200).text()).contains("laurel_http_in_flight");
    scraper.get(Api.BOARDS + "/nobody/top?limit=1").refused(403, "FORBIDDEN");
    scraper.get("/api/v1/keys").refused(403, "FORBIDDEN");
    api.key("manager", "manage")
        .post("/api/v1/keys", "{'name':'spy','scopes':['metrics']}")
        .refused(403, "FORBIDDEN");
  }

  @Test
  void opsPort_healthAndMetrics_areServedWithoutAKeyAndNothingElse() throws Exception {
    int port;
    try (var free = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    server.close();
    server =
        TestServer.start(
            s -> s.with(dev.laurel.server.settings.Settings.OPS_PORT, Integer.toString(port)),
            _ -> {});
    assertThat(ops(port, "/metrics").body()).contains("laurel_http_in_flight");
    for (String path : List.of("/api/v1/health", "/api/v1/ready", "/v1/healthz", "/v1/readyz")) {
      assertThat(ops(port, path).statusCode()).as(path).isEqualTo(200);
    }
    for (String path : List.of("/", "/api/v1/leaderboards", "/openapi.yaml", "/api/v1/keys")) {
      assertThat(ops(port, path).statusCode()).as(path).isEqualTo(404);
    }
  }

  private HttpResponse<String> ops(int port, String path) {
    return server.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)));
  }

  @Test
  void boards_activeAndWrittenTo_areCountedByTenant() {
    String solo = api.board("solo");
    api.board("draft", "'status':'DRAFT'");
    for (int i = 0; i < 3; i++) {
      api.score(solo, "ann", "'score':" + i).is(200);
    }
    assertThat(Scrape.of(server).value("laurel_boards_active{tenant=\"default\"}")).isEqualTo(1);
    // Counted after the answer.
    Poll.until(
        "three updates",
        () ->
            Scrape.of(server).value("laurel_score_updates_total{board=\"solo\",tenant=\"default\"}")
                == 3);
  }

  @Test
  void reads_fromMemory_areCountedBySource() {
    String solo = api.board("solo");
    api.score(solo, "ann", "'score':1").is(200);
    double before = Scrape.of(server).value("laurel_reads_total{source=\"memory\"}");
    for (int i = 0; i < 5; i++) {
      api.get(solo + "/users/ann/rank").is(200);
    }
    assertThat(Scrape.of(server).value("laurel_reads_total{source=\"memory\"}"))
        .isEqualTo(before + 5);
  }

  @Test
  void expression_evaluated_isTimed() {
    api.post("/api/v1/topics", "{'topicName':'t','numberOfPartitions':1}").is(201);
    String config =
        api.post(
                "/leaderboards/config",
                "{'tenantId':'default','name':'scored','topicName':'t','writeQPS':1,"
                    + "'startTime':'2025-01-01T00:00:00Z','rankingOrder':'HIGHEST_FIRST','featureConfig':{'features':"
                    + "[{'name':'kills','dataType':'INTEGER','required':true}]},"
                    + "'scoringStrategy':{'spelExpression':'100 / kills','features':['kills']}}")
            .is(201)
            .at("/configId");
    api.patch("/leaderboards/config/" + config, "{'status':'ACTIVE'}").is(200);
    double before = Scrape.of(server).value("laurel_expression_micros_count");
    double failed = Scrape.of(server).value("laurel_expression_failures_total");
    for (int kills : new int[] {4, 0}) {
      api.post(
          "/api/v1/events",
          "{'leaderboardConfigId':'%s','userId':'ann','features':{'kills':%d}}"
              .formatted(config, kills));
    }
    Scrape seen = Scrape.of(server);
    assertThat(seen.value("laurel_expression_micros_count")).isEqualTo(before + 2);
    assertThat(seen.value("laurel_expression_micros_sum")).isPositive();
    assertThat(seen.value("laurel_expression_failures_total")).isEqualTo(failed + 1);
  }

  /** Prometheus can send no other header. */
  @Test
  void key_asABearerToken_isTheSame() {
    String board = api.board("solo");
    assertThat(
            server
                .send(
                    server
                        .anonymous("/metrics")
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
