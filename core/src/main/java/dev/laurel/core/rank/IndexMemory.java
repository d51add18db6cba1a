package dev.laurel.core.rank;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

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

  /** Of an id of at most 15 bytes, with its place in the table of hashes. */
  private static final long BYTES_PER_USER = 24;

  private static final long IN_USE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long TOO_LARGE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Ids are never unloaded; however many there are, ranks keep this part. */
  private static final int LEAST_SHARE = 4;

  private final long limit;
  private final Listener listener;
  private final AtomicLong unloads = new AtomicLong();
  private final AtomicLong crowdings = new AtomicLong();

  /** Hears that seasons that are in use do not fit; from any thread, and must return at once. */
  @FunctionalInterface
  public interface Listener {
    /**
     * @param needed bytes of the seasons in use, with the one that is wanted
     * @param limit how many there may be
     */
    void crowded(long needed, long limit);
  }

  public IndexMemory(long limit, Listener listener) {
    this.limit = limit;
    this.listener = listener;
  }

  public long limit() {
    return limit;
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
    return entries * BYTES_PER_ENTRY > limit / 64;
  }

  /**
   * Unloads the seasons that were used least recently until all fit, with so many entries more.
   *
   * @param keep the one that is to be loaded, or was just used
   * @param users whose ids are in memory
   * @throws dev.laurel.core.model.RejectedException if the new one would not even fit alone
   */
  synchronized void makeRoom(
      Collection<LocalSeason> seasons, LocalSeason keep, long entries, long users) {
    long room = Math.max(limit / LEAST_SHARE, limit - users * BYTES_PER_USER);
    if (entries * BYTES_PER_ENTRY > room) {
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
    if (bytes > room) {
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
