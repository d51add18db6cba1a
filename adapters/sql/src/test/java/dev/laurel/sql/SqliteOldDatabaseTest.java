package dev.laurel.sql;

import dev.laurel.core.store.Store;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** A file of an earlier version. */
final class SqliteOldDatabaseTest extends OldDatabaseContract {
  @TempDir private Path folder = Path.of("");

  @Override
  DataSource source() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + folder.resolve(SqliteDialect.FILE));
    return source;
  }

  @Override
  FluentConfiguration flyway() {
    return SqliteSchema.flyway(source());
  }

  @Override
  String bytes(String hex) {
    return "x'" + hex + "'";
  }

  @Override
  Store open() {
    return SqliteStore.open(folder, clock);
  }
}
