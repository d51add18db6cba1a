package dev.laurel.core.rank;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One season's place in the local index: its snapshot, and whether readers may use it. Readers take
 * one volatile read; the few who move it hold the monitor for a comparison and an assignment.
 *
 * <p>The line only grows (within an epoch), and a state that somebody else overtook is never
 * published: that is what makes a direct hand-over, a catch-up and a repair safe beside each other.
 */
final class LocalSeason {
  /** Held while the season is read from the store, so that two readers do not load it twice. */
  final Object catchUpLock = new Object();

  private final AtomicBoolean catchUpRequested = new AtomicBoolean();

  /** What readers see; null while behind or not loaded. */
  private volatile @Nullable RankSnapshot live;

  /** What a catch-up starts from: also kept while behind. */
  private @Nullable RankSnapshot base;

  private long epoch;

  /** The furthest line that a commit announced; never read a state before it. */
  private long announced;

  /** When it was last read or loaded, in units of about a second; see {@link #coarse}. */
  private volatile long lastUsed = coarse(System.nanoTime());

  /** Before this moment it is not loaded again; 0 for any. See {@link IndexMemory}. */
  volatile long awayUntil;

  /** A coarse clock is enough to order seasons by their last use, and a plain write is cheap. */
  private static long coarse(long nanos) {
    return nanos >> 30;
  }

  @Nullable RankSnapshot current() {
    RankSnapshot current = live;
    if (current != null) {
      long now = coarse(System.nanoTime());
      if (now != lastUsed) {
        lastUsed = now;
      }
    }
    return current;
  }

  /** The committer's direct hand-over. False if this season was not where the commit began. */
  synchronized boolean replace(@Nullable RankSnapshot from, @Nullable RankSnapshot to, long line) {
    announced = Math.max(announced, line);
    if (to != null && live == from) {
      base = to.reordered();
      live = base;
      return live != null;
    }
    RankSnapshot seen = live;
    if (seen != null && seen.line() >= line) {
      return true;
    }
    live = null;
    return false;
  }

  /** There is a commit up to this line, and it was not handed over. */
  synchronized void missed(long line) {
    announced = Math.max(announced, line);
    RankSnapshot seen = live;
    if (seen != null && seen.line() < line) {
      live = null;
    }
  }

  /**
   * The end of a catch-up. False if a commit has moved on since, or the epoch is another one: then
   * another step is needed.
   */
  synchronized boolean install(RankSnapshot reached, long inEpoch) {
    if (epoch != inEpoch) {
      return false;
    }
    RankSnapshot known = base;
    if (known == null) {
      lastUsed = coarse(System.nanoTime());
    }
    // At the same line it is the same state, perhaps trimmed.
    RankSnapshot newest =
        known != null && known.line() > reached.line() ? known : reached.reordered();
    base = newest;
    if (newest == null || newest.line() < announced) {
      return false;
    }
    live = newest;
    return true;
  }

  /**
   * The end of a rebuild: takes the place of whatever is there, unless that is further. False if it
   * is, or the epoch is another one: then another step is needed.
   */
  synchronized boolean swap(RankSnapshot built, long inEpoch) {
    RankSnapshot known = base;
    if (epoch != inEpoch
        || built.line() < announced
        || (known != null && known.line() > built.line())) {
      return false;
    }
    base = built.reordered();
    live = base;
    return live != null;
  }

  /**
   * Users have other ids by now. What comes here later is brought into their order on its way in,
   * and what is here by this.
   */
  synchronized void reorder() {
    RankSnapshot held = base;
    base = held == null ? null : held.reordered();
    live = live == null ? null : base;
  }

  synchronized @Nullable RankSnapshot base(long inEpoch) {
    return epoch == inEpoch ? base : null;
  }

  /** Begins with nothing, if nobody has begun with something. */
  synchronized @Nullable RankSnapshot startEmpty(RankSnapshot empty, long inEpoch) {
    if (base == null && live == null && announced == 0) {
      startEpoch(inEpoch);
      base = empty;
      live = empty;
    }
    return live;
  }

  synchronized void startEpoch(long newEpoch) {
    if (epoch != newEpoch) {
      epoch = newEpoch;
      announced = 0;
      base = null;
      live = null;
    }
  }

  /** Whether it is loaded, and has not come to this line. */
  synchronized boolean isBefore(long line) {
    return base != null && base.line() < line;
  }

  synchronized void unload() {
    live = null;
    base = null;
  }

  synchronized boolean isLoaded() {
    return base != null;
  }

  synchronized boolean isBehind() {
    return base != null && live == null;
  }

  synchronized long size() {
    return base == null ? 0 : base.size();
  }

  long lastUsed() {
    return lastUsed;
  }

  boolean wasUsedWithin(long nanos) {
    return lastUsed >= coarse(System.nanoTime() - nanos);
  }

  boolean claimCatchUp() {
    return catchUpRequested.compareAndSet(false, true);
  }

  void releaseCatchUp() {
    catchUpRequested.set(false);
  }
}
