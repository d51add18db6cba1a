package dev.laurel.sql;

import dev.laurel.core.store.AllowedOrigin;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Whose pages may read tenants' answers. */
final class OriginTable {
  private static final String READ =
      "SELECT tenant, origin FROM allowed_origins ORDER BY tenant, origin";
  private static final String DELETE = "DELETE FROM allowed_origins WHERE tenant = ?";
  private static final String INSERT = "INSERT INTO allowed_origins (tenant, origin) VALUES (?, ?)";

  private final Statements statements;
  private final MetaTable meta;

  OriginTable(Statements statements, MetaTable meta) {
    this.statements = statements;
    this.meta = meta;
  }

  List<AllowedOrigin> all() throws SQLException {
    return statements.list(row -> new AllowedOrigin(row.getLong(1), row.getString(2)), READ);
  }

  int replace(long tenant, Collection<String> origins) throws SQLException {
    meta.nextRevision();
    statements.update(DELETE, tenant);
    for (String origin : origins) {
      statements.update(INSERT, tenant, origin);
    }
    return origins.size();
  }
}
