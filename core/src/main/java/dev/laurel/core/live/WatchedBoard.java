package dev.laurel.core.live;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The ranges of one board, and the mark that committers leave. Only {@link #mark} is for any
 * thread, the rest is for the hub's.
 */
final class WatchedBoard {
  private final LiveHub hub;
  private final AtomicBoolean marked = new AtomicBoolean();
  private final List<LiveRange> ranges = new ArrayList<>();

  /** When it may be looked at again; a late value only means one look more. */
  private volatile long next = System.nanoTime();

  WatchedBoard(LiveHub hub) {
    this.hub = hub;
  }

  /** The first mark after a look schedules the next one, the others cost a read. */
  void mark() {
    if (!marked.get() && marked.compareAndSet(false, true)) {
      hub.schedule(this::look, Math.max(0, next - System.nanoTime()));
    }
  }

  private void look() {
    next = System.nanoTime() + LiveHub.PACE_NANOS;
    // Before the looks: what is committed from now on marks it again.
    marked.set(false);
    for (LiveRange range : ranges) {
      range.look();
    }
  }

  void add(LiveRange range) {
    ranges.add(range);
  }

  /** True if none is left. */
  boolean remove(LiveRange range) {
    ranges.remove(range);
    return ranges.isEmpty();
  }
}
