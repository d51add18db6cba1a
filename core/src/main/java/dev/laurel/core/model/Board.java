package dev.laurel.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A leaderboard: what never changes of it, its configuration at one version, and the seasons that
 * are not settled, as they were known then.
 *
 * @param epoch in which it was read: its numbers mean nothing in another history of the store
 * @param id small and growing: the key in every table
 * @param tenant the tenant's number
 * @param leaderboardId the internal id of the documents, a UUID
 * @param uuid what the client calls the board, unique in the tenant
 * @param shard where its ledger is; all windows are in it
 * @param revision of the whole configuration, to follow changes by; grows with every change of a
 *     board or of one of its seasons
 * @param seasons those that something may still happen to, and the newest of each window; by window
 *     and start
 */
public record Board(
    long epoch,
    long id,
    long tenant,
    String leaderboardId,
    String uuid,
    int shard,
    long revision,
    String createdBy,
    long createdAt,
    BoardVersion current,
    List<Season> seasons) {

  /** {@code start} of a board that has always been open. */
  public static final long NO_START = Long.MIN_VALUE;

  /** {@code end} of a board that never ends. */
  public static final long NO_END = Long.MAX_VALUE;

  /** The grace period of a season whose board names none: PT5M. */
  public static final long DEFAULT_GRACE = 300_000;

  /** Of the start in {@link #idOf}. */
  public static final int ID_RADIX = 36;

  /**
   * What callers call a season: the board's internal id, the window's number and the start. So it
   * tells which board to look at, needs no index, and tells nothing of other tenants.
   */
  public String idOf(Season season) {
    return leaderboardId
        + "."
        + season.window()
        + "."
        + (season.start() == NO_START ? "0" : Long.toString(season.start(), ID_RADIX));
  }

  /** What answers when the caller names no season: the newest one of the first window. */
  public Season primary() {
    Season found = newest(windows().getFirst());
    if (found == null) {
      throw Rejection.of(
              ErrorCode.SEASON_NOT_FOUND,
              "board " + uuid + ": no season yet (expected: one that has begun)")
          .asException();
    }
    return found;
  }

  /** The window's newest season that has started, else the one that starts first; null if none. */
  public @Nullable Season newest(Window window) {
    Season found = null;
    for (Season season : seasons) {
      if (season.window() == window.number()
          && (found == null || season.status() != SeasonStatus.SCHEDULED)) {
        found = season;
      }
    }
    return found;
  }

  public @Nullable Window window(int number) {
    for (Window window : windows()) {
      if (window.number() == number) {
        return window;
      }
    }
    return null;
  }

  public @Nullable Window window(String name) {
    for (Window window : windows()) {
      if (window.name().equals(name)) {
        return window;
      }
    }
    return null;
  }

  public Board with(BoardVersion next) {
    return new Board(
        epoch,
        id,
        tenant,
        leaderboardId,
        uuid,
        shard,
        revision,
        createdBy,
        createdAt,
        next,
        seasons);
  }

  public Board with(List<Season> others) {
    return new Board(
        epoch,
        id,
        tenant,
        leaderboardId,
        uuid,
        shard,
        revision,
        createdBy,
        createdAt,
        current,
        others);
  }

  // --- what the version in force says

  public int version() {
    return current.number();
  }

  public BoardStatus status() {
    return current.status();
  }

  public String name() {
    return current.name();
  }

  public @Nullable String podId() {
    return current.podId();
  }

  public Order order() {
    return current.rules().order();
  }

  public Ties ties() {
    return current.rules().ties();
  }

  public Update update() {
    return current.rules().update();
  }

  public int decimals() {
    return current.rules().decimals();
  }

  public Bounds bounds() {
    return current.rules().bounds();
  }

  public Visibility visibility() {
    return current.visibility();
  }

  public long start() {
    return current.start();
  }

  public long end() {
    return current.end();
  }

  public String metadata() {
    return current.metadata();
  }

  public List<Window> windows() {
    return current.windows();
  }

  public @Nullable Scoring scoring() {
    return current.scoring();
  }

  public long updatedAt() {
    return current.updatedAt();
  }
}
