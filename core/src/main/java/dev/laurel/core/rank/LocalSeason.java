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

  /** Where the season was when the follower of the ledger last met lines about its board. */
  private long followed;

  /** When it was last read or loaded, in units of about a second; see {@link #coarse}. */
  private volatile long lastUsed = coarse(System.nanoTime());

  /** Nobody reads it, so it does not matter that it is behind; until a state is installed. */
  private boolean resting;

  /** Before this moment it is not loaded again; 0 for any. See {@link IndexMemory}. */
  volatile long awayUntil;

  /** A coarse clock is enough to order seasons by their last use, and a plain write is cheap. */
  private static long coarse(long nanos) {
    return nanos >> 30;
  }

  LocalSeason(long epoch) {
    this.epoch = epoch;
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

  /** Null as well if it is of another epoch. */
  synchronized @Nullable RankSnapshot current(long inEpoch) {
    return epoch == inEpoch ? current() : null;
  }

  /**
   * The committer's direct hand-over. False if this season was not where the commit began; what was
   * committed in another epoch is nothing to this one.
   */
  synchronized boolean replace(
      @Nullable RankSnapshot from, @Nullable RankSnapshot to, RankIndex.Step step) {
    if (epoch != step.epoch()) {
      return true;
    }
    long line = step.to();
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
  synchronized void missed(long line, long inEpoch) {
    if (epoch != inEpoch) {
      return;
    }
    announced = Math.max(announced, line);
    RankSnapshot seen = live;
    if (seen != null && seen.line() < line) {
      live = null;
    }
  }

  /** The same, and nobody wants it brought on. */
  synchronized void rest(long line, long inEpoch) {
    if (epoch == inEpoch) {
      missed(line, inEpoch);
      resting = true;
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
    resting = false;
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
    if (epoch == inEpoch && base == null && live == null && announced == 0) {
      base = empty;
      live = empty;
    }
    return epoch == inEpoch ? live : null;
  }

  synchronized void startEpoch(long newEpoch) {
    if (epoch != newEpoch) {
      epoch = newEpoch;
      announced = 0;
      followed = 0;
      base = null;
      live = null;
    }
  }

  /** What the follower of the ledger has to do about a season. */
  sealed interface Following {
    /** It is there already, or not in memory. */
    record Nothing() implements Following {}

    /** What it missed is all that happened since the follower's last turn. */
    record Onward(RankSnapshot base) implements Following {}

    /** It was behind before. */
    record Lost() implements Following {}
  }

  /**
   * The follower of the ledger has met lines about the season's board. A state that is being read
   * from an earlier snapshot now is not installed.
   *
   * @param position where the store has the season
   */
  synchronized Following following(long position, long inEpoch) {
    if (epoch != inEpoch) {
      return new Following.Nothing();
    }
    long before = followed;
    followed = Math.max(followed, position);
    RankSnapshot held = base;
    if (held == null) {
      announced = Math.max(announced, position);
      return new Following.Nothing();
    }
    if (held.line() >= position) {
      return new Following.Nothing();
    }
    return held.line() >= before ? new Following.Onward(held) : new Following.Lost();
  }

  /** Whether it is loaded, and has not come to this line. */
  synchronized boolean isBefore(long line) {
    return base != null && base.line() < line;
  }

  /** Whether it is loaded, and has come to this line. */
  synchronized boolean isAt(long line) {
    return base != null && base.line() >= line;
  }

  synchronized void unload() {
    live = null;
    base = null;
  }

  synchronized boolean isLoaded() {
    return base != null;
  }

  synchronized boolean isBehind() {
    return base != null && live == null && !resting;
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
