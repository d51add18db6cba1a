package dev.laurel.sql;

import dev.laurel.core.store.LedgerHead;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * For PostgreSQL: a row that every commit updates has a dead version for each, which cannot be
 * removed while somebody holds a snapshot, and the next commit has to pass all of them. So a move
 * adds a row, and deletes the one before by its place. The newest is the last of its key in the
 * index: to find it costs the same whatever was deleted before it.
 *
 * <p>What is locked is never written: the rows of {@code shard_locks}.
 */
final class AppendedPositions extends Positions {
  private static final String CREATE =
      "WITH made AS (INSERT INTO shard_locks (shard) VALUES (?))"
          + " INSERT INTO shards (shard, line) VALUES (?, 0)";
  private static final String LOCK =
      "SELECT shard FROM shard_locks WHERE shard = ? FOR NO KEY UPDATE";

  /** Does not hold up those who only refer to the row, as boards do to their shard. */
  static final String LOCK_FREE =
      "SELECT shard FROM shard_locks WHERE shard = ANY (string_to_array(?, ',')::integer[])"
          + " ORDER BY shard FOR NO KEY UPDATE SKIP LOCKED";

  private static final String NOT_IN_TIME = "55P03";

  private static final String LAST =
      "SELECT line FROM shards WHERE shard = ? ORDER BY line DESC LIMIT 1";
  private static final String LAST_OF_ALL =
      "SELECT (SELECT s.line FROM shards s WHERE s.shard = l.shard ORDER BY s.line DESC LIMIT 1)"
          + " FROM shard_locks l ORDER BY l.shard";
  private static final String LAST_OF_SOME =
      "SELECT w.shard,"
          + " (SELECT s.line FROM shards s WHERE s.shard = w.shard ORDER BY s.line DESC LIMIT 1)"
          + " FROM unnest(string_to_array(?, ',')::integer[]) AS w (shard)";
  private static final String HEAD =
      "SELECT shard, line, chained_from, head, mac FROM shards"
          + " WHERE shard = ? ORDER BY line DESC LIMIT 1";
  static final String MOVE =
      "WITH gone AS (DELETE FROM shards WHERE line <> ? AND ctid ="
          + " (SELECT s.ctid FROM shards s WHERE s.shard = ? ORDER BY s.line DESC LIMIT 1))"
          + " INSERT INTO shards (shard, line, chained_from, head, mac) VALUES (?, ?, ?, ?, ?)"
          + " ON CONFLICT (shard, line) DO UPDATE SET chained_from = excluded.chained_from,"
          + " head = excluded.head, mac = excluded.mac";
  private static final String SEASON =
      "SELECT line FROM season_lines WHERE season = ? ORDER BY line DESC LIMIT 1";
  private static final String SEASONS =
      "SELECT w.season, (SELECT s.line FROM season_lines s WHERE s.season = w.season"
          + " ORDER BY s.line DESC LIMIT 1)"
          + " FROM unnest(string_to_array(?, ',')::bigint[]) AS w (season)";
  static final String MOVE_SEASONS =
      "WITH moved AS MATERIALIZED (SELECT * FROM unnest(string_to_array(?, ',')::bigint[],"
          + " string_to_array(?, ',')::bigint[]) AS m (season, line)),"
          + " gone AS (DELETE FROM season_lines WHERE ctid = ANY (ARRAY("
          + "SELECT (SELECT o.ctid FROM (SELECT s.ctid, s.line FROM season_lines s"
          + " WHERE s.season = m.season ORDER BY s.line DESC LIMIT 1) o WHERE o.line <> m.line)"
          + " FROM moved m)))"
          + " INSERT INTO season_lines (season, line) SELECT season, line FROM moved"
          + " ON CONFLICT DO NOTHING";
  private static final String DELETE_SEASON =
      "DELETE FROM seasons WHERE id = ?"
          + " AND NOT EXISTS (SELECT 1 FROM season_lines l WHERE l.season = seasons.id)";

  AppendedPositions(Statements statements) {
    super(statements);
  }

  @Override
  void createShard(int shard) throws SQLException {
    statements.update(CREATE, shard, shard);
  }

  /** The line is read after the lock: a statement sees what was committed before it began. */
  @Override
  long lock(int shard) throws SQLException {
    first(shard, statements.list(row -> row.getInt(1), LOCK, shard));
    return last(shard);
  }

  @Override
  Map<Integer, Long> lock(Collection<Integer> shards, boolean wait) throws SQLException {
    Set<Integer> locked = new LinkedHashSet<>(lockFree(shards));
    // Only who has nothing waits, so nobody waits for each other.
    if (locked.isEmpty() && wait && lockSoon(shards.iterator().next())) {
      locked.addAll(lockFree(shards));
    }
    Map<Integer, Long> lines = new TreeMap<>();
    if (!locked.isEmpty()) {
      try (ResultSet rows = statements.get(LAST_OF_SOME, list(locked)).executeQuery()) {
        while (rows.next()) {
          lines.put(rows.getInt(1), rows.getLong(2));
        }
      }
    }
    return lines;
  }

  /** In the queue of all who want it, but not for long: other shards are free meanwhile. */
  private boolean lockSoon(int shard) throws SQLException {
    statements.script("SAVEPOINT waiting");
    try {
      statements.script("SET LOCAL lock_timeout = '100ms'");
      first(shard, statements.list(row -> row.getInt(1), LOCK, shard));
      statements.script("SET LOCAL lock_timeout = '5s'");
      return true;
    } catch (SQLException e) {
      if (!NOT_IN_TIME.equals(e.getSQLState())) {
        throw e;
      }
      statements.script("ROLLBACK TO SAVEPOINT waiting"); // and the setting
      return false;
    }
  }

  private List<Integer> lockFree(Collection<Integer> shards) throws SQLException {
    return new ArrayList<>(statements.list(row -> row.getInt(1), LOCK_FREE, list(shards)));
  }

  private static String list(Collection<?> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
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
    return statements.update(MOVE, line, shard, shard, line, 0, null, null);
  }

  @Override
  int move(LedgerHead head) throws SQLException {
    return statements.update(
        MOVE,
        head.line(),
        head.shard(),
        head.shard(),
        head.line(),
        head.from(),
        head.digest(),
        head.mac());
  }

  @Override
  long ofSeason(long season) throws SQLException {
    return statements.number(0, SEASON, season);
  }

  @Override
  Map<Long, Long> ofSeasons(Collection<Long> seasons) throws SQLException {
    Map<Long, Long> lines = new HashMap<>();
    try (ResultSet rows = statements.get(SEASONS, list(seasons)).executeQuery()) {
      while (rows.next()) {
        lines.put(rows.getLong(1), rows.getLong(2)); // null reads as 0
      }
    }
    return lines;
  }

  @Override
  int moveSeasons(Map<Long, Long> lineBySeason) throws SQLException {
    Map<Long, Long> sorted = new TreeMap<>(lineBySeason);
    return statements.update(MOVE_SEASONS, list(sorted.keySet()), list(sorted.values()));
  }

  @Override
  int deleteSeason(long season) throws SQLException {
    return statements.update(DELETE_SEASON, season);
  }
}
