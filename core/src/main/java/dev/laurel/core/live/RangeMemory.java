package dev.laurel.core.live;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * How much memory may be taken by what is watched: one half for the pictures of all ranges, the
 * other for their last messages, which all of them share. However many watch the same range, it is
 * there once; whoever would watch one more is refused when there is no room. Thread-safe.
 */
public final class RangeMemory {
  /** Of a range with its names and what is sent to newcomers, by an estimate. */
  private static final long RANGE_BYTES = 2000;

  private static final long ROW_BYTES = 400;

  /** Of one range; more would not be worth it. */
  static final int MOST_RECENT_BYTES = 256 * 1024;

  /** Whoever was let in has begun to watch by then. */
  private static final long OPENING_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final long limit;
  private final AtomicLong used = new AtomicLong();

  /** When each was asked for last. */
  private final ConcurrentHashMap<Watched, Long> admitted = new ConcurrentHashMap<>();

  /**
   * @param bytes of both halves
   */
  public RangeMemory(long bytes) {
    this.limit = bytes / 2;
  }

  private static long bytes(Watched what) {
    long rows =
        switch (what.range()) {
          case Range.Top(int count) -> count;
          case Range.Around(_, int window) -> 2L * window + 1;
        };
    return RANGE_BYTES + ROW_BYTES * rows;
  }

  /**
   * Somebody is going to watch this.
   *
   * @throws dev.laurel.core.model.RejectedException OVERLOADED if there is no room for it
   */
  void require(Watched what) {
    if (admitted.put(what, System.nanoTime()) != null) {
      return;
    }
    long bytes = bytes(what);
    // One alone is let in, however little there is.
    if (used.addAndGet(bytes) > Math.max(limit, bytes)) {
      forget(what);
      throw Rejection.expectation(
              ErrorCode.OVERLOADED,
              "streams",
              "too many ranges",
              "one that others watch, a narrower one, or again in a moment")
          .asException();
    }
  }

  /** It is watched, whether or not somebody asked before. */
  void watched(Watched what) {
    if (admitted.put(what, System.nanoTime()) == null) {
      used.addAndGet(bytes(what));
    }
  }

  /** Forgets what nobody watches any more. */
  void release(Predicate<Watched> isWatched) {
    long now = System.nanoTime();
    admitted.forEach(
        (what, since) -> {
          if (!isWatched.test(what) && now - since > OPENING_NANOS) {
            forget(what);
          }
        });
  }

  private void forget(Watched what) {
    if (admitted.remove(what) != null) {
      used.addAndGet(-bytes(what));
    }
  }

  /** How much each of so many ranges may remember for those who come back. */
  int recentBytes(int ranges) {
    return (int) Math.min(MOST_RECENT_BYTES, limit / Math.max(1, ranges));
  }

  /** What the pictures take, by an estimate. */
  public long used() {
    return used.get();
  }
}
