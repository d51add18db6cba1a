package dev.laurel.sql;

import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.TransactionLostException;
import dev.laurel.core.time.Moment;
import dev.laurel.core.time.TimeJudge;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * PostgreSQL: several nodes on one database. Writers take the row of a shard first and read at READ
 * COMMITTED after it, so they see what the last holder of the lock left; readers have one snapshot.
 *
 * <p>Nothing waits for ever: the server ends what waits for a lock, runs or idles in a transaction
 * for too long, and the driver gives up a server that is silent.
 */
final class PostgresDialect implements Dialect {
  private static final Log LOG = LogFactory.getLog(PostgresDialect.class);

  /** Longer than any read of ours takes. */
  private static final Duration MIGRATION_PATIENCE = Duration.ofMinutes(10);

  /** Commits of different shards go on beside each other, up to this many. */
  private static final int LANES = 4;

  /** Beside the lanes: users, configuration, seasons, webhooks. */
  private static final int OTHER_WRITERS = 4;

  private static final int READERS = 8;
  private static final int LONG_READERS = 3;
  private static final int JOB_READERS = 2;

  /**
   * The stamp of the database, mixed with what changes when its history may have: when the server
   * was started (a restored volume needs a start, and a promoted replica is another server), the
   * transaction that wrote the stamp and the table it is in (a restored dump has others). Everyone
   * may read these, also where a provider keeps the server's control data to itself.
   *
   * <p>A replica that was not promoted has none. Nor has a database that a newer version has
   * migrated so that this one cannot work with it any more.
   */
  private static final String STATE =
      "SELECT value # hashtextextended(concat_ws('/',"
          + " (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint,"
          + " xmin, tableoid), 0),"
          + " (SELECT value FROM meta WHERE name = 'revision')"
          + " FROM meta WHERE name = 'epoch' AND NOT pg_is_in_recovery()"
          + " AND NOT EXISTS (SELECT FROM meta WHERE name = 'oldest_schema' AND value > ";

  /**
   * Writers and jobs ask for a few rows by their keys, the newest first. Statistics count rows that
   * live: while somebody holds a snapshot, the planner takes a key with one row and fifty thousand
   * dead ones for a small one, and would read all of it to sort it. Servers before 18 take a plan
   * that cannot do without for a dear one, and would compile it.
   */
  static final String BY_KEYS =
      "SET enable_seqscan = off; SET enable_bitmapscan = off; SET jit = off";

  private static final String NOW = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

  private final PostgresAddress address;
  private final @Nullable InstantSource clock;
  private final TimeJudge judge;
  private final PGSimpleDataSource source;
  private final PostgresHints hints;

  /** The newest one that this version knows; set before the first session. */
  private volatile int schema = Integer.MAX_VALUE;

  /**
   * @param clock instead of the database's, which all nodes share
   * @param judge tells whether to believe it
   */
  PostgresDialect(PostgresAddress address, @Nullable InstantSource clock, TimeJudge judge) {
    this.address = address;
    this.clock = clock;
    this.judge = judge;
    this.source = address.source(20);
    this.hints = new PostgresHints(source);
  }

  @Override
  public int connections(Role role) {
    return switch (role) {
      case WRITER -> LANES + OTHER_WRITERS;
      case READER -> READERS;
      case LONG_READER -> LONG_READERS;
      case JOB_READER -> JOB_READERS;
    };
  }

  /** The server ends each statement, and whoever idles. */
  @Override
  public Duration longestRead() {
    return Duration.ofDays(1);
  }

