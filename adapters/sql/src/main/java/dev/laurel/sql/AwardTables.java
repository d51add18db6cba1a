package dev.laurel.sql;

import dev.laurel.core.store.AwardSwitch;
import dev.laurel.core.store.StoredRules;
import java.sql.SQLException;
import java.util.List;

/** Points for actions, and what is switched off. */
final class AwardTables {
  private static final String RULES =
      "SELECT tenant, version, body, signature, created_by, created_at FROM award_rules r"
          + " WHERE version = (SELECT MAX(version) FROM award_rules WHERE tenant = r.tenant)"
          + " ORDER BY tenant";
  private static final String INSERT_RULES =
      "INSERT INTO award_rules (tenant, version, body, signature, created_by, created_at)"
          + " VALUES (?, ?, ?, ?, ?, ?)";
  private static final String SWITCHES =
      "SELECT tenant, action FROM award_switches ORDER BY tenant, action";
  private static final String OFF =
      "INSERT INTO award_switches (tenant, action) VALUES (?, ?)"
          + " ON CONFLICT (tenant, action) DO NOTHING";
  private static final String ON = "DELETE FROM award_switches WHERE tenant = ? AND action = ?";

  private final Statements statements;
  private final MetaTable meta;

  AwardTables(Statements statements, MetaTable meta) {
    this.statements = statements;
    this.meta = meta;
  }

  List<StoredRules> rules() throws SQLException {
    return statements.list(
        row ->
            new StoredRules(
                row.getLong(1),
                row.getLong(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getLong(6)),
        RULES);
  }

  int putRules(StoredRules rules) throws SQLException {
    meta.nextRevision();
    return statements.update(
        INSERT_RULES,
        rules.tenant(),
        rules.version(),
        rules.body(),
        rules.signature(),
        rules.createdBy(),
        rules.createdAt());
  }

  List<AwardSwitch> switches() throws SQLException {
    return statements.list(row -> new AwardSwitch(row.getLong(1), row.getString(2)), SWITCHES);
  }

  int change(AwardSwitch which, boolean off) throws SQLException {
    meta.nextRevision();
    return statements.update(off ? OFF : ON, which.tenant(), which.action());
  }
}
