package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The schema while others use it, and nodes of two versions on one database. */
final class PostgresSchemaTest {
  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  private final DataSource source = PostgresAddress.of(url, null, null).source(0);
  private final BlockingQueue<String> notices = new LinkedBlockingQueue<>();
  private final ManualClock clock = new ManualClock();

  private PostgresSchema schema(Duration patience) {
    return new PostgresSchema(source, "the test's database", patience, notices::add);
  }

  private Store open() {
    return PostgresStore.open(url, null, null, clock);
  }

  private void execute(String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** A newer version was here. */
  private void migrateTo(int version) {
    execute(
        "INSERT INTO flyway_schema_history SELECT %1$d, '%1$d', description, type, 'V%1$d__x.sql', 7, installed_by, installed_on, execution_time, success FROM flyway_schema_history LIMIT 1"
            .formatted(version));
  }

  /** As a dump reads: for long, and all tables. */
  private static Connection reader(String url) throws SQLException {
    Connection reader = DriverManager.getConnection(url + "&ApplicationName=a-long-dump");
    reader.setAutoCommit(false);
    try (Statement statement = reader.createStatement()) {
      statement.execute("LOCK TABLE ledger, ids, seasons, shards IN ACCESS SHARE MODE");
    }
    return reader;
  }

  @Test
  void migrate_behindALongReader_letsCommitsPassAndTriesAgain() throws Exception {
    PostgresSchema.flyway(source).target("21").load().migrate();
    try (Connection reader = reader(url);
        Connection other = source.getConnection();
        Statement commit = other.createStatement()) {
      CompletableFuture<Integer> migration =
          CompletableFuture.supplyAsync(() -> schema(Duration.ofMinutes(5)).migrate());
      // A node of before goes on: its commits wait a moment at most.
      commit.execute("SET statement_timeout = '60s'");
      for (int attempt = 1; attempt <= 2; attempt++) {
        assertThat(notices.poll(5, TimeUnit.MINUTES))
            .contains("waits for a table that others use")
            .contains("a-long-dump");
        commit.execute(
            "INSERT INTO ledger (shard, line, board, user_number, kind, mode, value, event_at, windows, version, previous, stamp, caller) VALUES (0, %d, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)"
                .formatted(attempt));
        assertThat(migration).isNotDone();
      }
      reader.rollback();
      assertThat(migration.get(5, TimeUnit.MINUTES)).isGreaterThanOrEqualTo(52);
    }
    try (Store store = open()) {
      store.check();
    }
  }

  @Test
  void migrate_readerThatNeverEnds_isGivenUpWithAClearMessage() throws Exception {
    PostgresSchema.flyway(source).target("21").load().migrate();
    try (Connection reader = reader(url)) {
      assertThatThrownBy(() -> schema(Duration.ZERO).migrate())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("cannot migrate the test's database")
          .hasMessageContaining("lock timeout");
      assertThat(reader.isValid(0)).isTrue();
    }
  }

  @Test
  void open_schemaOfANewerVersionThatAdds_works() {
    open().close();
    migrateTo(9_000);
    assertThat(schema(Duration.ZERO).migrate()).isLessThan(9_000);
    assertThat(notices).singleElement().asString().contains("schema 9000", "can work with it");
    try (Store store = open();
        Harness node = new Harness(store, clock)) {
      Board board = node.board("b", Update.SUM);
      assertThat(node.submit(board, Harness.score("a", 1))).isInstanceOf(Reply.Done.class);
    }
  }

  @Test
  void open_schemaOfANewerVersionThatBreaks_isRefusedWithAClearMessage() {
    open().close();
    migrateTo(9_000);
    execute("UPDATE meta SET value = 9000 WHERE name = 'oldest_schema'");
    assertThatThrownBy(() -> open().close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("was migrated by a newer version of Laurel, to schema 9000")
        .hasMessageContaining("expected: 9000 or later");
  }

  /** A node that runs while a newer one migrates. */
  @Test
  void submit_newerVersionBreaksTheSchemaMeanwhile_isRefusedAndNotApplied() {
    try (Store store = open();
        Harness node = new Harness(store, clock)) {
      Board board = node.board("b", Update.SUM);
      assertThat(node.submit(board, Harness.score("a", 1))).isInstanceOf(Reply.Done.class);
      execute("UPDATE meta SET value = 9000 WHERE name = 'oldest_schema'");
      Reply reply = node.submit(board, Harness.score("a", 1));
      assertThat(reply).isInstanceOf(Reply.Refused.class);
      assertThat(((Reply.Refused) reply).rejection().code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      assertThatThrownBy(() -> store.<Long>read(tx -> tx.revision()))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("newer version");
      execute("UPDATE meta SET value = 1 WHERE name = 'oldest_schema'");
      List<Long> lines = store.read(tx -> List.of(tx.lastLines()[board.shard()]));
      assertThat(lines).containsExactly(1L);
    }
  }
}
