package dev.laurel.sql;

import java.sql.SQLException;

/** The few numbers there is one of. */
final class MetaTable {
  private static final String READ = "SELECT value FROM meta WHERE name = ?";
  private static final String INSERT = "INSERT INTO meta (name, value) VALUES (?, ?)";

  /** Also locks the row: changes of the configuration get their revisions in commit order. */
  private static final String NEXT_REVISION =
      "UPDATE meta SET value = value + 1 WHERE name = 'revision' RETURNING value";

  private final Statements statements;

  MetaTable(Statements statements) {
    this.statements = statements;
  }

  /** False if it is there already. */
  boolean create(long epoch, int shards) throws SQLException {
    if (statements.number(0, READ, "shards") != 0) {
      return false;
    }
    statements.update(INSERT, "epoch", epoch);
    statements.update(INSERT, "revision", 0);
    statements.update(INSERT, "shards", shards);
    return true;
  }

  long epoch() throws SQLException {
    return statements.number(0, READ, "epoch");
  }

  long revision() throws SQLException {
    return statements.number(0, READ, "revision");
  }

  int shards() throws SQLException {
    return Math.toIntExact(statements.number(0, READ, "shards"));
  }

  long nextRevision() throws SQLException {
    return statements.number(0, NEXT_REVISION);
  }
}
