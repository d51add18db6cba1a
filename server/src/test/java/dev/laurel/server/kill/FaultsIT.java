package dev.laurel.server.kill;

import static dev.laurel.server.kill.Checks.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.Scrape;
import dev.laurel.stack.FaultProxy;
import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes, as processes, on PostgreSQL and Redis, written to and read from while something fails.
 * Afterwards all that was acknowledged is there once, on both nodes and in SQL. What clients saw is
 * printed, and is the table in docs/reliability.md. The first node's ways to both servers go
 * through proxies.
 */
@ExtendWith(Seeds.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // started before all tests
class FaultsIT {
  /** So that a server that is silent is given up in seconds. */
  private static final String IMPATIENT = "&socketTimeout=3&connectTimeout=2";

  private static final int WRITERS = 4;

  private static final Signal REDIS_AWAY = Signal.gauge("laurel_redis_breaker", 1);
  private static final Signal STORE_DOWN = Signal.gauge("laurel_store_down", 1);

  /** Nobody has said that it is gone: what other nodes do is not heard of. */
  private static final Signal STORE_SILENT = Signal.gauge("laurel_follower_lag_seconds", 2);

  private static final String ROWS =
      """
      SELECT u.id, e.score, e.reached
      FROM boards b JOIN seasons s ON s.board = b.id JOIN entries e ON e.season = s.id
        JOIN users u ON u.tenant = b.tenant AND u.number = e.user_number
      WHERE b.uuid = ? AND e.deleted = 0 ORDER BY e.score DESC, e.reached, u.id""";

  @TempDir static Path folder = Path.of("");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Writer> writers = new ArrayList<>();
  private PostgresServer postgres;
  private RedisServer redis;
  private FaultProxy toPostgres;
  private FaultProxy toRedis;
  private Path archive;
  private LaurelProcess first;
  private LaurelProcess second;
  private Api one;
  private Api two;

  @BeforeAll
  void start() throws Exception {
    postgres = PostgresServer.start(folder);
    redis = RedisServer.start(folder.resolve("redis"));
    toPostgres = FaultProxy.before(postgres.port());
    toRedis = FaultProxy.before(redis.port());
    archive = LaurelProcess.makeArchive(folder);
    Files.createDirectory(folder.resolve("one"));
    Files.createDirectory(folder.resolve("two"));
    startFirst();
    second = spawn("two", postgres.port(), redis.port());
    two = api(second);
    for (TestBoard board : TestBoard.values()) {
      one.create(board);
    }
    eventually(() -> Checks.assertShows(two, writers));
  }

  private void startFirst() throws IOException {
    first = spawn("one", toPostgres.port(), toRedis.port());
    one = api(first);
  }

  private LaurelProcess spawn(String name, int postgresPort, int redisPort) throws IOException {
    return LaurelProcess.spawn(
        folder.resolve(name),
        archive,
        "--database-url",
        PostgresServer.url("postgres", postgresPort) + IMPATIENT,
        "--redis-url",
        "redis://127.0.0.1:" + redisPort);
  }

  private Api api(LaurelProcess node) throws IOException {
    return new Api(client, node.awaitReady(), Duration.ofSeconds(4));
  }

  @AfterAll
  void stop() {
    first.close();
    second.close();
    client.close();
    toPostgres.close();
    toRedis.close();
    redis.close();
    postgres.close();
  }

  private List<Writer> newWriters(Random random) {
    List<Writer> some = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      some.add(new Writer(writers.size() + i, random.nextLong(), true));
    }
    writers.addAll(some);
    return some;
  }

  private interface Fault {
    void happen();
  }

  /** What happens to the servers while they are used, for a while, until it is over. */
  private void during(
      String what, Random random, int seconds, Fault begin, Fault end, Signal signal)
      throws Exception {
    during(what, random, seconds, begin, end, one, signal);
  }

  /**
   * @param shows the node whose metrics show it
   */
  private void during(
      String what, Random random, int seconds, Fault begin, Fault end, Api shows, Signal signal)
      throws Exception {
    Traffic traffic = new Traffic(List.of(one, two), newWriters(random));
    String seen;
    Duration shown;
    Scrape before;
    try {
      Poll.until("writes before it", () -> traffic.taken() > 50);
      before = scrape(shows);
      begin.happen();
      try {
        shown =
            eventually(
                () ->
                    assertThat(signal.seen().in(before, scrape(shows)))
                        .as("%s shows it", signal.name())
                        .isTrue());
        // The fault's own length.
        LockSupport.parkNanos(Duration.ofSeconds(seconds).minus(shown).toNanos());
      } finally {
        end.happen();
      }
      int taken = traffic.taken();
      Poll.until("writes after it", () -> traffic.taken() > taken + 50);
    } finally {
      seen = traffic.end();
    }
    Duration healed = assertAllEqual();
    if (signal.clears()) {
      eventually(
          () ->
              assertThat(signal.seen().in(before, scrape(shows)))
                  .as("%s shows it no more", signal.name())
                  .isFalse());
    }
    System.out.printf(
        "%s, %d s: %s; %s showed it after %d ms; all equal after %d ms%n",
        what, seconds, seen, signal.name(), shown.toMillis(), healed.toMillis());
  }

  private static Scrape scrape(Api node) throws IOException {
    return new Scrape(node.get("/metrics").body());
  }

  private Duration assertAllEqual() throws Exception {
    List<Expected> expected = writers.stream().map(Writer::expected).toList();
    for (TestBoard board : TestBoard.values()) {
      assertThat(stored(board))
          .as("SQL: %s", board)
          .isEqualTo(
              Expected.rank(board, expected).stream()
                  .map(row -> new Expected.Row(0, row.user(), row.score(), row.reached()))
                  .toList());
    }
    return eventually(
        () -> {
          for (Api node : List.of(one, two)) {
            Checks.assertIndexed(node);
            Checks.assertShows(node, writers);
          }
        });
  }

  private List<Expected.Row> stored(TestBoard board) throws SQLException {
    List<Expected.Row> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(postgres.url("postgres"));
        PreparedStatement statement = connection.prepareStatement(ROWS)) {
      statement.setString(1, board.uuid());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.add(new Expected.Row(0, result.getString(1), result.getLong(2), result.getLong(3)));
        }
      }
    }
    return rows;
  }

  @Test
  void redis_stopped(Random random) throws Exception {
    during("Redis stopped", random, 3, redis::stop, redis::start, REDIS_AWAY);
  }

  @Test
  void redis_paused(Random random) throws Exception {
    during("Redis paused", random, 3, redis::pause, redis::resume, REDIS_AWAY);
  }

  @Test
  void redis_flushed(Random random) throws Exception {
    during(
        "Redis flushed",
        random,
        1,
        () -> redis.call("FLUSHALL"),
        () -> {},
        Signal.grows("laurel_redis_catch_ups_total"));
  }

  @Test
  void postgres_stopped(Random random) throws Exception {
    during("PostgreSQL stopped", random, 4, postgres::stop, postgres::start, STORE_DOWN);
  }

  @Test
  void postgres_paused(Random random) throws Exception {
    during("PostgreSQL paused", random, 8, postgres::pause, postgres::resume, STORE_SILENT);
  }

  @Test
  void network_toPostgresOfOneNode(Random random) throws Exception {
    network("PostgreSQL", toPostgres, random, STORE_SILENT, "db_latency_ms", STORE_DOWN);
  }

  @Test
  void network_toRedisOfOneNode(Random random) throws Exception {
    network("Redis", toRedis, random, REDIS_AWAY, "redis_latency_ms", REDIS_AWAY);
  }

  private void network(
      String to, FaultProxy proxy, Random random, Signal silent, String latency, Signal cut)
      throws Exception {
    String name = "network of one node to " + to;
    during(name + " silent", random, 5, proxy::stall, proxy::heal, silent);
    during(
        name + " slow (50 ms each way)",
        random,
        3,
        () -> proxy.delay(50),
        proxy::heal,
        Signal.slow(latency, 50));
    during(
        name + " cut",
        random,
        3,
        () -> {
          proxy.refuse();
          proxy.reset();
        },
        proxy::heal,
        cut);
  }

  @Test
  void node_pausedFor30Seconds(Random random) throws Exception {
    during(
        "a node paused",
        random,
        30,
        () -> first.pause(),
        () -> first.resume(),
        two,
        Signal.grows("laurel_ledger_lines_total"));
  }

  @Test
  void node_killedWhileItCommits(Random random) throws Exception {
    List<Duration> seen = new ArrayList<>();
    int taken = 0;
    for (int kill = 0; kill < 3; kill++) {
      List<Writer> some = newWriters(random);
      taken += KillIT.writeUntilKilled(one, first, some, random);
      seen.add(eventually(() -> KillIT.checkBeforeRetries(two, writers)));
      for (Writer writer : some) {
        writer.retry(two);
        writer.replay(two, 8);
      }
      startFirst();
      assertAllEqual();
    }
    System.out.printf(
        "a node killed, 3 times, %d writes taken: all of them seen at the other node after %s%n",
        taken, seen);
  }
}
