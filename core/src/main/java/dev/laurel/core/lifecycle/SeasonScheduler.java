package dev.laurel.core.lifecycle;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The thread that turns the {@link SeasonKeeper}, about once a second, and runs the jobs that a
 * season leaves behind. A turn with nothing to do reads the store's clock and revision and compares
 * a number a board.
 */
public final class SeasonScheduler implements AutoCloseable {
  private static final long PAUSE_MILLIS = 1000;

  private final SeasonKeeper keeper;
  private final FinalRanks finals;
  private final Consumer<Throwable> onFailure;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** Starts; the first turn is taken before this returns, so that nobody meets yesterday. */
  public SeasonScheduler(SeasonKeeper keeper, FinalRanks finals, Consumer<Throwable> onFailure) {
    this.keeper = keeper;
    this.finals = finals;
    this.onFailure = onFailure;
    keeper.turn();
    // A platform thread: SQLite's native calls would pin the carrier of a virtual one.
    this.thread = Thread.ofPlatform().name("laurel-seasons").daemon().start(this::run);
  }

  private void run() {
    try {
      do {
        try {
          keeper.turn();
          finals.writeAll(() -> closed.getCount() == 0);
        } catch (RuntimeException e) {
          onFailure.accept(e);
        }
      } while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
