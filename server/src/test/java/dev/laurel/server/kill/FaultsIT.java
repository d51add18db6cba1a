package dev.laurel.server.kill;

import static dev.laurel.server.kill.Checks.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
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
  private void during(String what, Random random, int seconds, Fault begin, Fault end)
      throws Exception {
    Traffic traffic = new Traffic(List.of(one, two), newWriters(random));
    String seen;
    try {
      Poll.until("writes before it", () -> traffic.taken() > 50);
      begin.happen();
      try {
        LockSupport.parkNanos(Duration.ofSeconds(seconds).toNanos()); // the fault's own length
      } finally {
        end.happen();
      }
      int before = traffic.taken();
      Poll.until("writes after it", () -> traffic.taken() > before + 50);
    } finally {
      seen = traffic.end();
    }
    Duration healed = assertAllEqual();
    System.out.printf(
        "%s, %d s: %s; all equal after %d ms%n", what, seconds, seen, healed.toMillis());
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
    during("Redis stopped", random, 3, redis::stop, redis::start);
  }

  @Test
  void redis_paused(Random random) throws Exception {
    during("Redis paused", random, 3, redis::pause, redis::resume);
  }

  @Test
  void redis_flushed(Random random) throws Exception {
    during("Redis flushed", random, 1, () -> redis.call("FLUSHALL"), () -> {});
  }

  @Test
  void postgres_stopped(Random random) throws Exception {
    during("PostgreSQL stopped", random, 4, postgres::stop, postgres::start);
  }

  @Test
  void postgres_paused(Random random) throws Exception {
    during("PostgreSQL paused", random, 8, postgres::pause, postgres::resume);
  }

  @Test
  void network_toPostgresOfOneNode(Random random) throws Exception {
    network("PostgreSQL", toPostgres, random);
  }

  @Test
  void network_toRedisOfOneNode(Random random) throws Exception {
    network("Redis", toRedis, random);
  }

  private void network(String to, FaultProxy proxy, Random random) throws Exception {
    during("network of one node to " + to + " silent", random, 5, proxy::stall, proxy::heal);
    during(
        "network of one node to " + to + " slow (50 ms each way)",
        random,
        3,
        () -> proxy.delay(50),
        proxy::heal);
    during(
        "network of one node to " + to + " cut",
        random,
        3,
        () -> {
          proxy.refuse();
          proxy.reset();
        },
        proxy::heal);
  }

  @Test
  void node_pausedFor30Seconds(Random random) throws Exception {
    during("a node paused", random, 30, () -> first.pause(), () -> first.resume());
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
