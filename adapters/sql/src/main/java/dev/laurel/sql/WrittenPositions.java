package dev.laurel.sql;

import dev.laurel.core.store.LedgerHead;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** In rows that are written over. The one writer has every shard as soon as it writes. */
final class WrittenPositions extends Positions {
  private static final String CREATE = "INSERT INTO shards (shard, line) VALUES (?, 0)";
  private static final String LAST = "SELECT line FROM shards WHERE shard = ?";
  private static final String LAST_OF_ALL = "SELECT line FROM shards ORDER BY shard";
  private static final String HEAD =
      "SELECT shard, line, chained_from, head, mac FROM shards WHERE shard = ?";
  private static final String MOVE = "UPDATE shards SET line = ? WHERE shard = ?";
  private static final String MOVE_HEAD =
      "UPDATE shards SET line = ?, chained_from = ?, head = ?, mac = ? WHERE shard = ?";
  private static final String SEASON = "SELECT line FROM seasons WHERE id = ?";
  private static final String MOVE_SEASON = "UPDATE seasons SET line = ? WHERE id = ?";
  private static final String DELETE_SEASON = "DELETE FROM seasons WHERE id = ? AND line = 0";

  WrittenPositions(Statements statements) {
    super(statements);
  }

  @Override
  void createShard(int shard) throws SQLException {
    statements.update(CREATE, shard);
  }

  @Override
  long lock(int shard) throws SQLException {
    return last(shard);
  }

  @Override
  Map<Integer, Long> lock(Collection<Integer> shards, boolean wait) throws SQLException {
    Map<Integer, Long> lines = new LinkedHashMap<>();
    for (int shard : shards) {
      lines.put(shard, last(shard));
    }
    return lines;
  }

  @Override
  long last(int shard) throws SQLException {
    return first(shard, statements.list(row -> row.getLong(1), LAST, shard));
  }

  @Override
  long[] lastLines() throws SQLException {
    return statements.list(row -> row.getLong(1), LAST_OF_ALL).stream()
        .mapToLong(Long::longValue)
        .toArray();
  }

  @Override
  LedgerHead head(int shard) throws SQLException {
    return first(shard, statements.list(Positions::head, HEAD, shard));
  }

  @Override
  int move(int shard, long line) throws SQLException {
    return statements.update(MOVE, line, shard);
  }

  @Override
  int move(LedgerHead head) throws SQLException {
    return statements.update(
        MOVE_HEAD, head.line(), head.from(), head.digest(), head.mac(), head.shard());
  }

  @Override
  long ofSeason(long season) throws SQLException {
    return statements.number(0, SEASON, season);
  }

  @Override
  Map<Long, Long> ofSeasons(Collection<Long> seasons) throws SQLException {
    Map<Long, Long> lines = new HashMap<>();
    for (long season : seasons) {
      lines.put(season, ofSeason(season));
    }
    return lines;
  }

  @Override
  int moveSeasons(Map<Long, Long> lineBySeason) throws SQLException {
    PreparedStatement move = statements.get(MOVE_SEASON);
    for (Map.Entry<Long, Long> season : new TreeMap<>(lineBySeason).entrySet()) {
      move.setLong(1, season.getValue());
      move.setLong(2, season.getKey());
      move.addBatch();
    }
    return move.executeBatch().length;
  }

  @Override
  int deleteSeason(long season) throws SQLException {
    return statements.update(DELETE_SEASON, season);
  }
}
