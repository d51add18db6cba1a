package dev.laurel.core.query;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that may as well be left undone: one at a time, and all of it together takes a tenth of the
 * time at most. So it is done where little happens, and holds nobody up where much does.
 * Thread-safe.
 */
final class SpareTime {
  /** Of ten nanoseconds that pass, one may be used. */
  private static final int SHARE = 10;

  /** What is saved up at most. */
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier clock;
  private long left = MOST_NANOS;
  private long lookedAt;
  private boolean busy;

  /**
   * @param clock in nanoseconds, that never goes back
   */
  SpareTime(LongSupplier clock) {
    this.clock = clock;
    this.lookedAt = clock.getAsLong();
  }

  /** Completes with null if it was not done, or failed. Returns at once. */
  <T> CompletableFuture<@Nullable T> use(Supplier<@Nullable T> work) {
    CompletableFuture<@Nullable T> result = new CompletableFuture<>();
    if (begin()) {
      long began = clock.getAsLong();
      Thread.ofVirtual()
          .name("laurel-spare")
          .start(
              () -> {
                T found = null;
                try {
                  found = work.get();
                } catch (RuntimeException | Error e) {
                  // Nobody relies on it.
                } finally {
                  end(clock.getAsLong() - began);
                  result.complete(found);
                }
              });
    } else {
      result.complete(null);
    }
    return result;
  }

  private synchronized boolean begin() {
    long now = clock.getAsLong();
    left = Math.min(MOST_NANOS, left + (now - lookedAt) / SHARE);
    lookedAt = now;
    boolean free = !busy && left > 0;
    busy |= free;
    return free;
  }

  private synchronized void end(long took) {
    left -= took;
    busy = false;
  }
}
