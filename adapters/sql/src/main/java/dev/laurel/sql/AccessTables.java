package dev.laurel.sql;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tenants and their keys. */
final class AccessTables {
  private static final String TENANTS =
      "SELECT id, tenant_id, name, created_at FROM tenants ORDER BY id";
  private static final String INSERT_TENANT =
      "INSERT INTO tenants (tenant_id, name, created_at) VALUES (?, ?, ?) RETURNING id";
  private static final String KEYS =
      "SELECT id, tenant, name, scopes, hint, hash, created_by, created_at, revoked_at"
          + " FROM api_keys ORDER BY id";
  private static final String INSERT_KEY =
      "INSERT INTO api_keys (tenant, name, scopes, hint, hash, created_by, created_at, revoked_at)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id";
  private static final String KEY_EXISTS = "SELECT 1 FROM api_keys WHERE id = ?";
  private static final String REVOKE =
      "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
  private static final String REINSTATE = "UPDATE api_keys SET revoked_at = NULL WHERE id = ?";

  private final Statements statements;
  private final MetaTable meta;

  AccessTables(Statements statements, MetaTable meta) {
    this.statements = statements;
    this.meta = meta;
  }

  List<Tenant> tenants() throws SQLException {
    return statements.list(
        row -> new Tenant(row.getLong(1), row.getString(2), row.getString(3), row.getLong(4)),
        TENANTS);
  }

  Tenant createTenant(String tenantId, String name, long createdAt) throws SQLException {
    meta.nextRevision();
    long id = statements.number(0, INSERT_TENANT, tenantId, name, createdAt);
    return new Tenant(id, tenantId, name, createdAt);
  }

  List<ApiKey> keys() throws SQLException {
    return statements.list(AccessTables::key, KEYS);
  }

  private static ApiKey key(ResultSet row) throws SQLException {
    long revokedAt = row.getLong(9);
    @Nullable Long revoked = row.wasNull() ? null : revokedAt;
    return new ApiKey(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        scopes(row.getString(4)),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getLong(8),
        revoked);
  }

  ApiKey createKey(ApiKey key) throws SQLException {
    meta.nextRevision();
    long id =
        statements.number(
            0,
            INSERT_KEY,
            key.tenant(),
            key.name(),
            key.scopes().stream().sorted().map(Enum::name).collect(Collectors.joining(",")),
            key.hint(),
            key.hash(),
            key.createdBy(),
            key.createdAt(),
            key.revokedAt());
    return new ApiKey(
        id,
        key.tenant(),
        key.name(),
        key.scopes(),
        key.hint(),
        key.hash(),
        key.createdBy(),
        key.createdAt(),
        key.revokedAt());
  }

  private static Set<ApiKey.Scope> scopes(String names) {
    EnumSet<ApiKey.Scope> scopes = EnumSet.noneOf(ApiKey.Scope.class);
    if (!names.isEmpty()) {
      for (String name : names.split(",")) {
        scopes.add(ApiKey.Scope.valueOf(name));
      }
    }
    return Collections.unmodifiableSet(scopes);
  }

  /** Whether it was this call that revoked it. */
  boolean revokeKey(long id, long at) throws SQLException {
    if (statements.number(0, KEY_EXISTS, id) == 0) {
      throw Rejection.of(ErrorCode.KEY_NOT_FOUND, "key: " + id + " (expected: a stored key)")
          .asException();
    }
    if (statements.update(REVOKE, at, id) == 0) {
      return false;
    }
    meta.nextRevision();
    return true;
  }

  int reinstateKey(long id) throws SQLException {
    meta.nextRevision();
    return statements.update(REINSTATE, id);
  }
}
