package dev.laurel.sql;

import dev.laurel.core.store.Issuer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Whose tokens tenants accept. */
final class IssuerTable {
  private static final String READ =
      "SELECT id, tenant, issuer, audience, jwks_url, jwks, algorithms, user_prefix,"
          + " created_at FROM issuers ORDER BY id";
  private static final String INSERT =
      "INSERT INTO issuers (tenant, issuer, audience, jwks_url, jwks, algorithms, user_prefix,"
          + " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id";
  private static final String DELETE = "DELETE FROM issuers WHERE id = ?";

  private final Statements statements;
  private final MetaTable meta;

  IssuerTable(Statements statements, MetaTable meta) {
    this.statements = statements;
    this.meta = meta;
  }

  List<Issuer> all() throws SQLException {
    return statements.list(IssuerTable::issuer, READ);
  }

  private static Issuer issuer(ResultSet row) throws SQLException {
    return new Issuer(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        Arrays.stream(row.getString(7).split(","))
            .map(Issuer.Algorithm::valueOf)
            .collect(Collectors.toUnmodifiableSet()),
        row.getString(8),
        row.getLong(9));
  }

  Issuer create(Issuer issuer) throws SQLException {
    meta.nextRevision();
    long id =
        statements.number(
            0,
            INSERT,
            issuer.tenant(),
            issuer.issuer(),
            issuer.audience(),
            issuer.jwksUrl(),
            issuer.keys(),
            issuer.algorithms().stream().sorted().map(Enum::name).collect(Collectors.joining(",")),
            issuer.userPrefix(),
            issuer.createdAt());
    return new Issuer(
        id,
        issuer.tenant(),
        issuer.issuer(),
        issuer.audience(),
        issuer.jwksUrl(),
        issuer.keys(),
        issuer.algorithms(),
        issuer.userPrefix(),
        issuer.createdAt());
  }

  int delete(long id) throws SQLException {
    meta.nextRevision();
    return statements.update(DELETE, id);
  }
}
