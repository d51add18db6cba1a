package dev.laurel.sql;

import dev.laurel.core.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.zip.CRC32;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Brings the schema up to date. Flyway does it, and takes a third of a second of a fresh JVM to
 * find out that there is nothing to do; so a finished file is stamped with a checksum of all
 * migrations (in the header field that SQLite keeps for applications), and Flyway is asked only
 * where the stamp differs.
 */
final class SqliteSchema {
  private static final String LOCATION = "dev/laurel/sql/sqlite";

  /** The mode of a file that gives space back when asked to. */
  static final int INCREMENTAL = 2;

  /** 64 MB, which takes about a second. */
  private static final int REWRITTEN_AT_ONCE_PAGES = 16_384;

  /** All of them, in order; a test compares the list with what Flyway finds. */
  static final List<String> MIGRATIONS =
      List.of(
          "V1__laurel.sql",
          "V2__redo.sql",
          "V3__windows.sql",
          "V4__webhooks.sql",
          "V5__archive.sql",
          "V6__capacity.sql",
          "V7__pods.sql",
          "V8__checkpoints.sql",
          "V9__awards.sql",
          "V10__refusals.sql",
          "V11__corrections.sql",
          "V12__guards.sql",
          "V13__chain.sql",
          "V14__profiles.sql",
          "V15__origins.sql",
          "V20__clock.sql",
          "V21__season_bounds.sql",
          "V22__settled_seasons.sql",
          "V28__horizons.sql",
          "V32__erased_users.sql",
          "V33__untimed_ids.sql",
          "V37__archive_witnesses.sql",
          "V41__issuer_users.sql",
          "V46__webhooks.sql",
          "V50__clock_numbers.sql",
          "V53__pruned_entries.sql",
          "V65__reports.sql");

  private SqliteSchema() {}

  /**
   * @param rewrite whether a file that cannot give space back is rewritten even if it is large
   */
  static void migrate(DataSource source, String name, boolean rewrite) {
    int stamp = stamp();
    try {
      makeShrinkable(source, rewrite);
      if (readStamp(source) == stamp) {
        return;
      }
      flyway(source).load().migrate();
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA user_version = " + stamp);
      }
    } catch (SQLException | FlywayException e) {
      throw new StoreException("cannot migrate " + name + ": " + e.getMessage(), e);
    }
  }

  /**
   * A file keeps space that is not used any more, unless it was made to give it back. To change
   * that rewrites all of it: at once where it is new or small, else only when told to.
   */
  private static void makeShrinkable(DataSource source, boolean always) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      if (pragma(statement, "auto_vacuum") != INCREMENTAL
          && (always || pragma(statement, "page_count") <= REWRITTEN_AT_ONCE_PAGES)) {
        statement.execute("PRAGMA auto_vacuum = " + INCREMENTAL);
        statement.execute("VACUUM");
      }
    } catch (SQLException e) {
      if (always) {
        throw e;
      } // else it starts as it is: on a disk that is nearly full there is no place to rewrite it
    }
  }

  private static long pragma(Statement statement, String name) throws SQLException {
    try (ResultSet row = statement.executeQuery("PRAGMA " + name)) {
      return row.getLong(1);
    }
  }

  static FluentConfiguration flyway(DataSource source) {
    return Flyway.configure(SqliteSchema.class.getClassLoader())
        .dataSource(source)
        .locations("classpath:" + LOCATION)
        // Adding a column to a strict table has a result, of which nobody wants a picture.
        .outputQueryResults(false)
        // By default Flyway accepts the schema of a newer version; this code would not know it.
        .ignoreMigrationPatterns(new String[0]);
  }

  static int readStamp(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      return row.getInt(1);
    }
  }

  private static int stamp() {
    CRC32 checksum = new CRC32();
    ClassLoader loader = SqliteSchema.class.getClassLoader();
    for (String migration : MIGRATIONS) {
      try (InputStream file = loader.getResourceAsStream(LOCATION + "/" + migration)) {
        if (file == null) {
          throw new IllegalStateException("missing on the classpath: " + migration);
        }
        checksum.update(file.readAllBytes());
      } catch (IOException e) {
        throw new StoreException("cannot read " + migration, e);
      }
    }
    return (int) checksum.getValue();
  }
}
