package dev.laurel.sql;

import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** The shards and their lines. */
final class LedgerTables {
  private static final String COLUMNS =
      "shard, line, board, user_number, kind, mode, value, event_at, windows, version, previous,"
          + " stamp, caller, event_id, metadata";
  private static final String LAST = "SELECT line FROM shards WHERE shard = ?";
  private static final String INSERT_SHARD = "INSERT INTO shards (shard, line) VALUES (?, 0)";
  private static final String MOVE_SHARD = "UPDATE shards SET line = ? WHERE shard = ?";
  private static final String INSERT =
      "INSERT INTO ledger (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String READ =
      "SELECT "
          + COLUMNS
          + " FROM ledger WHERE shard = ? AND line > ? AND line <= ? ORDER BY line LIMIT ?";
  private static final String CHANGED_USERS =
      "SELECT DISTINCT user_number FROM ledger"
          + " WHERE shard = ? AND line > ? AND line <= ? AND board = ? ORDER BY user_number";
  private static final String FIRST = "SELECT min(line) FROM ledger WHERE shard = ?";

  private final Statements statements;
  private final String lock;

  LedgerTables(Statements statements, Dialect dialect) {
    this.statements = statements;
    this.lock = LAST + dialect.rowLock();
  }

  void createShards(int count) throws SQLException {
    for (int shard = 0; shard < count; shard++) {
      statements.update(INSERT_SHARD, shard);
    }
  }

  long lock(int shard) throws SQLException {
    return last(lock, shard);
  }

  private long last(String query, int shard) throws SQLException {
    long line = statements.number(-1, query, shard);
    if (line < 0) {
      throw new StoreException("shard: " + shard + " (expected: a stored shard)");
    }
    return line;
  }

  int append(int shard, List<LedgerLine> lines) throws SQLException {
    if (lines.isEmpty()) {
      return 0;
    }
    long next = last(LAST, shard);
    PreparedStatement insert = statements.get(INSERT);
    for (LedgerLine line : lines) {
      if (line.shard() != shard || line.line() != ++next) {
        throw new StoreException(
            "line: %d of shard %d (expected: %d of shard %d)"
                .formatted(line.line(), line.shard(), next, shard));
      }
      insert.setInt(1, shard);
      insert.setLong(2, line.line());
      insert.setLong(3, line.board());
      insert.setInt(4, line.user());
      insert.setInt(5, Codes.of(line.kind()));
      insert.setInt(6, Codes.of(line.mode()));
      insert.setLong(7, line.value());
      insert.setLong(8, line.at());
      insert.setLong(9, line.windows());
      insert.setInt(10, line.version());
      insert.setLong(11, line.previous());
      insert.setLong(12, line.stamp());
      insert.setLong(13, line.caller());
      insert.setString(14, line.eventId());
      insert.setString(15, line.metadata());
      insert.addBatch();
    }
    insert.executeBatch();
    return statements.update(MOVE_SHARD, next, shard);
  }

  List<LedgerLine> lines(int shard, long after, long upTo, int limit) throws SQLException {
    return statements.list(LedgerTables::line, READ, shard, after, upTo, limit);
  }

  private static LedgerLine line(ResultSet row) throws SQLException {
    return new LedgerLine(
        row.getInt(1),
        row.getLong(2),
        row.getLong(3),
        row.getInt(4),
        Codes.kind(row.getInt(5)),
        Codes.mode(row.getInt(6)),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getInt(10),
        row.getLong(11),
        row.getLong(12),
        row.getLong(13),
        row.getString(14),
        row.getString(15));
  }

  int[] changedUsers(int shard, long board, long after, long upTo) throws SQLException {
    int[] users = new int[64];
    int count = 0;
    try (ResultSet rows = statements.get(CHANGED_USERS, shard, after, upTo, board).executeQuery()) {
      while (rows.next()) {
        if (count == users.length) {
          users = Arrays.copyOf(users, 2 * count);
        }
        users[count++] = rows.getInt(1);
      }
    }
    return Arrays.copyOf(users, count);
  }

  /** After the last one if all were pruned. */
  long firstLine(int shard) throws SQLException {
    // A minimum over no rows is null, which reads as 0; lines start at 1.
    long first = statements.number(0, FIRST, shard);
    return first > 0 ? first : last(LAST, shard) + 1;
  }
}
