package dev.laurel.core.cluster;

import dev.laurel.core.store.Store;
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
  private @Nullable ClockView said;
  private long saidAt;

  /** Reads what others and the process before have said of the clock. */
  public ClockJob(Store store, WatchedClock clock, TimeSource source) {
    this.store = store;
    this.clock = clock;
    this.source = source;
    this.node = store.isShared() ? ThreadLocalRandom.current().nextLong() : 0;
    clock.takeOver(look());
  }

  /** To be called each second. Blocks. */
  public void turn() {
    List<ClockView> all = look();
    clock.hear(all.stream().filter(view -> view.node() != node).toList());
    ClockView now = clock.view(node);
    ClockView before = said;
    boolean changed =
        before == null
            ? !now.isKnown()
            : before.isKnown() != now.isKnown()
                || before.objects() != now.objects()
                || before.confirmed() != now.confirmed();
    if (changed || (store.isShared() && (before == null || source.nanos() - saidAt >= EVERY))) {
      store.write(
          tx -> {
            tx.putClockView(now);
            return true;
          });
      said = now;
      saidAt = source.nanos();
    }
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
