package dev.laurel.sql;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.Store;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every commit changes costs the same, whoever looks on, and holds up nobody else. */
final class PostgresPositionsTest {
  private static final int COMMITS = 50_000;

  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  private final ManualClock clock = new ManualClock();
  private final Store store = PostgresStore.open(url, null, null, clock);
  private final Harness node = new Harness(store, clock);

  @AfterEach
  void close() {
    node.close();
    store.close();
  }

  /** As pg_dump holds it: what is deleted or updated meanwhile cannot be removed. */
  @Test
  void moves_whileASnapshotIsHeld_leaveNoChainOfDeadVersions() throws SQLException {
    Board board =
        node.board(
            "b",
            Update.SUM,
            WindowDefinition.ALL_TIME,
            new WindowDefinition(
                "daily", new Schedule.Daily(), "UTC", null, null, null, List.of()));
    node.submit(board, score("ann", 1));
    long[] seasons = board.seasons().stream().mapToLong(season -> season.id()).toArray();
    int shard = board.shard();
    try (Connection dump = DriverManager.getConnection(url);
        Connection writer = DriverManager.getConnection(url);
        Statement holding = dump.createStatement()) {
      dump.setAutoCommit(false);
      dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      holding.executeQuery("SELECT count(*) FROM shards").close();
      Positions positions = new AppendedPositions(new PostgresStatements(writer));
      long first = positions.last(shard);
      try (Statement commits = writer.createStatement()) {
        commits.execute("SET synchronous_commit = off");
        commits.execute(PostgresDialect.BY_KEYS);
        commits.execute(commits(shard, seasons));
        // As autovacuum does: the planner hears of the rows that live.
        commits.execute("ANALYZE");
      }
      long line = first + COMMITS;
      // The snapshot sees what it saw; everyone else the last line, by reading a page or two.
      assertThat(pages(writer, "SELECT line FROM shards WHERE shard = " + shard)).isLessThan(20);
      for (long season : seasons) {
        assertThat(pages(writer, "SELECT line FROM season_lines WHERE season = " + season))
            .isLessThan(20);
      }
      assertThat(pages(writer, "SELECT shard FROM shard_locks WHERE shard = " + shard))
          .isLessThan(20);
      assertThat(pages(writer, "SELECT label FROM seasons WHERE id = " + seasons[0]))
          .isLessThan(20);
      assertThat(positions.last(shard)).isEqualTo(first + COMMITS);
      assertThat(positions.ofSeason(seasons[0])).isEqualTo(line);
      try (ResultSet old = holding.executeQuery("SELECT line FROM shards WHERE shard = " + shard)) {
        assertThat(old.next()).isTrue();
        assertThat(old.getLong(1)).isEqualTo(first);
        assertThat(old.next()).isFalse();
      }
    }
  }

  /** The statements of a commit, as often as told, in a loop of the server: each is committed. */
  private static String commits(int shard, long[] seasons) {
    String move =
        filled(AppendedPositions.MOVE, "n", "" + shard, "" + shard, "n", "0", "NULL", "NULL");
    String moveSeasons =
        filled(
            AppendedPositions.MOVE_SEASONS,
            "'%d,%d'".formatted(seasons[0], seasons[1]),
            "concat(n, ',', n)");
    String lock =
        filled(AppendedPositions.LOCK_FREE, "'" + shard + "'")
            .replace("SELECT shard FROM", "PERFORM shard FROM");
    return """
        DO $$
        DECLARE n bigint := (SELECT max(s.line) FROM shards s WHERE s.shard = %d);
        BEGIN
          FOR i IN 1..%d LOOP
            n := n + 1;
            %s;
            %s;
            %s;
            COMMIT;
          END LOOP;
        END $$
        """
        .formatted(shard, COMMITS, lock, move, moveSeasons);
  }

  private static String filled(String sql, String... values) {
    String filled = sql;
    for (String value : values) {
      filled = filled.replaceFirst("\\?", Matcher.quoteReplacement(value));
    }
    return filled;
  }

  /** How many pages the newest row takes to be found. */
  private static int pages(Connection connection, String query) throws SQLException {
    String ordered = query.contains("line") ? query + " ORDER BY line DESC LIMIT 1" : query;
    Pattern hits = Pattern.compile("shared hit=(\\d+)(?: read=(\\d+))?");
    try (Statement statement = connection.createStatement();
        ResultSet plan =
            statement.executeQuery("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) " + ordered)) {
      while (plan.next()) {
        Matcher found = hits.matcher(plan.getString(1));
        if (found.find()) {
          String read = found.group(2);
          return Integer.parseInt(found.group(1)) + (read == null ? 0 : Integer.parseInt(read));
        }
      }
    }
    return 0;
  }

  private CompletableFuture<Reply> submit(Board board, String user) {
    return node.pipeline.submit(new Request(board, List.of(score(user, 1)), 1, true, null));
  }

  /** A node that commits to one shard leaves the lane of another node its other shards. */
  @Test
  void commit_whileAnotherNodeHasAShardOfTheLane_goesOnWithTheOthers() throws Exception {
    List<Board> boards = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      boards.add(node.board("board" + i, Update.SUM));
    }
    Board held = boards.getFirst();
    Board other =
        boards.stream()
            .filter(b -> b.shard() != held.shard())
            .filter(b -> b.shard() % store.lanes() == held.shard() % store.lanes())
            .findFirst()
            .orElseThrow();
    // Everyone has a number, and every season is open.
    node.submit(held, score("ann", 1));
    node.submit(other, score("ann", 1));
    List<CompletableFuture<Reply>> waiting = new ArrayList<>();
    try (Connection another = DriverManager.getConnection(url);
        Statement statement = another.createStatement()) {
      another.setAutoCommit(false);
      statement
          .executeQuery(
              "SELECT shard FROM shard_locks WHERE shard = " + held.shard() + " FOR NO KEY UPDATE")
          .close();
      // In whatever batches they come.
      List<CompletableFuture<Reply>> going = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        waiting.add(submit(held, "ann"));
        going.add(submit(other, "ann"));
      }
      for (CompletableFuture<Reply> reply : going) {
        assertThat(reply.get(1, TimeUnit.MINUTES)).isInstanceOf(Reply.Done.class);
      }
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      another.rollback();
    }
    for (CompletableFuture<Reply> reply : waiting) {
      assertThat(reply.get(1, TimeUnit.MINUTES)).isInstanceOf(Reply.Done.class);
    }
    long lines = store.read(tx -> tx.position(held.primary().id()));
    assertThat(lines).isGreaterThanOrEqualTo(4);
    assertThat(node.failures).isEmpty();
  }
}
