package dev.laurel.sql;

import dev.laurel.core.model.FormerBounds;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cycles of boards' windows. */
final class SeasonTable {
  private static final String READ =
      "SELECT s.id, s.board, s.window_number, s.label, s.starts_at, s.ends_at, s.grace,"
          + " s.capacity, s.status, s.settled FROM seasons s";
  private static final String BY_WINDOW = " ORDER BY s.window_number, s.starts_at, s.id";
  private static final String OF_BOARD = READ + " WHERE s.board = ? AND s.listed = 1" + BY_WINDOW;
  private static final String SINCE =
      READ + " JOIN boards b ON b.id = s.board WHERE b.revision > ? AND s.listed = 1" + BY_WINDOW;
  private static final String ONE = READ + " WHERE s.id = ?";
  private static final String AT =
      READ
          + " WHERE s.board = ? AND s.window_number = ? AND s.starts_at <= ? AND s.ends_at > ?"
          + " ORDER BY s.starts_at DESC LIMIT 1";
  private static final String BEFORE =
      READ
          + " WHERE s.board = ? AND s.window_number = ? AND s.starts_at < ?"
          + " ORDER BY s.starts_at DESC LIMIT ?";
  private static final String IN =
      READ
          + " WHERE s.status = ? AND s.since <= ? AND s.listed <= ?"
          + " ORDER BY s.since, s.id LIMIT ?";
  private static final String INSERT =
      "INSERT INTO seasons"
          + " (board, window_number, label, starts_at, ends_at, grace, capacity, status, settled)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
          + " ON CONFLICT (board, window_number, starts_at) DO NOTHING RETURNING id";
  private static final String UPDATE =
      "UPDATE seasons SET window_number = ?, label = ?, starts_at = ?, ends_at = ?, grace = ?,"
          + " capacity = ?, settled = ?, since = CASE WHEN status = ? THEN since ELSE ? END, status = ?"
          + " WHERE id = ? AND board = ?";

  /** What is final, unless it is the newest that its window has started. */
  private static final String UNLIST =
      "UPDATE seasons SET listed = 0 WHERE board = ? AND listed = 1 AND window_number = ?"
          + " AND status IN ('FINAL', 'ARCHIVING', 'ARCHIVED', 'PURGING', 'PURGED', 'RESTORING')"
          + " AND starts_at <"
          + " (SELECT max(n.starts_at) FROM seasons n"
          + " WHERE n.board = ? AND n.window_number = ? AND n.status <> 'SCHEDULED')";

  /** What is frozen may have some ranks; what is more has all. Listed, so that it is looked at. */
  private static final String REVISE =
      "UPDATE seasons SET outdated = 1, draft = draft + 1, listed = 1,"
          + " revision = revision + CASE WHEN status = 'FROZEN' THEN 0 ELSE 1 END,"
          + " since = CASE WHEN status = 'FROZEN' THEN since ELSE ? END, status = 'FROZEN'"
          + " WHERE id = ?";

  /** It takes events again: what ranks it has are not final, and nobody goes on with them. */
  private static final String REOPEN =
      "UPDATE seasons SET outdated = 1, draft = draft + 1,"
          + " revision = revision + CASE WHEN status = 'FINAL' THEN 1 ELSE 0 END WHERE id = ?";

  private static final String LABELLED =
      "SELECT count(*) FROM seasons WHERE board = ? AND label = ?";
  private static final String FORMER =
      "SELECT season, window_number, until_line, starts_at, ends_at, grace FROM season_bounds"
          + " WHERE board = ? ORDER BY window_number, season, until_line";

  /** What was in force first for these lines; between two moves without a line nothing was. */
  private static final String KEEP_BOUNDS =
      "INSERT INTO season_bounds"
          + " (board, window_number, season, until_line, starts_at, ends_at, grace)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

  private final Statements statements;
  private final Dialect dialect;
  private final Positions positions;

  SeasonTable(Statements statements, Dialect dialect, Positions positions) {
    this.statements = statements;
    this.dialect = dialect;
    this.positions = positions;
  }

