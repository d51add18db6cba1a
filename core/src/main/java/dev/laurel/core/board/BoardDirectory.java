package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Every board, in memory, as the store had it at one revision. Readers never block; it moves
 * forward only by {@link #follow}, and into another epoch by {@link #enter}. Thread-safe.
 */
public final class BoardDirectory implements RememberedStore.Part {
  private volatile KnownBoards known;

  /** Of no board; {@link #follow} reads them. */
  public BoardDirectory(RememberedStore store) {
    this.known = new KnownBoards(store.era().epoch());
    store.remember(this);
  }

  /** Those of the transaction's epoch, and of no other. See {@link KnownBoards#follow}. */
  public KnownBoards follow(ReadTransaction tx) {
    KnownBoards boards = known;
    boards.follow(tx);
    return boards;
  }

  /** Those of before are in use until the others are read: nobody meets a directory without any. */
  @Override
  public void enter(ReadTransaction tx) {
    KnownBoards next = new KnownBoards(tx.epoch());
    next.follow(tx);
    known = next;
  }

  /** Those of one epoch: whoever asks several questions asks them about one history. */
  public KnownBoards known() {
    return known;
  }

  public @Nullable Board find(long tenant, String uuid) {
    return known.find(tenant, uuid);
  }

  public @Nullable Board find(long id) {
    return known.find(id);
  }

  /** By the internal id of the documents; of any tenant. */
  public @Nullable Board findInternal(String leaderboardId) {
    return known.findInternal(leaderboardId);
  }

  /** All boards of a tenant, in no particular order. */
  public Collection<Board> ofTenant(long tenant) {
    return known.ofTenant(tenant);
  }

  public Collection<Board> all() {
    return known.all();
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
    return known.forgotten();
  }

  public long revision() {
    return known.revision();
  }
}
