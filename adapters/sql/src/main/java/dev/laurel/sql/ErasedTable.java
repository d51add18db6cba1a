package dev.laurel.sql;

import dev.laurel.core.store.Digest;
import dev.laurel.core.store.ErasedUser;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Who was erased, by number. */
final class ErasedTable {
  private static final String READ =
      "SELECT e.tenant, e.user_number, u.id, e.former, e.revision FROM erased_users e"
          + " JOIN users u ON u.tenant = e.tenant AND u.number = e.user_number";
  private static final String SINCE = READ + " WHERE e.revision > ? ORDER BY e.revision";
  private static final String OF_TENANT =
      READ + " WHERE e.tenant = ? AND e.revision > ? ORDER BY e.revision";
  private static final String LAST = "SELECT max(revision) FROM erased_users WHERE tenant = ?";
  private static final String REMOVE =
      "DELETE FROM erased_users WHERE tenant = ? AND user_number = ?";
  private static final String INSERT =
      "INSERT INTO erased_users (tenant, user_number, former, revision) VALUES (?, ?, ?, ?)";

  private final Statements statements;
  private final MetaTable meta;
  private final UserTable users;

  ErasedTable(Statements statements, MetaTable meta, UserTable users) {
    this.statements = statements;
    this.meta = meta;
    this.users = users;
  }

  List<ErasedUser> since(long revision) throws SQLException {
    return statements.list(ErasedTable::erased, SINCE, revision);
  }

  List<ErasedUser> ofTenant(long tenant, long revision) throws SQLException {
    return statements.list(ErasedTable::erased, OF_TENANT, tenant, revision);
  }

  long last(long tenant) throws SQLException {
    // A maximum over no rows is null, which reads as 0.
    return statements.number(0, LAST, tenant);
  }

  int rename(long tenant, int user, String id) throws SQLException {
    // First of all: its row orders this with other changes of the configuration.
    long revision = meta.nextRevision();
    Digest former = ErasedUser.digest(tenant, users.id(tenant, user));
    statements.update(REMOVE, tenant, user);
    statements.update(INSERT, tenant, user, former.bytes(), revision);
    return users.rename(tenant, user, id);
  }

  private static ErasedUser erased(ResultSet row) throws SQLException {
    byte[] former = row.getBytes(4);
    return new ErasedUser(
        row.getLong(1),
        row.getInt(2),
        row.getString(3),
        former == null ? null : Digest.from(former),
        row.getLong(5));
  }
}
