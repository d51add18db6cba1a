package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.Scrape;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without its store a node answers reads, and says so; a write is refused and forgotten. */
class DegradedApiTest {
  private static final String HEADER = "Laurel-Degraded";

  @TempDir Path folder = Path.of("");

  /** Something happens to the store of a server, and is over. */
  private interface Fault {
    void begin() throws Exception;

    void end() throws Exception;
  }

  /** A key and a board that the node knows, a user, and then the fault. */
  private static void check(TestServer server, Fault fault) throws Exception {
    Api admin = Api.admin(server);
    Api service = admin.key("service", "read", "ingest");
    String board = admin.board("b", "'update':'SUM'");
    service.score(board, "ann", "'score':7").is(200);
    assertThat(service.get(board + "/users/ann/rank").is(200).header(HEADER)).isEmpty();

    assertThat(Scrape.of(server).value("laurel_store_down")).isZero();
    double failures = Scrape.of(server).value("laurel_store_failures_total");

    fault.begin();
    service.score(board, "ann", "'score':100").refused(503, "STORE_UNAVAILABLE");
    for (String path : new String[] {"/users/ann/rank", "/top?limit=5", "/users/ann/around"}) {
      Answer read = service.get(board + path).is(200);
      assertThat(read.header(HEADER)).as(path).isEqualTo("writes");
      assertThat(read.header("Laurel-Source")).as(path).isEmpty();
      assertThat(read.text()).contains("\"score\":7");
    }
    long begin = System.nanoTime();
    for (int i = 0; i < 50; i++) {
      Answer refused = service.score(board, "ann", "'score':100");
      assertThat(refused.refused(503, "STORE_UNAVAILABLE").header("Retry-After")).isEqualTo("1");
    }
    // Nobody waits for a store that is known to be away: 50 lock waits take longer.
    assertThat(System.nanoTime() - begin).isLessThan(60_000_000_000L);
    assertThat(service.get("/api/v1/ready").is(200).at("/status")).isEqualTo("degraded");
    service.get("/v1/readyz").refused(503, "REDIS_UNAVAILABLE");
    Scrape away = Scrape.of(server);
    assertThat(away.value("laurel_store_down")).isEqualTo(1);
    assertThat(away.value("laurel_store_failures_total"))
        .as("each that was refused")
        .isGreaterThanOrEqualTo(failures + 51);

    fault.end();
    Poll.until("it is back", () -> service.get(board + "/top?limit=5").header(HEADER).isEmpty());
    assertThat(service.get("/api/v1/ready").at("/status")).isEqualTo("ready");
    assertThat(Scrape.of(server).value("laurel_store_down")).isZero();
    assertThat(service.score(board, "ann", "'score':1").is(200).at("/score")).isEqualTo("8");
    assertThat(service.get(board + "/users/ann/rank").is(200).at("/score")).isEqualTo("8");
  }

  private record Stopped(PostgresServer postgres) implements Fault {
    @Override
    public void begin() {
      postgres.stop();
    }

    @Override
    public void end() {
      postgres.start();
    }
  }

  @Test
  void reads_postgresStopped_goOnFromMemoryAndAreMarked() throws Exception {
    try (PostgresServer postgres = PostgresServer.start(folder);
        TestServer server =
            TestServer.start(
                s -> s.with(Settings.DATABASE_URL, postgres.url("postgres")), _ -> {})) {
      check(server, new Stopped(postgres));
    }
  }

  @Test
  void reads_postgresStopped_goOnFromRedisAndAreMarked() throws Exception {
    try (PostgresServer postgres = PostgresServer.start(folder);
        RedisServer redis = RedisServer.start(folder.resolve("redis"));
        TestServer server =
            TestServer.start(
                s ->
                    s.with(Settings.DATABASE_URL, postgres.url("postgres"))
                        .with(Settings.REDIS_URL, redis.url()),
                _ -> {})) {
      check(server, new Stopped(postgres));
    }
  }

  /** Another program has the file. */
  @Test
  void reads_sqliteLocked_goOnFromMemoryAndAreMarked() throws Exception {
    try (TestServer server = TestServer.start();
        Connection other = DriverManager.getConnection(server.sqliteUrl());
        Statement statement = other.createStatement()) {
      check(
          server,
          new Fault() {
            @Override
            public void begin() throws Exception {
              statement.execute("BEGIN IMMEDIATE");
            }

            @Override
            public void end() throws Exception {
              statement.execute("ROLLBACK");
            }
          });
    }
  }
}
