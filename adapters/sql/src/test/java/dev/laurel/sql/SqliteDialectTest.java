package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteDialectTest {
  @TempDir private Path folder = Path.of("");

  /** The driver's default: after each INSERT it prepares and runs a query for its last key. */
  @Test
  void insert_onAConnectionOfTheStore_isNotFollowedByAQueryForItsKey() throws Exception {
    FolderLock lock = FolderLock.take(folder);
    SqliteDialect dialect = new SqliteDialect(folder, new ManualClock(), lock, false);
    try (Connection connection = dialect.connect(Dialect.Role.WRITER)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)");
      }
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO things (name) VALUES (?)")) {
        insert.setString(1, "first");
        assertThat(insert.executeUpdate()).isEqualTo(1);
        try (ResultSet keys = insert.getGeneratedKeys()) {
          assertThat(keys.next()).isFalse();
        }
      }
      connection.rollback();
    } finally {
      lock.release();
    }
  }
}
