package dev.laurel.sql;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Boards with their version in force and the seasons they list. What a caller gets back was read
 * from the tables, so it is what the next reader will see.
 */
final class BoardTables {
  private static final String READ =
      "SELECT b.id, b.tenant, b.leaderboard_id, b.uuid, b.shard, b.revision, b.created_by,"
          + " b.created_at FROM boards b";
  private static final String READ_ONE = READ + " WHERE b.id = ?";
  private static final String READ_SINCE =
      READ + " WHERE b.revision > ? AND b.revision <= ? ORDER BY b.revision, b.id";

  private static final String INSERT =
      "INSERT INTO boards"
          + " (tenant, leaderboard_id, uuid, shard, revision, version, created_by, created_at)"
          + " VALUES (?, ?, ?, 0, ?, ?, ?, ?) ON CONFLICT (tenant, uuid) DO NOTHING RETURNING id";
  private static final String SET_SHARD = "UPDATE boards SET shard = ? WHERE id = ?";
  private static final String TOUCH = "UPDATE boards SET revision = ? WHERE id = ?";
  private static final String VERSION = "SELECT version FROM boards WHERE id = ?";
  private static final String UPDATE = "UPDATE boards SET revision = ?, version = ? WHERE id = ?";

  private final Statements statements;
  private final MetaTable meta;
  private final VersionTables versions;
  private final SeasonTable seasons;

  BoardTables(Statements statements, MetaTable meta, VersionTables versions, SeasonTable seasons) {
    this.statements = statements;
    this.meta = meta;
    this.versions = versions;
    this.seasons = seasons;
  }

  /**
   * Also right where each statement sees what was committed by then: a change gets a revision above
   * {@code upTo}, and so a board that is still at or below it when it is read last was the same all
   * the time.
   */
  List<Board> since(long revision) throws SQLException {
    long upTo = meta.revision();
    long epoch = meta.epoch();
    Map<Long, List<Season>> listed = new HashMap<>();
    for (Season season : seasons.listedSince(revision)) {
      listed.computeIfAbsent(season.board(), id -> new ArrayList<>()).add(season);
    }
    Map<Long, BoardVersion> current = versions.currentSince(revision);
    return statements.list(
        row ->
            board(
                row,
                epoch,
                stored(current.get(row.getLong(1))),
                listed.getOrDefault(row.getLong(1), List.of())),
        READ_SINCE,
        revision,
        upTo);
  }

  private static BoardVersion stored(@Nullable BoardVersion version) {
    if (version == null) {
      throw new StoreException("a board without its version in force");
    }
    return version;
  }

  private Board read(long id) throws SQLException {
    List<Season> listed = seasons.listed(id);
    BoardVersion current = versions.currentOf(id);
    long epoch = meta.epoch();
    return statements.list(row -> board(row, epoch, current, listed), READ_ONE, id).getFirst();
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
    versions.put(id, board.current());
    for (Season season : board.seasons()) {
      seasons.insert(id, season);
    }
    return read(id);
  }

  Board update(Board board) throws SQLException {
    long revision = meta.nextRevision();
    long stored = statements.number(-1, VERSION, board.id());
    if (stored < 0) {
      throw unknown(board.id());
    }
    if (board.version() < stored) {
      throw new StoreException(
          "version: %d of board %d (expected: %d or higher)"
              .formatted(board.version(), board.id(), stored));
    }
    versions.put(board.id(), board.current());
    statements.update(UPDATE, revision, board.version(), board.id());
    for (Season season : board.seasons()) {
      seasons.update(board.id(), season);
    }
    return read(board.id());
  }

  Season createSeason(Season season) throws SQLException {
    touch(season.board());
    return seasons.insert(season.board(), season);
  }

  int updateSeason(Season season) throws SQLException {
    touch(season.board());
    seasons.update(season.board(), season);
    return 1;
  }

  int reviseSeason(Season season) throws SQLException {
    touch(season.board());
    return seasons.revise(season.id());
  }

  int deleteSeason(long id) throws SQLException {
    Season season = seasons.find(id);
    if (season != null) {
      touch(season.board());
    }
    return seasons.delete(id);
  }

  private void touch(long board) throws SQLException {
    if (statements.update(TOUCH, meta.nextRevision(), board) == 0) {
      throw unknown(board);
    }
  }

  private static StoreException unknown(long board) {
    return new StoreException("board: " + board + " (expected: a stored board)");
  }

  private static Board board(ResultSet row, long epoch, BoardVersion current, List<Season> seasons)
      throws SQLException {
    return new Board(
        epoch,
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        row.getString(4),
        row.getInt(5),
        row.getLong(6),
        row.getString(7),
        row.getLong(8),
        current,
        List.copyOf(seasons));
  }
}
