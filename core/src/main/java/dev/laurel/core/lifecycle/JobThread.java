package dev.laurel.core.lifecycle;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A thread that takes its turn about once a second. A turn with nothing to do costs a look at the
 * store; one that fails is reported and tried again.
 */
public final class JobThread implements AutoCloseable {
  private static final long PAUSE_MILLIS = 1000;

  private final LongSupplier pauseMillis;
  private final Consumer<BooleanSupplier> turn;
  private final Consumer<Throwable> onFailure;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /**
   * Starts.
   *
   * @param turn gets what tells whether to stop, to be asked now and then
   */
  public JobThread(String name, Consumer<BooleanSupplier> turn, Consumer<Throwable> onFailure) {
    this(name, () -> PAUSE_MILLIS, turn, onFailure);
  }

  /**
   * The same at another pace.
   *
   * @param pauseMillis asked after every turn
   */
  public JobThread(
      String name,
      LongSupplier pauseMillis,
      Consumer<BooleanSupplier> turn,
      Consumer<Throwable> onFailure) {
    this.pauseMillis = pauseMillis;
    this.turn = turn;
    this.onFailure = onFailure;
    // A platform thread: SQLite's native calls would pin the carrier of a virtual one.
    this.thread = Thread.ofPlatform().name(name).daemon().start(this::run);
  }

  private void run() {
    try {
      do {
        try {
          turn.accept(() -> closed.getCount() == 0);
        } catch (RuntimeException e) {
          onFailure.accept(e);
        }
      } while (!closed.await(pauseMillis.getAsLong(), TimeUnit.MILLISECONDS));
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
