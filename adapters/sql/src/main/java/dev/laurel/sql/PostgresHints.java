package dev.laurel.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Tells other nodes, by NOTIFY, that something was committed, and hears it of them. A hint only:
 * whoever misses one finds out at the next poll.
 *
 * <p>It is sent after the commit, not in it: a transaction with a NOTIFY takes a lock of the whole
 * database while it commits, and so all commits would queue. And not after each: one word says that
 * there is something to look at, however many commits that are.
 */
final class PostgresHints implements AutoCloseable {
  private static final String CHANNEL = "laurel";
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

  private final DataSource source;
  private final String node = UUID.randomUUID().toString();
  private final AtomicBoolean pending = new AtomicBoolean();
  private final Thread sender;
  private volatile boolean closed;

  /** Used by the sender alone. */
  private @Nullable Connection sending;

  /** Used by whoever waits, one at a time. */
  private @Nullable Connection listening;

  PostgresHints(DataSource source) {
    this.source = source;
    this.sender = Thread.ofVirtual().name("laurel-hints").start(this::send);
  }

  void committed() {
    if (pending.compareAndSet(false, true)) {
      LockSupport.unpark(sender);
    }
  }

  private void send() {
    while (!closed) {
      if (!pending.getAndSet(false)) {
        LockSupport.park(this);
        continue;
      }
      try {
        if (sending == null) {
          // Losing a hint is no harm, so its commit needs no disk.
          sending = connect("SET synchronous_commit = off");
        }
        try (Statement statement = sending.createStatement()) {
          statement.execute("NOTIFY " + CHANNEL + ", '" + node + "'");
        }
      } catch (SQLException | RuntimeException | Error e) {
        sending = drop(sending);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    sending = drop(sending);
  }

  /** Until another node says something, at most so long. */
  synchronized void await(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    long left = atMost.toMillis();
    while (left > 0 && !closed) {
      try {
        if (listening == null) {
          listening = connect("LISTEN " + CHANNEL);
        }
        PGNotification[] heard =
            listening.unwrap(PGConnection.class).getNotifications(Math.toIntExact(left));
        if (heard != null && isOfOthers(heard)) {
          return;
        }
      } catch (SQLException e) {
        listening = drop(listening);
        TimeUnit.NANOSECONDS.sleep(deadline - System.nanoTime());
      }
      left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    }
  }

  private boolean isOfOthers(PGNotification[] heard) {
    for (PGNotification notification : heard) {
      if (!notification.getParameter().equals(node)) {
        return true;
      }
    }
    return false;
  }

  private Connection connect(String first) throws SQLException {
    Connection connection = source.getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.execute(first);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private static @Nullable Connection drop(@Nullable Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      // It is given up because it failed.
    }
    return null;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(sender);
    synchronized (this) {
      listening = drop(listening);
    }
  }
}
