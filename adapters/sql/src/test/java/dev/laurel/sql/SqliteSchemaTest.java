package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.flywaydb.core.api.MigrationInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

final class SqliteSchemaTest {
  @TempDir private Path folder = Path.of("");
  private final SQLiteDataSource source = new SQLiteDataSource();

  @BeforeEach
  void migrate() {
    source.setUrl("jdbc:sqlite:" + folder.resolve("test.db"));
    SqliteSchema.migrate(source, "test.db", false);
  }

  /** One that is not listed would not run where there is a file already. */
  @Test
  void migrations_listed_areAllThatFlywayFinds() {
    MigrationInfo[] found = SqliteSchema.flyway(source).load().info().all();
    assertThat(Arrays.stream(found).map(MigrationInfo::getScript))
        .containsExactlyElementsOf(SqliteSchema.MIGRATIONS);
  }

  @Test
  void migrate_stampedFile_isLeftAlone() throws SQLException {
    assertThat(SqliteSchema.readStamp(source)).isNotZero();
    execute("DELETE FROM flyway_schema_history");
    SqliteSchema.migrate(source, "test.db", false);
  }

  @Test
  void migrate_editedMigration_isRefused() throws SQLException {
    execute("UPDATE flyway_schema_history SET checksum = checksum + 1");
    execute("PRAGMA user_version = 1");
    assertThatThrownBy(() -> SqliteSchema.migrate(source, "test.db", false))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("test.db")
        .hasMessageContaining("checksum");
  }

  @Test
  void migrate_fileOfANewerVersion_isRefused() throws SQLException {
    execute(
        "INSERT INTO flyway_schema_history SELECT 99, '99', description, type, 'V99__x.sql',"
            + " checksum, installed_by, installed_on, execution_time, success"
            + " FROM flyway_schema_history LIMIT 1");
    execute("PRAGMA user_version = 1");
    assertThatThrownBy(() -> SqliteSchema.migrate(source, "test.db", false))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("99");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
