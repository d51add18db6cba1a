package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.time.TimeJudge;
import dev.laurel.stack.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What begins a new epoch on PostgreSQL, and what it takes to know it. */
final class PostgresEpochTest {
  @TempDir Path folder = Path.of("");

  private static Store open(String url) {
    return PostgresStore.open(url, null, null, null);
  }

  private static long epoch(String url) {
    try (Store store = open(url)) {
      return store.read(tx -> tx.epoch());
    }
  }

  private static void execute(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  /** As providers do it: the owner of a database is nobody on the server. */
  @Test
  void epoch_ownerWithoutSpecialRights_isRead() throws SQLException {
    try (PostgresServer server = PostgresServer.start(folder)) {
      execute(
          server.url("postgres"),
          "CREATE ROLE plain LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION",
          "CREATE DATABASE plain OWNER plain");
      String url = server.url("plain");
      execute(
          url,
          "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC",
          "REVOKE EXECUTE ON FUNCTION pg_current_wal_lsn() FROM PUBLIC",
          "REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM PUBLIC");
      String plain = url.replace("user=postgres", "user=plain");
      assertThat(plain).isNotEqualTo(url);
      long epoch = epoch(plain);
      assertThat(epoch(url)).as("the same for every node, whoever it connects as").isEqualTo(epoch);
      server.stop();
      server.start();
      assertThat(epoch(plain)).as("the volume may be another").isNotEqualTo(epoch);
    }
  }

  @Test
  void epoch_tablesLoadedFromADump_isAnother() throws SQLException {
    PostgresServer server = PostgresServer.shared();
    String url = server.url(server.newDatabase());
    long first = epoch(url);
    assertThat(epoch(url)).isEqualTo(first);
    // Only the rows, as with --data-only.
    execute(
        url,
        "CREATE TABLE dump AS SELECT * FROM meta",
        "TRUNCATE meta",
        "INSERT INTO meta SELECT * FROM dump");
    long second = epoch(url);
    assertThat(second).isNotEqualTo(first);
    // The whole table, as with --clean.
    execute(
        url,
        "CREATE TABLE again (LIKE meta INCLUDING ALL)",
        "INSERT INTO again SELECT * FROM dump",
        "DROP TABLE meta",
        "ALTER TABLE again RENAME TO meta",
        "DROP TABLE dump");
    assertThat(epoch(url)).isNotIn(first, second);
  }

  @Test
  void epoch_replicaThatIsNotPromoted_isNone() throws SQLException {
    try (PostgresServer primary = PostgresServer.start(folder.resolve("primary"))) {
      epoch(primary.url("postgres"));
      try (PostgresServer replica = primary.replica(folder.resolve("replica"))) {
        PostgresDialect dialect =
            new PostgresDialect(
                PostgresAddress.of(replica.url("postgres") + "&targetServerType=any", null, null),
                null,
                TimeJudge.BELIEVING);
        try (Connection connection = dialect.connect(Dialect.Role.READER)) {
          MetaTable meta = new MetaTable(dialect.statements(connection), dialect);
          assertThatThrownBy(meta::epoch).isInstanceOf(StoreUnavailableException.class);
        } finally {
          dialect.release();
        }
      }
    }
  }
}
