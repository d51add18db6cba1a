package dev.laurel.sql;

import dev.laurel.core.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Brings the schema up to date while other nodes and readers use the database.
 *
 * <p>What alters a table waits for everybody who reads it, and everybody else waits behind it. So a
 * migration gives up after a moment, lets the others pass, and tries again.
 *
 * <p>A newer version may have migrated before. Its migrations say in {@code meta} which schema a
 * node has to know at least: {@code oldest_schema} is the last one that broke older nodes.
 */
final class PostgresSchema {
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final DataSource source;
  private final String name;
  private final Duration patience;
  private final Consumer<String> notices;

  /**
   * @param name of the database, for people
   * @param patience how long to try when others hold a table
   * @param notices of what an operator wants to know while it goes on
   */
  PostgresSchema(DataSource source, String name, Duration patience, Consumer<String> notices) {
    this.source = source;
    this.name = name;
    this.patience = patience;
    this.notices = notices;
  }

  static FluentConfiguration flyway(DataSource source) {
    return Flyway.configure(PostgresSchema.class.getClassLoader())
        .dataSource(source)
        .callbacks(new Impatience())
        .locations("classpath:dev/laurel/sql/postgresql");
  }

  /** Commits wait no longer than this behind a table that is to be altered. */
  private static final class Impatience extends BaseCallback {
    @Override
    public boolean supports(Event event, Context context) {
      return event == Event.AFTER_CONNECT;
    }

    @Override
    public void handle(Event event, Context context) {
      try (Statement statement = context.getConnection().createStatement()) {
        statement.execute("SET lock_timeout = '1s'");
      } catch (SQLException e) {
        throw new FlywayException("cannot set lock_timeout", e);
      }
    }
  }

  /** The newest schema that this version knows. */
  int migrate() {
    Flyway flyway = flyway(source).load();
    long deadline = System.nanoTime() + patience.toNanos();
    while (!migrate(flyway, System.nanoTime() < deadline)) {
      LockSupport.parkNanos(PAUSE.toNanos());
      if (Thread.currentThread().isInterrupted()) {
        throw new StoreException("cannot migrate " + name + ": interrupted");
      }
    }
    MigrationInfo[] all = flyway.info().all();
    int known = newest(Arrays.stream(all).filter(each -> each.getState().isResolved()));
    int found = newest(Arrays.stream(all));
    if (found > known) {
      acceptNewer(found, known);
    }
    return known;
  }

  private static int newest(Stream<MigrationInfo> migrations) {
    return migrations
        .mapToInt(each -> each.getVersion().getMajor().intValueExact())
        .max()
        .orElse(0);
  }

  /** False if somebody else is in the way, and there is time to try again. */
  private boolean migrate(Flyway flyway, boolean mayTryAgain) {
    try {
      flyway.migrate();
      return true;
    } catch (FlywayException e) {
      if (!mayTryAgain || !isInTheWay(e)) {
        throw new StoreException("cannot migrate " + name + ": " + e.getMessage(), e);
      }
      notices.accept(
          "the migration of %s waits for a table that others use, and tries again: %s"
              .formatted(name, longest()));
      return false;
    }
  }

  /** A lock that took too long, or that somebody held who waited for one of ours. */
  private static boolean isInTheWay(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException e
          && ("55P03".equals(e.getSQLState()) || "40P01".equals(e.getSQLState()))) {
        return true;
      }
    }
    return false;
  }

  /** Who may be meant. */
  private String longest() {
    List<String> sessions = new ArrayList<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT format('process %s (%s) for %s s', pid, application_name,"
                    + " extract(epoch FROM clock_timestamp() - xact_start)::bigint)"
                    + " FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND pid <> pg_backend_pid() AND xact_start IS NOT NULL"
                    + " ORDER BY xact_start LIMIT 3")) {
      while (rows.next()) {
        sessions.add(rows.getString(1));
      }
    } catch (SQLException e) {
      return "see pg_stat_activity"; // only the notice has less to say
    }
    return sessions.isEmpty()
        ? "see pg_stat_activity"
        : "the oldest transactions are of " + String.join(", ", sessions);
  }

  private void acceptNewer(int found, int known) {
    Integer oldest = oldest();
    if (oldest == null || oldest > known) {
      throw new StoreException(
          ("%s was migrated by a newer version of Laurel, to schema %d. This version knows schema %d"
                  + " (expected: %s). Start the newer version.")
              .formatted(name, found, known, oldest == null ? found : oldest + " or later"));
    }
    notices.accept(
        "%s was migrated by a newer version of Laurel, to schema %d; this version, with schema %d, can work with it"
            .formatted(name, found, known));
  }

  private @Nullable Integer oldest() {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT value FROM meta WHERE name = 'oldest_schema'")) {
      return row.next() ? row.getInt(1) : null;
    } catch (SQLException e) {
      throw new StoreException("cannot read " + name + ": " + e.getMessage(), e);
    }
  }
}
