package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.ReadTransaction;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Every board of one epoch of the store, in memory, as the store had it at one revision. Whoever
 * holds it never meets a board of another history. Readers never block; it moves forward only by
 * {@link #follow}. Thread-safe.
 */
public final class KnownBoards {
  private final long epoch;
  private final ConcurrentHashMap<Long, Board> byId = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, ConcurrentHashMap<String, Board>> byTenant =
      new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Board> byLeaderboardId = new ConcurrentHashMap<>();
  private volatile long revision;
  private volatile long forgotten = Long.MIN_VALUE;

  KnownBoards(long epoch) {
    this.epoch = epoch;
  }

  /**
   * Takes what changed since the revision it stands at; cheap when nothing did. Several may follow
   * at once, by transactions that see more or less: a board never goes back.
   *
   * @throws NewEpochException if the transaction is in another epoch
   */
  void follow(ReadTransaction tx) {
    long stored = tx.revision();
    NewEpochException.unless(tx, epoch);
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

  /** By the internal id of the documents, which is the same in every history; of any tenant. */
  public @Nullable Board findInternal(String leaderboardId) {
    return byLeaderboardId.get(leaderboardId);
  }

  /** All boards of a tenant, in no particular order. */
  Collection<Board> ofTenant(long tenant) {
    ConcurrentHashMap<String, Board> boards = byTenant.get(tenant);
    return boards == null ? List.of() : boards.values();
  }

  Collection<Board> all() {
    return byId.values();
  }

  public long forgotten() {
    return forgotten;
  }

  public long revision() {
    return revision;
  }

  public long epoch() {
    return epoch;
  }
}
