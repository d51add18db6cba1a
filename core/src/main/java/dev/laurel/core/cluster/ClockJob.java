package dev.laurel.core.cluster;

import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.time.ClockView;
import dev.laurel.core.time.TimeSource;
import dev.laurel.core.time.WatchedClock;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the clock that decides, and tells other nodes what this one makes of it: a node that has
 * watched all along can vouch for a clock of which another one cannot tell. On a store of one node
 * only a doubt is written down, for the process that comes next. For one thread.
 */
public final class ClockJob {
  private static final long EVERY = TimeUnit.SECONDS.toNanos(15);

  private final Store store;
  private final WatchedClock clock;
  private final TimeSource source;
  private final long node;
  private boolean outdated;
  private @Nullable ClockView said;
  private long saidAt;

  /** Reads what others and the process before have said of the clock. */
  public ClockJob(Store store, WatchedClock clock, TimeSource source) {
    this.store = store;
    this.clock = clock;
    this.source = source;
    this.node = store.isShared() ? ThreadLocalRandom.current().nextLong() : 0;
    List<ClockView> all = look();
    clock.takeOver(all);
    // A doubt of the process before: if this one has none, no later start may find it.
    this.outdated = all.stream().anyMatch(view -> view.node() == node && !view.isKnown());
  }

  /** To be called each second. Blocks. */
  public void turn() {
    clock.hear(node, look());
    ClockView before = said;
    boolean due = before == null || source.nanos() - saidAt >= EVERY;
    if (outdated || hasChanged(before) || (store.isShared() && due)) {
      said = store.write(this::tell);
      saidAt = source.nanos();
      outdated = false;
    }
  }

  private boolean hasChanged(@Nullable ClockView before) {
    ClockView now = clock.view(node, 0);
    return before == null
        ? !now.isKnown()
        : before.isKnown() != now.isKnown()
            || before.objects() != now.objects()
            || before.confirmed() != now.confirmed();
  }

  /** The number first, then the time: {@link dev.laurel.core.time.ClockView} says why. */
  private ClockView tell(WriteTransaction tx) {
    long number = ClockView.nextNumber(tx.clockViews());
    tx.now();
    ClockView view = clock.view(node, number);
    tx.putClockView(view);
    return view;
  }

  /** The views of others, if they matter now. */
  private List<ClockView> look() {
    return store.read(
        tx -> {
          tx.now();
          return said == null || clock.inDoubt() != null ? tx.clockViews() : List.of();
        });
  }
}
