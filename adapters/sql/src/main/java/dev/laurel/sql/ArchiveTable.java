package dev.laurel.sql;

import dev.laurel.core.store.ArchiveRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is kept of archives of seasons. */
final class ArchiveTable {
  private static final String READ =
      "SELECT a.season, a.archived_at, a.users, a.bytes, a.digest, a.revision FROM season_archives a";
  private static final String FIND = READ + " WHERE a.season = ?";
  private static final String OF_TENANT =
      READ
          + " JOIN seasons s ON s.id = a.season JOIN boards b ON b.id = s.board"
          + " WHERE b.tenant = ? AND a.season > ? ORDER BY a.season LIMIT ?";
  private static final String DELETE = "DELETE FROM season_archives WHERE season = ?";
  private static final String INSERT =
      "INSERT INTO season_archives (season, archived_at, users, bytes, digest, revision)"
          + " VALUES (?, ?, ?, ?, ?, ?)";

  private final Statements statements;

  ArchiveTable(Statements statements) {
    this.statements = statements;
  }

  @Nullable ArchiveRecord find(long season) throws SQLException {
    List<ArchiveRecord> found = statements.list(ArchiveTable::archive, FIND, season);
    return found.isEmpty() ? null : found.getFirst();
  }

  List<ArchiveRecord> ofTenant(long tenant, long after, int limit) throws SQLException {
    return statements.list(ArchiveTable::archive, OF_TENANT, tenant, after, limit);
  }

  int put(ArchiveRecord archive) throws SQLException {
    statements.update(DELETE, archive.season());
    return statements.update(
        INSERT,
        archive.season(),
        archive.archivedAt(),
        archive.users(),
        archive.bytes(),
        archive.digest(),
        archive.revision());
  }

  private static ArchiveRecord archive(ResultSet row) throws SQLException {
    return new ArchiveRecord(
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getLong(4),
        row.getString(5),
        row.getLong(6));
  }
}
