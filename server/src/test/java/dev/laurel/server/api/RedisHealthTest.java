package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.Scrape;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node says of a Redis that does not answer: its probes, and the metrics of alerts. */
class RedisHealthTest {
  @TempDir Path folder = Path.of("");

  private static TestServer serverWith(String redisUrl) {
    PostgresServer postgres = PostgresServer.shared();
    String database = postgres.url(postgres.newDatabase());
    return TestServer.start(
        s -> s.with(Settings.DATABASE_URL, database).with(Settings.REDIS_URL, redisUrl), _ -> {});
  }

  /** After a collection, which takes what nobody holds. */
  private static String scrape(TestServer server) {
    System.gc();
    return server.get("/metrics").body();
  }

  private static void assertAway(TestServer server) {
    Api nobody = Api.anonymous(server);
    nobody.get("/v1/readyz").refused(503, "REDIS_UNAVAILABLE");
    Poll.until("it is noticed", () -> nobody.get("/api/v1/ready").at("/redis").equals("DOWN"));
    assertThat(nobody.get("/api/v1/ready").is(200).at("/status")).isEqualTo("degraded");
    nobody.get("/api/v1/health").is(200);
    assertThat(scrape(server)).contains("laurel_redis_breaker 1.0");
  }

  @Test
  void probesAndGauges_redisStoppedAndBack_sayIt() {
    try (RedisServer redis = RedisServer.start(folder);
        TestServer server = serverWith(redis.url())) {
      Api api = Api.admin(server);
      String board = api.board("b");
      api.score(board, "ann", "'score':1").is(200);
      api.get(board + "/users/ann/rank").is(200);
      Scrape before = Scrape.of(server);
      assertThat(before.value("laurel_redis_writes_total{outcome=\"applied\"}")).isEqualTo(1);
      assertThat(before.value("laurel_redis_writes_total{outcome=\"behind\"}")).isZero();
      assertThat(before.value("laurel_reads_total{source=\"redis\"}")).isPositive();
      assertThat(before.value("laurel_redis_stand_ins_total")).isZero();
      assertThat(scrape(server))
          .contains("laurel_redis_breaker 0.0", "laurel_redis_behind 0.0")
          .as("every gauge has somebody who holds what it shows")
          .doesNotContain("NaN");
      assertThat(api.get("/v1/readyz").is(200).text()).isEqualTo("{\"status\":\"ready\"}");
      assertThat(api.get("/api/v1/ready").is(200).text()).isEqualTo("{\"status\":\"ready\"}");

      redis.stop();
      assertAway(server);
      api.score(board, "ann", "'score':2").is(200);
      Poll.until(
          "memory stands in",
          () -> {
            assertThat(api.get(board + "/users/ann/rank").is(200).number("/score")).isEqualTo(2);
            return Scrape.of(server).value("laurel_redis_stand_ins_total") > 0;
          });
      Scrape away = Scrape.of(server);
      assertThat(away.value("laurel_redis_writes_total{outcome=\"behind\"}")).isPositive();
      assertThat(away.value("laurel_redis_catch_ups_total")).isPositive();
      assertThat(away.value("laurel_redis_failures_total")).isPositive();
      assertThat(away.value("laurel_redis_behind")).isEqualTo(1);
      assertThat(away.value("laurel_reads_total{source=\"sql\"}")).isPositive();
      assertThat(away.value("laurel_reads_total{source=\"memory\"}")).isPositive();
      redis.start();
      Poll.until("it is back", () -> scrape(server).contains("laurel_redis_breaker 0.0"));
      api.get("/v1/readyz").is(200);
      assertThat(api.get("/api/v1/ready").is(200).at("/status")).isEqualTo("ready");
    }
  }

  @Test
  void probesAndGauges_redisUrlThatLeadsNowhere_sayIt() throws IOException {
    int nobody;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = free.getLocalPort();
    }
    try (TestServer server = serverWith("redis://127.0.0.1:" + nobody)) {
      assertAway(server);
    }
  }
}
