package dev.laurel.core.lifecycle;

import dev.laurel.core.vital.Failures;
import dev.laurel.core.vital.Vital;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that takes its turn about once a second. A turn with nothing to do costs a look at the
 * store; one that fails, with whatever, is reported and tried again.
 */
public final class JobThread implements AutoCloseable, Vital {
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
      long pause;
      do {
        pause = turn();
      } while (!closed.await(pause, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How long to wait for the next one. */
  private long turn() {
    try {
      turn.accept(() -> closed.getCount() == 0);
      return pauseMillis.getAsLong();
    } catch (Throwable e) {
      Failures.tell(onFailure, e);
      return PAUSE_MILLIS;
    }
  }

  @Override
  public @Nullable String lost() {
    return Vital.lost(thread, closed.getCount() == 0);
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
