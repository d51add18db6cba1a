package dev.laurel.core.lifecycle;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.IdChunk;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Forgets ids that were used long ago, once a day, on one of the nodes; if that one ends or fails,
 * the next goes on at the board where it was. It does not forget those of events without a time of
 * their own, whose retries nobody could refuse by their age. First it is stored up to which time
 * events are forgotten: from then on boards refuse events with an id that are older (see {@link
 * BoardDirectory#forgotten}). Then the ids go, some at a time, under the lock of their board's
 * shard: so a commit that still knows the old time finds them all, and no event counts twice. For
 * one thread.
 */
public final class IdSweep implements CleanUp.Task {
  private static final long EVERY = Duration.ofDays(1).toMillis();

  /** An event's time may be a little ahead of when it was stored, and clocks differ. */
  private static final long SLACK = Duration.ofHours(1).toMillis();

  /** After so long without a word from it, another node goes on with the work of one. */
  private static final long LEASE_MILLIS = Duration.ofMinutes(10).toMillis();

  private static final int CHUNK = 2000;

  /** Until when nobody has to look again, whichever node did last. */
  private static final SourcePartition LEASE = SourcePartition.lease(Digest.of("sweep", "ids"), 0);

  /**
   * How often all boards were gone through, and the last one that is done this time: as one number,
   * because what is stored there only grows.
   */
  private static final SourcePartition DONE = SourcePartition.lease(Digest.of("sweep", "ids"), 1);

  private final Store store;
  private final BoardDirectory directory;
  private final InstantSource clock;
  private final long keptMillis;
  private long next;
  private long leased;

  /** What was stored of {@link #DONE}, and where this node is. */
  private Position at = new Position(0, 0);

  private record Position(long round, long board) {
    private static final int BITS = 40;

    static Position of(long stored) {
      return new Position(stored >>> BITS, stored & ((1L << BITS) - 1));
    }

    long stored() {
      return round << BITS | board;
    }
  }

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
    at = Position.of(store.read(tx -> tx.offsets(Set.of(DONE)).getOrDefault(DONE, 0L)));
    List<RuntimeException> failures = new ArrayList<>();
    if (sweepAll(times, stop, failures)) {
      next = tell(EVERY, new Position(at.round + 1, 0));
    } else {
      tell(LEASE_MILLIS, at);
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  /** False if it was stopped. */
  private boolean sweepAll(
      IdChunk.Times times, BooleanSupplier stop, List<RuntimeException> failures) {
    if (at.board == 0 && !sweep(0, 0, times, stop)) {
      return false;
    }
    List<Board> left =
        directory.all().stream()
            .filter(board -> board.id() > at.board)
            .sorted(Comparator.comparingLong(Board::id))
            .toList();
    for (Board board : left) {
      try {
        if (!sweep(board.id(), board.shard(), times, stop)) {
          return false;
        }
      } catch (StoreUnavailableException e) {
        throw e; // nobody's own: whoever is next goes on here
      } catch (RuntimeException e) {
        // Holds up itself alone, until tomorrow.
        failures.add(new IllegalStateException("ids of board " + board.id() + ": " + e, e));
      }
      at = new Position(at.round, board.id());
      if (clock.millis() - leased >= LEASE_MILLIS / 10) {
        tell(LEASE_MILLIS, at);
      }
    }
    return true;
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
              tx.moveOffsets(Map.of(LEASE, now + LEASE_MILLIS));
              return 0L;
            });
    leased = clock.millis();
    return next == 0;
  }

  /** How far it is, and for how long the others need not look. */
  private long tell(long millis, Position done) {
    leased = clock.millis();
    return store.write(
        tx -> {
          long due = tx.now() + millis;
          tx.moveOffsets(Map.of(LEASE, due, DONE, done.stored()));
          return due;
        });
  }

  /** False if it was stopped. */
  private boolean sweep(long board, int shard, IdChunk.Times times, BooleanSupplier stop) {
    IdChunk chunk = new IdChunk(board, null, null, 0);
    do {
      if (stop.getAsBoolean()) {
        return false;
      }
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
    } while (chunk.last() != null);
    return true;
  }
}
