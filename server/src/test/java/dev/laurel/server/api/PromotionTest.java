package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The primary is lost, and a replica promoted that has not heard of the last commits: who was
 * numbered in them has no number any more, and somebody else gets it.
 */
class PromotionTest {
  @TempDir Path folder = Path.of("");

  @Test
  void promotion_ofALaggingReplica_nobodysPointsAreAnothers() throws SQLException {
    promote(null);
  }

  @Test
  void promotion_withRanksInRedis_nobodysPointsAreAnothers() throws SQLException {
    try (RedisServer redis = RedisServer.start(folder.resolve("redis"))) {
      promote(redis.url());
    }
  }

  private void promote(@Nullable String redis) throws SQLException {
    try (PostgresServer primary = PostgresServer.start(folder.resolve("primary"));
        PostgresServer replica = primary.replica(folder.resolve("replica"))) {
      String url =
          "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres?user=postgres&socketTimeout=5"
              .formatted(primary.port(), replica.port());
      try (TestServer first = node(url, redis)) {
        Api a = Api.admin(first);
        String board = a.board("kept", "'update':'SUM','decimals':0");
        String paused = a.board("paused", "'update':'SUM','decimals':0");
        a.score(board, "ann", "'score':10").is(200);
        a.score(paused, "ann", "'score':1").is(200);
        Poll.until("the replica", () -> query(replica, "SELECT count(*) FROM ledger").equals("2"));
        replica.cutOff();

        a.score(board, "bob", "'score':500").is(200);
        assertThat(query(primary, "SELECT number FROM users WHERE id = 'bob'")).isEqualTo("2");
        String lost = a.board("lost", "'update':'SUM','decimals':0");
        a.score(lost, "ann", "'score':5").is(200);
        String key = a.post("/api/v1/keys", "{'name':'k','scopes':['read']}").is(201).at("/key");
        Api late = Api.anonymous(first).with("X-API-Key", key);
        late.get(board + "/top?limit=1").is(200);

        Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
        try (Writers writers = new Writers(a, board, statuses)) {
          primary.kill();
          replica.promote();
          try (TestServer second = node(url, redis)) {
            Api c = Api.admin(second);
            goOn(a, c, board, paused, lost, late);
            writers.stop();
            assertThat(statuses).isSubsetOf(200, 503).contains(200);
            assertSame(replica, a, c, board);
          }
        }
      }
    }
  }

  private static void goOn(Api a, Api c, String board, String paused, String lost, Api late) {
    c.score(board, "carol", "'score':7").is(200);
    String fresh = c.board("fresh", "'update':'SUM','decimals':0");
    c.patch(paused, "{'status':'PAUSED'}").is(200);

    Poll.until("the first node", () -> a.score(board, "bob", "'score':1000").status() == 200);
    a.score(board, "dave", "'score':3").is(200);
    a.score(board, "carol", "'score':1").is(200);
    a.score(lost, "ann", "'score':42").refused(404, "BOARD_NOT_FOUND");
    a.get(lost).is(404);
    a.score(paused, "ann", "'score':1").refused(409, "BOARD_NOT_ACTIVE");
    Poll.until("the board of another node", () -> a.get(fresh).status() == 200);
    assertThat(a.get(fresh + "/top?limit=10").is(200).all("/entries", "userId")).isEmpty();
    late.get(board + "/top?limit=1").is(401);
  }

  /** What SQL says is what both nodes say, and nobody has anything of anybody else. */
  private static void assertSame(PostgresServer replica, Api a, Api c, String board) {
    String who =
        query(
            replica,
            "SELECT string_agg(u.id || '=' || e.score, ' ' ORDER BY u.id) FROM entries e"
                + " JOIN users u ON u.number = e.user_number JOIN seasons s ON s.id = e.season"
                + " JOIN boards b ON b.id = s.board"
                + " WHERE b.uuid = 'kept' AND u.id NOT LIKE 'writer%'");
    assertThat(who).isEqualTo("ann=10 bob=1000 carol=8 dave=3");
    assertThat(query(replica, "SELECT count(*) - count(DISTINCT id) FROM users")).isEqualTo("0");
    for (Api node : List.of(a, c)) {
      for (String pair : who.split(" ")) {
        String[] parts = pair.split("=");
        Poll.until(
            pair,
            () ->
                node.get(board + "/users/" + parts[0] + "/rank")
                    .is(200)
                    .at("/score")
                    .equals(parts[1]));
      }
    }
  }

  /** Callers who go on through all of it, each for a user of its own. */
  private static final class Writers implements AutoCloseable {
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    Writers(Api node, String board, Queue<Integer> statuses) {
      for (int i = 0; i < 4; i++) {
        String user = "writer-" + i;
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int n = 0; stop.getCount() > 0; n++) {
                        // Now and then somebody whom no history knows.
                        String who = n % 5 == 0 ? user + "-" + n : user;
                        statuses.add(node.score(board, who, "'score':1").status());
                      }
                    }));
      }
    }

    @Override
    public void close() {
      stop();
    }

    /** Returns when nothing of theirs is under way. */
    void stop() {
      stop.countDown();
      for (Thread thread : threads) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private static TestServer node(String url, @Nullable String redis) {
    return TestServer.start(
        settings ->
            redis == null
                ? settings.with(Settings.DATABASE_URL, url)
                : settings.with(Settings.DATABASE_URL, url).with(Settings.REDIS_URL, redis),
        _ -> {});
  }

  private static String query(PostgresServer server, String sql) {
    try (Connection connection = DriverManager.getConnection(server.url("postgres"));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
