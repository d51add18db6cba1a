package dev.laurel.sql;

import dev.laurel.core.store.Profile;
import java.sql.SQLException;
import java.util.List;

/** What users want to be called, and who is not to be shown. */
final class ProfileTable {
  private static final String COLUMNS =
      "tenant, user_number, display_name, hidden_from, alias, state, changed_by, changed_at";
  private static final String SINCE =
      "SELECT " + COLUMNS + " FROM user_profiles WHERE revision > ? ORDER BY revision";
  private static final String REMOVE =
      "DELETE FROM user_profiles WHERE tenant = ? AND user_number = ?";
  private static final String INSERT =
      "INSERT INTO user_profiles (" + COLUMNS + ", revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private final Statements statements;
  private final MetaTable meta;

  ProfileTable(Statements statements, MetaTable meta) {
    this.statements = statements;
    this.meta = meta;
  }

  List<Profile> since(long revision) throws SQLException {
    return statements.list(
        row ->
            new Profile(
                row.getLong(1),
                row.getInt(2),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                Codes.state(row.getInt(6)),
                row.getLong(7),
                row.getLong(8)),
        SINCE,
        revision);
  }

  int put(Profile profile) throws SQLException {
    long revision = meta.nextRevision();
    statements.update(REMOVE, profile.tenant(), profile.user());
    return statements.update(
        INSERT,
        profile.tenant(),
        profile.user(),
        profile.displayName(),
        profile.hiddenFrom(),
        profile.alias(),
        Codes.of(profile.state()),
        profile.changedBy(),
        profile.changedAt(),
        revision);
  }
}
