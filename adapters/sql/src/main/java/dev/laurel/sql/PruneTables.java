package dev.laurel.sql;

import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.Correction;
import dev.laurel.core.store.LedgerMark;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** What whoever prunes a shard has to know of its lines. */
final class PruneTables {
  private static final String MARKS =
      "SELECT shard, line, at FROM ledger_marks WHERE shard = ? ORDER BY line";
  private static final String MARK =
      "INSERT INTO ledger_marks (shard, line, at) VALUES (?, ?, ?)"
          + " ON CONFLICT (shard, line) DO NOTHING";

  /** The last mark of a line that is gone says as much as those before it. */
  private static final String UNMARK = "DELETE FROM ledger_marks WHERE shard = ? AND line < ?";

  private static final String FOUND =
      "SELECT value, line, kind, windows FROM ledger"
          + " WHERE shard = ? AND line > ? AND line <= ? AND kind IN (?, ?) ORDER BY line";
  private static final String NOTED =
      "SELECT target, line, kind, windows FROM ledger_corrections"
          + " WHERE shard = ? AND target > ? AND target <= ?";
  private static final String NOTE =
      "INSERT INTO ledger_corrections (shard, target, line, kind, windows) VALUES (?, ?, ?, ?, ?)"
          + " ON CONFLICT (shard, target, line) DO NOTHING";
  private static final String UNNOTE =
      "DELETE FROM ledger_corrections WHERE shard = ? AND target <= ?";

  private final Statements statements;

  PruneTables(Statements statements) {
    this.statements = statements;
  }

  List<LedgerMark> marks(int shard) throws SQLException {
    return statements.list(
        row -> new LedgerMark(row.getInt(1), row.getLong(2), row.getLong(3)), MARKS, shard);
  }

  int put(LedgerMark mark) throws SQLException {
    return statements.update(MARK, mark.shard(), mark.line(), mark.at());
  }

  List<Correction> found(int shard, long after, long upTo) throws SQLException {
    return statements.list(
        PruneTables::correction,
        FOUND,
        shard,
        after,
        upTo,
        Codes.of(LedgerLine.Kind.REVERT),
        Codes.of(LedgerLine.Kind.RELEASE));
  }

  List<Correction> noted(int shard, long after, long upTo) throws SQLException {
    return statements.list(PruneTables::correction, NOTED, shard, after, upTo);
  }

  private static Correction correction(ResultSet row) throws SQLException {
    return new Correction(
        row.getLong(1), row.getLong(2), Codes.kind(row.getInt(3)), row.getLong(4));
  }

  int note(int shard, Collection<Correction> corrections) throws SQLException {
    for (Correction each : corrections) {
      statements.update(
          NOTE, shard, each.target(), each.line(), Codes.of(each.kind()), each.windows());
    }
    return corrections.size();
  }

  /** Lines up to this one are gone. */
  int pruned(int shard, long line) throws SQLException {
    return statements.update(UNMARK, shard, line) + statements.update(UNNOTE, shard, line);
  }
}
