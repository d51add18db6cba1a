package dev.laurel.core.rank;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How much memory ranks may take, and which seasons have to go when it is not enough. Thread-safe.
 *
 * <p>Room is made before a season is loaded, as two that do not fit beside each other would end the
 * process. A season that has to go although it is read stays away for a while: loaded at once it
 * would drive out another one, and the node would do nothing but load. Meanwhile the store answers
 * for it, and somebody is told that there is too little memory.
 */
public final class IndexMemory {
  /** Measured at 1M entries, without the user ids, which tenants share. */
  private static final long BYTES_PER_ENTRY = 48;

  /** What one takes while a season is built beside the index, with what building needs. */
  private static final long BYTES_PER_ENTRY_BESIDE = 96;

  /** What a permit of {@link #beside} stands for. */
  private static final int UNIT_BYTES = 1024;

  private static final long IN_USE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long TOO_LARGE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Ids are never unloaded; however many there are, ranks keep this part. Ids get the rest. */
  private static final int LEAST_SHARE = 4;

  private final long limit;
  private final Listener listener;
  private final int unitsBeside;

  /** Memory for seasons that are built whole; who comes first is served first. */
  private final Semaphore beside;

  private final AtomicLong unloads = new AtomicLong();
  private final AtomicLong crowdings = new AtomicLong();
  private final AtomicLong idRefusals = new AtomicLong();

  /** Hears that seasons that are in use do not fit; from any thread, and must return at once. */
  @FunctionalInterface
  public interface Listener {
    /**
     * @param needed bytes of the seasons in use, with the one that is wanted
     * @param limit how many there may be
     */
    void crowded(long needed, long limit);

    /**
     * User ids take nearly all that they may, or more: whoever is new is refused then.
     *
     * @param needed bytes of the ids, with those that are wanted
     * @param limit how many there may be
     */
    default void idsCrowded(long needed, long limit) {}
  }

  public IndexMemory(long limit, Listener listener) {
    this.limit = limit;
    this.listener = listener;
    this.unitsBeside = Math.clamp(limit / 2 / UNIT_BYTES, 1, Integer.MAX_VALUE);
    this.beside = new Semaphore(unitsBeside, true);
  }

  /** Memory that somebody has for a season beside the index, until it is closed. */
  public final class Beside implements AutoCloseable {
    private final int units;

    private Beside(int units) {
      this.units = units;
    }

    @Override
    public void close() {
      beside.release(units);
    }
  }

  /**
   * For who builds a whole season, to be loaded or to be asked and dropped: several at once would
   * end the process. A large one is built alone.
   *
   * @param patience how long to wait for those before; not at all if it is zero
   * @return null if it was not its turn in time
   */
  public @Nullable Beside tryBeside(long entries, Duration patience) {
    int units = Math.clamp(entries * BYTES_PER_ENTRY_BESIDE / UNIT_BYTES, 1, unitsBeside);
    try {
      return beside.tryAcquire(units, patience.toNanos(), TimeUnit.NANOSECONDS)
          ? new Beside(units)
          : null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /**
   * The same.
   *
   * @throws dev.laurel.core.model.RejectedException OVERLOADED if it was not its turn in time
   */
  public Beside beside(long entries, Duration patience) {
    Beside room = tryBeside(entries, patience);
    if (room == null) {
      throw Rejection.of(
              ErrorCode.OVERLOADED,
              "too many large seasons are read at once: try again in a moment")
          .asException();
    }
    return room;
  }

  public long limit() {
    return limit;
  }

  /** How many of the bytes user ids may take. */
  public long idLimit() {
    return limit - limit / LEAST_SHARE;
  }

  /** How often new users were refused, as there was no room for their ids. */
  public long idRefusals() {
    return idRefusals.get();
  }

  boolean hasRoomForIds(long bytes) {
    return bytes <= idLimit();
  }

  /**
   * Says so if ids take nearly all that they may.
   *
   * @param bytes of all ids in memory, with those that are wanted
   * @throws dev.laurel.core.model.RejectedException if that is too much
   */
  void requireRoomForIds(long bytes) {
    if (bytes > idLimit() / 8 * 7) {
      listener.idsCrowded(bytes, idLimit());
    }
    if (!hasRoomForIds(bytes)) {
      idRefusals.incrementAndGet();
      throw Rejection.of(
              ErrorCode.TOO_MANY_USERS,
              "user: one that is new (expected: one that is known; the server has no memory for"
                  + " more users, by index-megabytes)")
          .asException();
    }
  }

  /** How often a season was unloaded to make room. */
  public long unloads() {
    return unloads.get();
  }

  /** How often a season had to go that was in use, or could not be loaded at all. */
  public long crowdings() {
    return crowdings.get();
  }

  /** Whether a season may be loaded that is not. */
  static boolean mayLoad(LocalSeason season) {
    return season.awayUntil == 0 || System.nanoTime() - season.awayUntil >= 0;
  }

  /** Whether so many more entries are worth a look at the whole. */
  boolean isMuch(long entries) {
    return isMuchOfBytes(entries * BYTES_PER_ENTRY);
  }

  boolean isMuchOfBytes(long bytes) {
    return bytes > limit / 64;
  }

  /**
   * Unloads the seasons that were used least recently until all fit, with so many entries more.
   *
   * @param keep the one that is to be loaded, or was just used; null if ids have grown
   * @param ids bytes of the user ids in memory
   * @throws dev.laurel.core.model.RejectedException if the new one would not even fit alone
   */
  synchronized void makeRoom(
      Collection<LocalSeason> seasons, @Nullable LocalSeason keep, long entries, long ids) {
    long room = Math.max(limit / LEAST_SHARE, limit - ids);
    if (keep != null && entries * BYTES_PER_ENTRY > room) {
      keep.awayUntil = System.nanoTime() + TOO_LARGE_NANOS;
      crowded(entries * BYTES_PER_ENTRY);
      throw Rejection.of(
              ErrorCode.OVERLOADED,
              "season: %d entries (expected: at most %d, by index-megabytes)"
                  .formatted(entries, room / BYTES_PER_ENTRY))
          .asException();
    }
    long bytes = entries * BYTES_PER_ENTRY;
    List<LocalSeason> others = new ArrayList<>();
    for (LocalSeason season : seasons) {
      bytes += season.size() * BYTES_PER_ENTRY;
      if (season != keep && season.isLoaded()) {
        others.add(season);
      }
    }
    if (bytes <= room) {
      return;
    }
    long needed = bytes;
    boolean inUse = false;
    others.sort(Comparator.comparingLong(LocalSeason::lastUsed));
    for (LocalSeason season : others) {
      if (bytes <= room) {
        break;
      }
      bytes -= season.size() * BYTES_PER_ENTRY;
      if (season.wasUsedWithin(IN_USE_NANOS)) {
        inUse = true;
        season.awayUntil = System.nanoTime() + AWAY_NANOS;
      }
      season.unload();
      unloads.incrementAndGet();
    }
    if (keep != null && bytes > room) {
      // It has grown by what was written to it, and does not fit alone.
      keep.awayUntil = System.nanoTime() + TOO_LARGE_NANOS;
      keep.unload();
      unloads.incrementAndGet();
    }
    if (inUse || bytes > room) {
      crowded(needed);
    }
  }

  private void crowded(long needed) {
    crowdings.incrementAndGet();
    listener.crowded(needed, limit);
  }
}
