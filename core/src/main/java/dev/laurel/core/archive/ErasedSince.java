package dev.laurel.core.archive;

import dev.laurel.core.store.Digest;
import dev.laurel.core.store.ErasedUser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An archive as it is to be read after erasures: what was written stays as it is, and rows of users
 * who were erased since have the id of today and nothing personal. So neither a look at the archive
 * nor a restore brings anybody back, and a new user with an old id has no place in it. Thread-safe;
 * blocking.
 */
final class ErasedSince implements ArchivedSeason {
  private final ArchivedSeason season;
  private final long tenant;
  private final Map<Digest, String> idByFormer = new HashMap<>();

  private ErasedSince(ArchivedSeason season, long tenant, List<ErasedUser> erased) {
    this.season = season;
    this.tenant = tenant;
    for (ErasedUser user : erased) {
      Digest former = user.former();
      if (former != null) {
        // The first one: who had the id after that was nobody's in a season that was over.
        idByFormer.putIfAbsent(former, user.id());
      }
    }
  }

  /**
   * @param erased in the order of their erasure, after the archive's first row was read
   */
  static ArchivedSeason in(ArchivedSeason season, long tenant, List<ErasedUser> erased) {
    return erased.isEmpty() ? season : new ErasedSince(season, tenant, erased);
  }

  @Override
  public long line() {
    return season.line();
  }

  @Override
  public long users() {
    return season.users();
  }

  @Override
  public List<ArchivedRow> rows(long from, int limit) {
    return season.rows(from, limit).stream().map(this::today).toList();
  }

  private ArchivedRow today(ArchivedRow row) {
    String id = idByFormer.get(ErasedUser.digest(tenant, row.userId()));
    return id == null ? row : new ArchivedRow(id, row.rank(), row.entry().withoutMetadata());
  }

  @Override
  public long position(String userId) {
    return idByFormer.containsKey(ErasedUser.digest(tenant, userId)) ? -1 : season.position(userId);
  }
}
