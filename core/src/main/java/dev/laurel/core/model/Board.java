package dev.laurel.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A leaderboard's configuration at one version, with its seasons as they were known then.
 *
 * @param id small and growing: the key in every table
 * @param tenant the tenant's number
 * @param leaderboardId the internal id of the documents, a UUID
 * @param uuid what the client calls the board, unique in the tenant
 * @param shard where its ledger is; all windows are in it
 * @param revision of the whole configuration, to follow changes by; grows with every change of a
 *     board or of one of its seasons
 * @param version of this board, grows with every edit
 * @param metadata a JSON object
 * @param seasons those that are not archived, by window and start
 */
public record Board(
    long id,
    long tenant,
    String leaderboardId,
    String uuid,
    int shard,
    long revision,
    int version,
    @Nullable String podId,
    String name,
    Order order,
    Ties ties,
    Update update,
    int decimals,
    Bounds bounds,
    Visibility visibility,
    BoardStatus status,
    long start,
    long end,
    String metadata,
    String createdBy,
    long createdAt,
    long updatedAt,
    List<Season> seasons) {

  /** {@code start} of a board that has always been open. */
  public static final long NO_START = Long.MIN_VALUE;

  /** {@code end} of a board that never ends. */
  public static final long NO_END = Long.MAX_VALUE;

  /** The grace period of a season whose board names none: PT5M. */
  public static final long DEFAULT_GRACE = 300_000;

  /** The season that answers when the caller names none: the newest started one of window 0. */
  public Season primary() {
    Season found = seasons.getFirst();
    for (Season season : seasons) {
      if (season.window() == 0 && season.status() != SeasonStatus.SCHEDULED) {
        found = season;
      }
    }
    return found;
  }
}
