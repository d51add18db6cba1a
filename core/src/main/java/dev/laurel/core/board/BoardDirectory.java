package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.ReadTransaction;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Every board, in memory, as the store had it at one revision. Readers never block; it moves
 * forward only by {@link #follow}. Thread-safe.
 */
public final class BoardDirectory {
  private final ConcurrentHashMap<Long, Board> byId = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, ConcurrentHashMap<String, Board>> byTenant =
      new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Board> byLeaderboardId = new ConcurrentHashMap<>();
  private volatile long revision;
  private volatile long forgotten = Long.MIN_VALUE;

  /**
   * Takes what changed since the revision it stands at; cheap when nothing did. Several may follow
   * at once, by transactions that see more or less: a board never goes back.
   */
  public void follow(ReadTransaction tx) {
    long stored = tx.revision();
    if (stored == revision) {
      return;
    }
    synchronized (this) {
      for (Board board : tx.boardsSince(revision)) {
        Board known = byId.get(board.id());
        if (known == null || known.revision() <= board.revision()) {
          byId.put(board.id(), board);
          byLeaderboardId.put(board.leaderboardId(), board);
          byTenant
              .computeIfAbsent(board.tenant(), t -> new ConcurrentHashMap<>())
              .put(board.uuid(), board);
        }
      }
      forgotten = Math.max(forgotten, tx.forgotten());
      // What was read before the boards were: a transaction may see later ones meanwhile.
      revision = Math.max(revision, stored);
    }
  }

  public @Nullable Board find(long tenant, String uuid) {
    ConcurrentHashMap<String, Board> boards = byTenant.get(tenant);
    return boards == null ? null : boards.get(uuid);
  }

  public @Nullable Board find(long id) {
    return byId.get(id);
  }

  /** By the internal id of the documents; of any tenant. */
  public @Nullable Board findInternal(String leaderboardId) {
    return byLeaderboardId.get(leaderboardId);
  }

  /** All boards of a tenant, in no particular order. */
  public Collection<Board> ofTenant(long tenant) {
    ConcurrentHashMap<String, Board> boards = byTenant.get(tenant);
    return boards == null ? List.of() : boards.values();
  }

  public Collection<Board> all() {
    return byId.values();
  }

  /**
   * Tells which seasons boards list now. Numbers grow: those above all that are known belong to
   * seasons that are made meanwhile.
   */
  public LongPredicate listed() {
    Set<Long> ids = new HashSet<>();
    long newest = 0;
    for (Board board : all()) {
      for (Season season : board.seasons()) {
        ids.add(season.id());
        newest = Math.max(newest, season.id());
      }
    }
    long last = newest;
    return id -> id > last || ids.contains(id);
  }

  /**
   * Ids of events up to this time may be forgotten. So an event with an id that is not newer and
   * not known may have counted; only of a board that was made later nothing is forgotten.
   */
  public long forgotten() {
    return forgotten;
  }

  public long revision() {
    return revision;
  }
}
