package dev.laurel.sql;

import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoreUnavailableException;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The few numbers there is one of. */
final class MetaTable {
  private static final String READ = "SELECT value FROM meta WHERE name = ?";
  private static final String INSERT =
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";

  private static final String REPLACE = "UPDATE meta SET value = ? WHERE name = ?";

  private static final String FORGET =
      "INSERT INTO meta (name, value) VALUES ('forgotten', ?) ON CONFLICT (name)"
          + " DO UPDATE SET value = excluded.value WHERE excluded.value > meta.value";

  /** Also locks the row: changes of the configuration get their revisions in commit order. */
  private static final String NEXT_REVISION =
      "UPDATE meta SET value = value + 1 WHERE name = 'revision' RETURNING value";

  private static final String TOUCH = "UPDATE meta SET value = value WHERE name = 'shards'";

  private final Statements statements;
  private final String readState;

  /** As of the last look. */
  private @Nullable Long epoch;

  MetaTable(Statements statements, Dialect dialect) {
    this.statements = statements;
    this.readState = dialect.state();
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

  /**
   * Whether the ledger's chain is to begin, with this key.
   *
   * @param fingerprint 0 for none
   * @param anew whether it may take the place of another key
   */
  boolean useKey(long fingerprint, boolean anew) throws SQLException {
    long used = statements.number(0, READ, "ledger_key");
    if (used == fingerprint) {
      return false;
    }
    if (used == 0) {
      // Of several nodes that start at once one begins.
      return statements.update(INSERT, "ledger_key", fingerprint) == 1 || useKey(fingerprint, anew);
    }
    if (fingerprint == 0 || !anew) {
      throw new StoreException(
          "ledger-key: %s (expected: the key that the ledger is chained with)"
              .formatted(fingerprint == 0 ? "none" : "another one"));
    }
    statements.update(REPLACE, fingerprint, "ledger_key");
    return true;
  }

  /** What is kept under a name; from now on this number if there is none. */
  long keep(String name, long fresh) throws SQLException {
    statements.update(INSERT, name, fresh);
    return statements.number(0, READ, name);
  }

  long forgotten() throws SQLException {
    return statements.number(Long.MIN_VALUE, READ, "forgotten");
  }

  /** Only forward. */
  int forget(long upTo) throws SQLException {
    // The revision first: its row is what orders those who say so at once.
    nextRevision();
    return statements.update(FORGET, upTo);
  }

  /**
   * A connection leads to one start of one server, so what it was told holds nearly always; every
   * look at the revision tells it anew.
   */
  long epoch() throws SQLException {
    Long known = epoch;
    return known != null ? known : state().epoch;
  }

  long revision() throws SQLException {
    return state().revision;
  }

  /** What is behind the connection may be another server by now: it is asked again. */
  void doubt() {
    epoch = null;
  }

  private record State(long epoch, long revision) {}

  private State state() throws SQLException {
    List<State> read = statements.list(row -> new State(row.getLong(1), row.getLong(2)), readState);
    if (read.isEmpty()) {
      throw new StoreUnavailableException(
          "the database is a replica that takes no writes, or a newer version has migrated it so"
              + " that this one cannot work with it (expected: the primary, and a node of the"
              + " newer version)");
    }
    epoch = read.getFirst().epoch;
    return read.getFirst();
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
