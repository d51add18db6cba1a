package dev.laurel.sql;

import dev.laurel.core.store.LedgerHead;
import dev.laurel.core.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where shards and seasons stand: what every commit changes. {@link WrittenPositions} are rows that
 * are written over; {@link AppendedPositions} are for a database that keeps what a row was before.
 */
abstract class Positions {
  final Statements statements;

  Positions(Statements statements) {
    this.statements = statements;
  }

  abstract void createShard(int shard) throws SQLException;

  /** Waits for the shard if somebody else has it; then its last line. */
  abstract long lock(int shard) throws SQLException;

  /**
   * Locks those of the shards that nobody else has, and returns their last lines.
   *
   * @param wait whether to wait a moment for the first if somebody has all of them
   */
  abstract Map<Integer, Long> lock(Collection<Integer> shards, boolean wait) throws SQLException;

  abstract long last(int shard) throws SQLException;

  abstract long[] lastLines() throws SQLException;

  abstract LedgerHead head(int shard) throws SQLException;

  /** Moves a shard whose ledger is not chained. */
  abstract int move(int shard, long line) throws SQLException;

  abstract int move(LedgerHead head) throws SQLException;

  /** 0 if no line has touched the season. */
  abstract long ofSeason(long season) throws SQLException;

  abstract Map<Long, Long> ofSeasons(Collection<Long> seasons) throws SQLException;

  abstract int moveSeasons(Map<Long, Long> lineBySeason) throws SQLException;

  /** Deletes a season that no line has touched. */
  abstract int deleteSeason(long season) throws SQLException;

  static <T> T first(int shard, List<T> found) {
    if (found.isEmpty()) {
      throw new StoreException("shard: " + shard + " (expected: a stored shard)");
    }
    return found.getFirst();
  }

  /** What somebody has removed is no reason to fail: it is no genuine head. */
  static LedgerHead head(ResultSet row) throws SQLException {
    return new LedgerHead(
        row.getInt(1), row.getLong(2), row.getLong(3), text(row, 4), text(row, 5));
  }

  private static String text(ResultSet row, int column) throws SQLException {
    @Nullable String text = row.getString(column);
    return text == null ? "" : text;
  }
}
