package dev.laurel.core.store;

import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for what a thread does, and may leave. Then what the thread only reads is for nobody:
 * the next read, page or block, and the wait for a turn, end with a {@link CancellationException}.
 * What changes something goes on to its end. Thread-safe.
 */
public final class Asker {
  private static final ScopedValue<Asker> CURRENT = ScopedValue.newInstance();

  private boolean left;
  private boolean onlyReads;
  private @Nullable Thread waiting;

  /**
   * @param onlyReads whether nothing is changed, so that it can end at any point
   */
  public Asker(boolean onlyReads) {
    this.onlyReads = onlyReads;
  }

  /** Whoever this thread works for; null if it works for no one who could leave. */
  public static @Nullable Asker current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** This thread does the steps for the asker. */
  public <X extends Exception> void during(RememberedStore.Steps<X> steps) throws X {
    boolean _ =
        ScopedValue.where(CURRENT, this)
            .<Boolean, X>call(
                () -> {
                  steps.take();
                  return true;
                });
  }

  /** From here on nothing is changed any more. */
  public synchronized void onlyReads() {
    onlyReads = true;
  }

  /** Nobody waits for it any more. */
  public synchronized void leave() {
    left = true;
    if (onlyReads && waiting != null) {
      waiting.interrupt();
    }
  }

  public synchronized boolean hasLeft() {
    return left;
  }

  /**
   * Fails if what is being read is for nobody.
   *
   * @throws CancellationException if the asker has left, and nothing is being changed
   */
  public synchronized void require() {
    if (left && onlyReads) {
      throw new CancellationException("whoever asked has left");
    }
  }

  /** The same, for whoever this thread works for. */
  public static void requireCurrent() {
    Asker asker = current();
    if (asker != null) {
      asker.require();
    }
  }

  /**
   * Waits for a permit, but not for ever, and not for somebody who has left. Only here is the
   * thread interrupted: in the midst of a call it could cost a connection.
   *
   * @return whether it was acquired; also false if somebody else has interrupted the thread, which
   *     stays so
   * @throws CancellationException if the asker has left, and nothing is being changed
   */
  public static boolean acquire(Semaphore permits, long seconds) {
    Asker asker = current();
    try {
      return asker == null
          ? permits.tryAcquire(seconds, TimeUnit.SECONDS)
          : asker.await(permits, seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean await(Semaphore permits, long seconds) throws InterruptedException {
    synchronized (this) {
      require();
      waiting = Thread.currentThread();
    }
    try {
      return permits.tryAcquire(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      require();
      throw e;
    } finally {
      synchronized (this) {
        waiting = null;
        if (left && onlyReads) {
          // Its own interrupt, which came after the permit.
          boolean _ = Thread.interrupted();
        }
      }
    }
  }
}