  @Override
  public int lanes() {
    return LANES;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public boolean pinsVirtualThreads() {
    return false;
  }

  @Override
  public boolean sharesParameters() {
    return false;
  }

  @Override
  public Connection connect(Role role) throws SQLException {
    Connection connection = source.getConnection();
    try (Statement statement = connection.createStatement()) {
      boolean writer = role == Role.WRITER;
      statement.execute("SET lock_timeout = '5s'");
      statement.execute("SET statement_timeout = " + (writer ? "'15s'" : "'60s'"));
      statement.execute(
          "SET idle_in_transaction_session_timeout = " + (writer ? "'10s'" : "'60s'"));
      if (writer || role == Role.JOB_READER) {
        statement.execute(BY_KEYS);
      }
      if (writer) {
        // What is acknowledged is on disk, also where somebody made the server faster than that.
        statement.execute(
            "SELECT set_config('synchronous_commit', 'on', false)"
                + " WHERE current_setting('synchronous_commit') = 'off'");
      } else {
        connection.setReadOnly(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      }
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public boolean isAlive(Connection connection) {
    try {
      return connection.isValid(2);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public Statements statements(Connection connection) {
    return new PostgresStatements(connection);
  }

  @Override
  public Entries entries(Statements statements) {
    return new EntryTable(statements);
  }

  @Override
  public void migrate() {
    DataSource unhurried = address.source(0);
    // First: it also says in one line, where Flyway takes five, that nobody listens.
    SessionProbe.check(unhurried, address.toString());
    schema =
        new PostgresSchema(unhurried, address.toString(), MIGRATION_PATIENCE, LOG::warn).migrate();
  }

  /** Does not hold up those who only refer to the row. */
  @Override
  public String rowLock() {
    return " FOR NO KEY UPDATE";
  }

  @Override
  public Positions positions(Statements statements) {
    return new AppendedPositions(statements);
  }

  @Override
  public String contains(String column) {
    return "position(? IN " + column + ") > 0";
  }

  @Override
  public String state() {
    return STATE + schema + ")";
  }

  @Override
  public Moment moment(Statements statements) throws SQLException {
    long asked = judge.asking();
    return judge.judge(clock == null ? statements.number(0, NOW) : clock.millis(), asked);
  }

  @Override
  public StoreException failure(String doing, SQLException cause) {
    String message = "PostgreSQL: cannot " + doing + ": " + cause.getMessage();
    String state = state(cause);
    return switch (state) {
      // A serialization failure, a deadlock, a lock that took too long; a connection that was lost.
      case "40001", "40P01", "55P03", "25P03", "08003", "08006", "57P01", "57P02" ->
          new TransactionLostException(message, cause);
      // An action of a user that another shard's commit has taken while this one was under way.
      case "23505" ->
          String.valueOf(cause.getMessage()).contains("ids_pkey")
              ? new TransactionLostException(message, cause)
              : new StoreException(message, cause);
      default ->
          isAroundTheWork(state)
              ? new StoreUnavailableException(message, cause)
              : new StoreException(message, cause);
    };
  }

  /** Classes of states in which the same work may succeed later, whatever it is. */
  private static final Set<String> AROUND =
      Set.of(
          "08", // connections
          "25", // a server that is read-only, a transaction that took too long
          "28", // a login that is refused
          "3D", // a database that is gone
          "53", // memory, disk, connections used up
          "55", // an object that is in use or not ready
          "57", // cancelled, shutting down, starting
          "58", // the system around the server
          "F0"); // its configuration

  /** A right that was taken away, or a file that is damaged, belongs to them too. */
  private static boolean isAroundTheWork(String state) {
    return state.length() == 5
        && (AROUND.contains(state.substring(0, 2))
            || state.equals("42501")
            || state.equals("XX001")
            || state.equals("XX002"));
  }

  @Override
  public StoreException commitFailure(SQLException cause) {
    String state = state(cause);
    // Said by a server that has rolled back; anything else may have come after the commit.
    return state.startsWith("40") || state.startsWith("23") || state.startsWith("25")
        ? failure("commit", cause)
        : new CommitUnknownException("PostgreSQL: commit failed: " + cause.getMessage(), cause);
  }

  private static String state(SQLException cause) {
    String state = cause.getSQLState();
    return state == null ? "" : state;
  }

  /** The server's autovacuum sees to it. */
  @Override
  public boolean isLoose(Statements statements) {
    return false;
  }

  @Override
  public void tighten(Statements statements) {}

  @Override
  public void committed() {
    hints.committed();
  }

  @Override
  public void awaitHint(Duration atMost) throws InterruptedException {
    hints.await(atMost);
  }

  @Override
  public void closing(Connection last) {}

  @Override
  public void release() {
    hints.close();
  }
}
