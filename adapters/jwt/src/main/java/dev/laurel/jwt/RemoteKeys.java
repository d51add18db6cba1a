package dev.laurel.jwt;

import dev.laurel.core.vital.Failures;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The keys at one address: those that were read last, for as long as no newer ones are to be had.
 * Thread-safe.
 */
final class RemoteKeys {
  private static final long FRESH = Duration.ofMinutes(5).toNanos();
  private static final long AFTER_FAILURE = Duration.ofSeconds(10).toNanos();
  private static final int MOST_DOUBLINGS = 5;

  /**
   * Tokens that name an unknown key make us look again, but no more often than this in the long run
   * and four times at once: whoever forges key ids must not be able to use us against the issuer.
   */
  private static final long BETWEEN_LOOKS = Duration.ofSeconds(15).toNanos();

  private static final long AT_ONCE = 3 * BETWEEN_LOOKS;

  /** Requests that may wait for these keys at once; others are refused meanwhile. */
  private static final int PLACES = 8;

  private final URI uri;
  private final boolean trusted;
  private final JwksFetcher fetcher;
  private final KeysObserver observer;
  private final Semaphore places = new Semaphore(PLACES);
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private volatile KeySet keys = KeySet.EMPTY;
  private volatile boolean reading;
  private volatile long readAt;
  private volatile long dueAt = System.nanoTime();

  /** Attempts in a row that failed; only whoever reads changes it. */
  private int failures;

  /** When the looks that were taken would have been, had they been taken evenly. */
  private volatile long looksPaid = System.nanoTime();

  RemoteKeys(URI uri, boolean trusted, JwksFetcher fetcher, KeysObserver observer) {
    this.uri = uri;
    this.trusted = trusted;
    this.fetcher = fetcher;
    this.observer = observer;
  }

  KeySet keys() {
    return keys;
  }

  /** Whether to wait for keys that are not here. */
  boolean mayHaveNews() {
    return reading || System.nanoTime() - looksPaid >= -AT_ONCE;
  }

  /** Looks because of a token, unless somebody else does so meanwhile. Blocks. */
  void look() throws InterruptedException {
    if (!places.tryAcquire()) {
      return;
    }
    try {
      long asked = System.nanoTime();
      synchronized (this) {
        if (readAt - asked < 0 && mayHaveNews()) {
          looksPaid = Math.max(looksPaid, asked) + BETWEEN_LOOKS;
          read();
        }
      }
    } finally {
      places.release();
    }
  }

  /** Looks if it is time to, on a thread of these. */
  void refresh(Executor threads) {
    if (isDue() && refreshing.compareAndSet(false, true)) {
      try {
        threads.execute(this::refresh);
      } catch (RejectedExecutionException e) {
        refreshing.set(false); // closed
      }
    }
  }

  private void refresh() {
    try {
      synchronized (this) {
        if (isDue()) {
          read();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Error e) {
      Failures.tell(why -> observer.failed(uri.toString(), why), e);
    } finally {
      refreshing.set(false);
    }
  }

  private boolean isDue() {
    return System.nanoTime() - dueAt >= 0;
  }

  /** Twice as long after each failure, up to what keys that were read are good for. */
  static long pause(int failures) {
    return Math.min(FRESH, AFTER_FAILURE << Math.min(failures - 1, MOST_DOUBLINGS));
  }

  private void read() throws InterruptedException {
    reading = true;
    try {
      KeySet read = fetcher.fetch(uri, trusted);
      if (!read.isSame(keys)) {
        keys = read;
      }
      dueAt = System.nanoTime() + FRESH;
      if (failures > 0) {
        observer.back(uri.toString(), failures);
        failures = 0;
      }
    } catch (IOException | ParseException | RuntimeException e) {
      failures++;
      dueAt = System.nanoTime() + pause(failures);
      if (failures == 1) {
        observer.failed(uri.toString(), e);
      }
    } finally {
      readAt = System.nanoTime();
      reading = false;
    }
  }
}
