package dev.laurel.sql;

import dev.laurel.core.store.Asker;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Pool;
import dev.laurel.core.store.StoreBusyException;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.TransactionLostException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one role. First come, first served; with one connection that is a fair lock.
 * The last one given back is the next one used: its caches are warm. Thread-safe.
 */
final class Sessions {
  private static final long PATIENCE_SECONDS = 20;

  private final Dialect dialect;
  private final Dialect.Role role;
  private final @Nullable LedgerKey key;
  private final PlatformThreads threads;
  private final int size;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();

  /** Given up, and could not be closed: what they lock is locked until that is done. */
  private final ConcurrentLinkedDeque<Session> unclosed = new ConcurrentLinkedDeque<>();

  private volatile boolean closed;

  /**
   * When a connection was lost, in whatever role. Those from before are lost too, or soon replaced:
   * to ask each of them takes long if nobody answers.
   */
  private final AtomicLong lostAt;

  /** Whether this thread is in a work. The work of a virtual thread runs on a platform thread. */
  private final ThreadLocal<Boolean> busy;

  Sessions(
      Dialect dialect,
      Dialect.Role role,
      @Nullable LedgerKey key,
      PlatformThreads threads,
      ThreadLocal<Boolean> busy,
      AtomicLong lostAt) {
    this.dialect = dialect;
    this.role = role;
    this.key = key;
    this.threads = threads;
    this.size = dialect.connections(role);
    this.permits = new Semaphore(size, true);
    this.busy = busy;
    this.lostAt = lostAt;
  }

  /**
   * Waits for a connection: to write however long that takes where this process alone decides about
   * it, else not longer than a server may be silent.
   */
  <T extends @Nullable Object> T use(Function<Session, T> body) {
    if (dialect.isShared() || role != Dialect.Role.WRITER) {
      return use(body, PATIENCE_SECONDS);
    }
    refuseNesting();
    // The caller waits here, not on a platform thread: so those are never all taken by waiters.
    permits.acquireUninterruptibly();
    return useAcquired(body);
  }

  /** Waits, but not for ever. */
  <T extends @Nullable Object> T use(Function<Session, T> body, long seconds) {
    refuseNesting();
    if (!acquire(seconds)) {
      throw role == Dialect.Role.WRITER
          ? new StoreUnavailableException("no connection to write with was free in time")
          : new StoreBusyException("too many read from the store");
    }
    return useAcquired(body);
  }

  /** What changes something, and what is of a job, is done also if whoever asked has left. */
  private boolean acquire(long seconds) {
    if (role != Dialect.Role.WRITER && role != Dialect.Role.JOB_READER) {
      return Asker.acquire(permits, seconds);
    }
    try {
      return permits.tryAcquire(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  Pool inUse() {
    return new Pool(
        role.name().toLowerCase(Locale.ROOT),
        size - permits.availablePermits(),
        size,
        permits.getQueueLength());
  }

  private void refuseNesting() {
    if (busy.get() != null) {
      throw new IllegalStateException("a transaction inside a transaction would wait for itself");
    }
  }

  private <T extends @Nullable Object> T useAcquired(Function<Session, T> body) {
    try {
      if (closed) {
        throw new StoreUnavailableException("the store is closed");
      }
      return threads.call(() -> run(body));
    } finally {
      permits.release();
    }
  }

  private <T extends @Nullable Object> T run(Function<Session, T> body) {
    busy.set(true);
    Session session = null;
    try {
      session = idle();
      if (session == null) {
        session = open();
      }
      return body.apply(session);
    } finally {
      busy.remove();
      giveBack(session);
    }
  }

  private @Nullable Session idle() {
    Session session;
    while ((session = idle.pollFirst()) != null) {
      if (session.usedAt() - lostAt.get() > 0) {
        if (session.isUsable()) {
          return session;
        }
        lostAt.set(System.nanoTime());
      }
      discard(session);
    }
    return null;
  }

  private void giveBack(@Nullable Session session) {
    if (session == null) {
      return;
    }
    if (session.isBroken()) {
      lostAt.set(System.nanoTime());
      discard(session);
    } else {
      idle.addFirst(session);
    }
  }

  /** It is given up because it failed: that it cannot be closed is nobody's failure. */
  private void discard(Session session) {
    try {
      session.close();
    } catch (Throwable e) {
      if (!dialect.isShared()) {
        unclosed.add(session);
      } // else the server hangs up on it
    }
  }

  private void closeAgain() {
    for (int left = unclosed.size(); left > 0; left--) {
      Session session = unclosed.poll();
      if (session != null) {
        discard(session);
      }
    }
  }

  private Session open() {
    closeAgain();
    try {
      Session session = new Session(dialect.connect(role), dialect, key);
      try {
        if (role == Dialect.Role.WRITER) {
          session.recover();
        }
        return session;
      } catch (Throwable e) {
        discard(session);
        throw e;
      }
    } catch (SQLException e) {
      StoreException failure = dialect.failure("connect", e);
      // To try again at once would only take as long again.
      throw failure instanceof TransactionLostException
          ? new StoreUnavailableException(String.valueOf(failure.getMessage()), e)
          : failure;
    }
  }

  /** What a server has hung up on needs no closing. */
  private void close(Session session) {
    if (dialect.isShared()) {
      discard(session);
    } else {
      session.close();
    }
  }

  /** Waits for those who are at work, then closes. {@code last} gets the last connection, open. */
  void close(Consumer<Session> last) {
    closed = true;
    permits.acquireUninterruptibly(size);
    try {
      threads.call(
          () -> {
            Session session;
            while ((session = idle.pollFirst()) != null) {
              try {
                if (idle.isEmpty()) {
                  last.accept(session);
                }
              } finally {
                close(session);
              }
            }
            return true;
          });
    } catch (StoreException e) {
      throw new StoreException("cannot close cleanly: " + e.getMessage(), e);
    } finally {
      permits.release(size);
    }
  }
}
