package dev.laurel.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The few numbers there is one of. */
final class MetaTable {
  private static final String READ = "SELECT value FROM meta WHERE name = ?";
  private static final String INSERT =
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";

  /** Also locks the row: changes of the configuration get their revisions in commit order. */
  private static final String NEXT_REVISION =
      "UPDATE meta SET value = value + 1 WHERE name = 'revision' RETURNING value";

  private static final String TOUCH = "UPDATE meta SET value = value WHERE name = 'shards'";

  private final Statements statements;
  private final String readEpoch;
  private final boolean shared;
  private @Nullable Long epoch;

  MetaTable(Statements statements, Dialect dialect) {
    this.statements = statements;
    this.readEpoch = dialect.epoch();
    this.shared = dialect.isShared();
  }

  /** False if it is there already. */
  boolean create(long epoch, int shards) throws SQLException {
    // Of several nodes that start at once the others wait for the first one's row.
    if (statements.number(0, READ, "shards") != 0
        || statements.update(INSERT, "shards", shards) == 0) {
      return false;
    }
    statements.update(INSERT, "epoch", epoch);
    statements.update(INSERT, "revision", 0);
    return true;
  }

  /** What is kept under a name; from now on this number if there is none. */
  long keep(String name, long fresh) throws SQLException {
    statements.update(INSERT, name, fresh);
    return statements.number(0, READ, name);
  }

  /** Of a database that one process owns it does not change while that runs. */
  long epoch() throws SQLException {
    if (epoch != null && !shared) {
      return epoch;
    }
    long read = statements.number(0, readEpoch);
    epoch = read;
    return read;
  }

  long revision() throws SQLException {
    return statements.number(0, READ, "revision");
  }

  int shards() throws SQLException {
    return Math.toIntExact(statements.number(0, READ, "shards"));
  }

  /** Writes what is there, to see whether something can be written. */
  int touch() throws SQLException {
    return statements.update(TOUCH);
  }

  long nextRevision() throws SQLException {
    return statements.number(0, NEXT_REVISION);
  }
}
