package dev.laurel.sql;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Boards, each version of them, and their seasons. What a caller gets back was read from the
 * tables, so it is what the next reader will see.
 */
final class BoardTables {
  private static final String READ =
      "SELECT b.id, b.tenant, b.leaderboard_id, b.uuid, b.shard, b.revision, b.version, v.pod_id,"
          + " v.name, v.rank_order, v.ties, v.update_mode, v.decimals, v.min_score, v.max_score,"
          + " v.visibility, v.status, v.starts_at, v.ends_at, v.metadata, b.created_by,"
          + " b.created_at, v.updated_at"
          + " FROM boards b JOIN board_versions v ON v.board = b.id AND v.version = b.version";
  private static final String READ_ONE = READ + " WHERE b.id = ?";
  private static final String READ_SINCE = READ + " WHERE b.revision > ? ORDER BY b.revision, b.id";

  private static final String SEASONS =
      "SELECT s.id, s.board, s.window_number, s.label, s.starts_at, s.ends_at, s.grace, s.status"
          + " FROM seasons s";
  private static final String SEASONS_OF_ONE =
      SEASONS
          + " WHERE s.board = ? AND s.status <> 'ARCHIVED'"
          + " ORDER BY s.window_number, s.starts_at, s.id";
  private static final String SEASONS_SINCE =
      SEASONS
          + " JOIN boards b ON b.id = s.board"
          + " WHERE b.revision > ? AND s.status <> 'ARCHIVED'"
          + " ORDER BY s.window_number, s.starts_at, s.id";

  private static final String INSERT =
      "INSERT INTO boards"
          + " (tenant, leaderboard_id, uuid, shard, revision, version, created_by, created_at)"
          + " VALUES (?, ?, ?, 0, ?, ?, ?, ?) ON CONFLICT (tenant, uuid) DO NOTHING RETURNING id";
  private static final String SET_SHARD = "UPDATE boards SET shard = ? WHERE id = ?";
  private static final String TOUCH = "UPDATE boards SET revision = ? WHERE id = ?";
  private static final String VERSION = "SELECT version FROM boards WHERE id = ?";
  private static final String UPDATE = "UPDATE boards SET revision = ?, version = ? WHERE id = ?";
  private static final String PUT_VERSION =
      "INSERT INTO board_versions (board, version, pod_id, name, rank_order, ties, update_mode,"
          + " decimals, min_score, max_score, visibility, status, starts_at, ends_at, metadata,"
          + " updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
          + " ON CONFLICT (board, version) DO UPDATE SET pod_id = excluded.pod_id,"
          + " name = excluded.name, rank_order = excluded.rank_order, ties = excluded.ties,"
          + " update_mode = excluded.update_mode, decimals = excluded.decimals,"
          + " min_score = excluded.min_score, max_score = excluded.max_score,"
          + " visibility = excluded.visibility, status = excluded.status,"
          + " starts_at = excluded.starts_at, ends_at = excluded.ends_at,"
          + " metadata = excluded.metadata, updated_at = excluded.updated_at";

  private static final String INSERT_SEASON =
      "INSERT INTO seasons"
          + " (board, window_number, label, starts_at, ends_at, grace, status, line)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, 0) RETURNING id";
  private static final String UPDATE_SEASON =
      "UPDATE seasons SET window_number = ?, label = ?, starts_at = ?, ends_at = ?, grace = ?,"
          + " status = ? WHERE id = ? AND board = ?";
  private static final String POSITION = "SELECT line FROM seasons WHERE id = ?";
  private static final String MOVE = "UPDATE seasons SET line = ? WHERE id = ?";

  private final Statements statements;
  private final MetaTable meta;

  BoardTables(Statements statements, MetaTable meta) {
    this.statements = statements;
    this.meta = meta;
  }

  List<Board> since(long revision) throws SQLException {
    Map<Long, List<Season>> seasons = new HashMap<>();
    for (Season season : statements.list(BoardTables::season, SEASONS_SINCE, revision)) {
      seasons.computeIfAbsent(season.board(), id -> new ArrayList<>()).add(season);
    }
    return statements.list(
        row -> board(row, seasons.getOrDefault(row.getLong(1), List.of())), READ_SINCE, revision);
  }

  private Board read(long id) throws SQLException {
    List<Season> seasons = statements.list(BoardTables::season, SEASONS_OF_ONE, id);
    return statements.list(row -> board(row, seasons), READ_ONE, id).getFirst();
  }

