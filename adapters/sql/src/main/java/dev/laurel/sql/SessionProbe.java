package dev.laurel.sql;

import dev.laurel.core.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a connection keeps its session. Behind a pooler that gives each transaction
 * another one (PgBouncer in transaction mode) settings go to whoever comes next: time limits and
 * the isolation of reads would be lost without a word, and a transaction could be at another server
 * than the one before.
 *
 * <p>Such a pooler gives what was used last to whoever asks next. So several connections take
 * turns, and one holds on to what it has while the others ask again.
 */
final class SessionProbe {
  private static final int CONNECTIONS = 3;
  private static final int ROUNDS = 3;

  private SessionProbe() {}

  /**
   * @param name of the database, for people
   */
  static void check(DataSource source, String name) {
    List<Probed> probed = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        probed.add(new Probed(source.getConnection(), i));
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (Probed each : probed) {
          each.check(name);
        }
        probed.get(round % CONNECTIONS).hold();
      }
    } catch (SQLException e) {
      throw new StoreException("cannot reach " + name + ": " + e.getMessage(), e);
    } finally {
      probed.forEach(Probed::close);
    }
  }

  /** A connection with something to recognize its session by. */
  private static final class Probed {
    private final Connection connection;
    private final String mark;
    private final int process;

    Probed(Connection connection, int number) throws SQLException {
      this.connection = connection;
      this.mark = Integer.toString(number);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET laurel.probe = '" + mark + "'");
        this.process = ask().process;
      } catch (SQLException e) {
        close();
        throw e;
      }
    }

    private record Answer(int process, @Nullable String mark) {}

    private Answer ask() throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT pg_backend_pid(), current_setting('laurel.probe', true)")) {
        row.next();
        return new Answer(row.getInt(1), row.getString(2));
      }
    }

    void check(String name) throws SQLException {
      if (!ask().equals(new Answer(process, mark))) {
        throw new StoreException(
            name
                + ": a connection does not keep its session (expected: the server itself, or a"
                + " pooler in session mode; PgBouncer: pool_mode = session)");
      }
    }

    /** Begins a transaction, which keeps the session that it got. */
    void hold() throws SQLException {
      connection.setAutoCommit(false);
      ask();
    }

    void close() {
      try {
        connection.close();
      } catch (SQLException e) {
        // It was only for asking.
      }
    }
  }
}
