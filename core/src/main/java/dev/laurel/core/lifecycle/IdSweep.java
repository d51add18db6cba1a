package dev.laurel.core.lifecycle;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.IdChunk;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Forgets ids that were used long ago, once a day, on one of the nodes. First it is stored up to
 * which time events are forgotten: from then on boards refuse events with an id that are older (see
 * {@link BoardDirectory#forgotten}). Then the ids go, some at a time, under the lock of their
 * board's shard: so a commit that still knows the old time finds them all, and no event counts
 * twice. For one thread.
 */
public final class IdSweep implements CleanUp.Task {
  private static final long EVERY = Duration.ofDays(1).toMillis();

  /** An event's time may be a little ahead of when it was stored, and clocks differ. */
  private static final long SLACK = Duration.ofHours(1).toMillis();

  private static final int CHUNK = 2000;

  /** Until when nobody has to look again, whichever node did last. */
  private static final SourcePartition LEASE = SourcePartition.lease(Digest.of("sweep", "ids"), 0);

  private final Store store;
  private final BoardDirectory directory;
  private final InstantSource clock;
  private final long keptMillis;
  private long next;

  /**
   * @param keptMillis how long an id is remembered at least; Long.MAX_VALUE for ever
   */
  public IdSweep(Store store, BoardDirectory directory, InstantSource clock, long keptMillis) {
    this.store = store;
    this.directory = directory;
    this.clock = clock;
    this.keptMillis = keptMillis;
  }

  @Override
  public void turn(BooleanSupplier stop) {
    if (clock.millis() < next || !claim()) {
      return;
    }
    long now = store.read(tx -> tx.now());
    long created = Long.MIN_VALUE;
    if (keptMillis <= now - SLACK) {
      long forgotten = now - keptMillis;
      store.write(
          tx -> {
            tx.forget(forgotten);
            return true;
          });
      created = forgotten - SLACK;
    }
    IdChunk.Times times = new IdChunk.Times(created, now - SLACK);
    sweep(0, 0, times, stop);
    StoreException failed = null;
    for (Board board : List.copyOf(directory.all())) {
      if (stop.getAsBoolean()) {
        return;
      }
      try {
        sweep(board.id(), board.shard(), times, stop);
      } catch (StoreException e) {
        // One board that fails holds up itself alone; what failed is told at the end.
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  /** Whether this node does it this time. */
  private boolean claim() {
    next =
        store.write(
            tx -> {
              tx.lockShard(0);
              long now = tx.now();
              long due = tx.offsets(Set.of(LEASE)).getOrDefault(LEASE, 0L);
              if (due > now && due <= now + EVERY) {
                return due;
              }
              tx.moveOffsets(Map.of(LEASE, now + EVERY));
              return 0L;
            });
    if (next != 0) {
      return false;
    }
    next = clock.millis() + EVERY;
    return true;
  }

  private void sweep(long board, int shard, IdChunk.Times times, BooleanSupplier stop) {
    IdChunk chunk = new IdChunk(board, null, null, 0);
    do {
      Digest after = chunk.last();
      chunk = store.read(tx -> tx.idChunk(board, after, times, CHUNK));
      if (chunk.old() > 0) {
        IdChunk old = chunk;
        store.write(
            tx -> {
              tx.lockShard(shard);
              tx.removeOldIds(old, times);
              return true;
            });
      }
    } while (chunk.last() != null && !stop.getAsBoolean());
  }
}