  Board create(Board board) throws SQLException {
    // The revision first: its row is what orders concurrent changes of the configuration.
    long revision = meta.nextRevision();
    long id =
        statements.number(
            0,
            INSERT,
            board.tenant(),
            board.leaderboardId(),
            board.uuid(),
            revision,
            board.version(),
            board.createdBy(),
            board.createdAt());
    if (id == 0) {
      throw Rejection.of(
              ErrorCode.BOARD_EXISTS,
              "uuid: " + board.uuid() + " (expected: one that the tenant does not use yet)",
              Map.of("field", "uuid"))
          .asException();
    }
    statements.update(SET_SHARD, (int) (id % meta.shards()), id);
    putVersion(id, board);
    for (Season season : board.seasons()) {
      insertSeason(id, season);
    }
    return read(id);
  }

  Board update(Board board) throws SQLException {
    long revision = meta.nextRevision();
    long stored = statements.number(-1, VERSION, board.id());
    if (stored < 0) {
      throw new StoreException("board: " + board.id() + " (expected: a stored board)");
    }
    if (board.version() < stored) {
      throw new StoreException(
          "version: %d of board %d (expected: %d or higher)"
              .formatted(board.version(), board.id(), stored));
    }
    putVersion(board.id(), board);
    statements.update(UPDATE, revision, board.version(), board.id());
    for (Season season : board.seasons()) {
      updateSeason(board.id(), season);
    }
    return read(board.id());
  }

  private void putVersion(long id, Board board) throws SQLException {
    statements.update(
        PUT_VERSION,
        id,
        board.version(),
        board.podId(),
        board.name(),
        board.order().name(),
        board.ties().name(),
        board.update().name(),
        board.decimals(),
        board.bounds().min(),
        board.bounds().max(),
        board.visibility().name(),
        board.status().name(),
        board.start(),
        board.end(),
        board.metadata(),
        board.updatedAt());
  }

  Season createSeason(Season season) throws SQLException {
    if (statements.update(TOUCH, meta.nextRevision(), season.board()) == 0) {
      throw new StoreException("board: " + season.board() + " (expected: a stored board)");
    }
    return insertSeason(season.board(), season);
  }

  private Season insertSeason(long board, Season season) throws SQLException {
    long id =
        statements.number(
            0,
            INSERT_SEASON,
            board,
            season.window(),
            season.label(),
            season.start(),
            season.end(),
            season.grace(),
            season.status().name());
    return new Season(
        id,
        board,
        season.window(),
        season.label(),
        season.start(),
        season.end(),
        season.grace(),
        season.status());
  }

  private void updateSeason(long board, Season season) throws SQLException {
    int updated =
        statements.update(
            UPDATE_SEASON,
            season.window(),
            season.label(),
            season.start(),
            season.end(),
            season.grace(),
            season.status().name(),
            season.id(),
            board);
    if (updated == 0) {
      throw new StoreException(
          "season: " + season.id() + " (expected: a season of board " + board + ")");
    }
  }

  long position(long season) throws SQLException {
    return statements.number(0, POSITION, season);
  }

  int moveSeasons(Map<Long, Long> lineBySeason) throws SQLException {
    if (lineBySeason.isEmpty()) {
      return 0;
    }
    PreparedStatement move = statements.get(MOVE);
    for (Map.Entry<Long, Long> season : new TreeMap<>(lineBySeason).entrySet()) {
      move.setLong(1, season.getValue());
      move.setLong(2, season.getKey());
      move.addBatch();
    }
    return move.executeBatch().length;
  }

  private static Board board(ResultSet row, List<Season> seasons) throws SQLException {
    return new Board(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        row.getString(4),
        row.getInt(5),
        row.getLong(6),
        row.getInt(7),
        row.getString(8),
        row.getString(9),
        Order.valueOf(row.getString(10)),
        Ties.valueOf(row.getString(11)),
        Update.valueOf(row.getString(12)),
        row.getInt(13),
        new Bounds(row.getLong(14), row.getLong(15)),
        Visibility.valueOf(row.getString(16)),
        BoardStatus.valueOf(row.getString(17)),
        row.getLong(18),
        row.getLong(19),
        row.getString(20),
        row.getString(21),
        row.getLong(22),
        row.getLong(23),
        List.copyOf(seasons));
  }

  private static Season season(ResultSet row) throws SQLException {
    return new Season(
        row.getLong(1),
        row.getLong(2),
        row.getInt(3),
        row.getString(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        SeasonStatus.valueOf(row.getString(8)));
  }
}
