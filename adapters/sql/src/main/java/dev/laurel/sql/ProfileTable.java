package dev.laurel.sql;

import dev.laurel.core.store.Profile;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What users want to be called, and who is not to be shown. */
final class ProfileTable {
  private static final String COLUMNS =
      "tenant, user_number, display_name, hidden_from, alias, state, changed_by, changed_at";
  private static final String SINCE =
      "SELECT " + COLUMNS + " FROM user_profiles WHERE revision > ? ORDER BY revision";
  private static final String FIND =
      "SELECT " + COLUMNS + " FROM user_profiles WHERE tenant = ? AND user_number = ?";
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
    return statements.list(ProfileTable::profile, SINCE, revision);
  }

  @Nullable Profile find(long tenant, int user) throws SQLException {
    List<Profile> found = statements.list(ProfileTable::profile, FIND, tenant, user);
    return found.isEmpty() ? null : found.getFirst();
  }

  private static Profile profile(ResultSet row) throws SQLException {
    return new Profile(
        row.getLong(1),
        row.getInt(2),
        row.getString(3),
        row.getLong(4),
        row.getLong(5),
        Codes.state(row.getInt(6)),
        row.getLong(7),
        row.getLong(8));
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