  List<Season> listed(long board) throws SQLException {
    return statements.list(SeasonTable::season, OF_BOARD, board);
  }

  List<Season> listedSince(long revision) throws SQLException {
    return statements.list(SeasonTable::season, SINCE, revision);
  }

  @Nullable Season find(long id) throws SQLException {
    return first(statements.list(SeasonTable::season, ONE, id));
  }

  @Nullable Season at(long board, int window, long time) throws SQLException {
    return first(statements.list(SeasonTable::season, AT, board, window, time, time));
  }

  List<Season> before(long board, int window, long before, int limit) throws SQLException {
    return statements.list(SeasonTable::season, BEFORE, board, window, before, limit);
  }

  List<Season> in(SeasonStatus status, long since, boolean listed, int limit) throws SQLException {
    return statements.list(SeasonTable::season, IN, status.name(), since, listed ? 1 : 0, limit);
  }

  private static @Nullable Season first(List<Season> found) {
    return found.isEmpty() ? null : found.getFirst();
  }

  Season insert(long board, Season season) throws SQLException {
    long id =
        statements.number(
            0,
            INSERT,
            board,
            season.window(),
            season.label(),
            season.start(),
            season.end(),
            season.grace(),
            season.capacity(),
            season.status().name(),
            season.settled() ? 1 : 0);
    if (id == 0) {
      throw new StoreException(
          "season: %s of board %d (expected: a window's only one that starts at its time)"
              .formatted(season.label(), board));
    }
    unlist(board, season.window());
    return new Season(
        id,
        board,
        season.window(),
        season.label(),
        season.start(),
        season.end(),
        season.grace(),
        season.capacity(),
        season.status(),
        season.settled());
  }

  void update(long board, Season season) throws SQLException {
    int updated =
        statements.update(
            UPDATE,
            season.window(),
            season.label(),
            season.start(),
            season.end(),
            season.grace(),
            season.capacity(),
            season.settled() ? 1 : 0,
            season.status().name(),
            dialect.moment(statements).earliest(),
            season.status().name(),
            season.id(),
            board);
    if (updated == 0) {
      throw new StoreException(
          "season: " + season.id() + " (expected: a season of board " + board + ")");
    }
    unlist(board, season.window());
  }

  int revise(long season) throws SQLException {
    return statements.update(REVISE, dialect.moment(statements).earliest(), season);
  }

  int reopen(long season) throws SQLException {
    return statements.update(REOPEN, season);
  }

  boolean isLabelUsed(long board, String label) throws SQLException {
    return statements.number(0, LABELLED, board, label) > 0;
  }

  private void unlist(long board, int window) throws SQLException {
    statements.update(UNLIST, board, window, board, window);
  }

  int delete(long id) throws SQLException {
    int deleted = positions.deleteSeason(id);
    if (deleted == 0) {
      throw new StoreException("season: " + id + " (expected: one that no line has touched)");
    }
    return deleted;
  }

  List<FormerBounds> formerBounds(long board) throws SQLException {
    return statements.list(
        row ->
            new FormerBounds(
                row.getLong(1),
                row.getInt(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6)),
        FORMER,
        board);
  }

  int keepBounds(long board, FormerBounds bounds) throws SQLException {
    return statements.update(
        KEEP_BOUNDS,
        board,
        bounds.window(),
        bounds.season(),
        bounds.untilLine(),
        bounds.start(),
        bounds.end(),
        bounds.grace());
  }

  long position(long season) throws SQLException {
    return positions.ofSeason(season);
  }

  Map<Long, Long> positions(Collection<Long> ids) throws SQLException {
    return positions.ofSeasons(ids);
  }

  int move(Map<Long, Long> lineBySeason) throws SQLException {
    return lineBySeason.isEmpty() ? 0 : positions.moveSeasons(lineBySeason);
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
        row.getInt(8),
        SeasonStatus.valueOf(row.getString(9)),
        row.getInt(10) == 1);
  }
}
