package dev.laurel.sql;

import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Store.Work;
import dev.laurel.core.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One connection and the transactions on it, one after the other. Used by one thread at a time. */
final class Session {
  private static final long TRUSTED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Connection connection;
  private final Dialect dialect;
  private final Statements statements;
  private final Entries entries;
  private final Calls calls;
  private final SqlTransaction transaction;
  private boolean broken;
  private long usedAt = System.nanoTime();

  Session(Connection connection, Dialect dialect, @Nullable LedgerKey key) {
    this.connection = connection;
    this.dialect = dialect;
    this.statements = dialect.statements(connection);
    this.entries = dialect.entries(statements);
    this.calls = new Calls(dialect);
    this.transaction = new SqlTransaction(calls, statements, dialect, entries, key);
  }

  /** When its last transaction began. */
  long usedAt() {
    return usedAt;
  }

  /** Looks whether it still works, unless it was used just now. */
  boolean isUsable() {
    return System.nanoTime() - usedAt < TRUSTED_NANOS || dialect.isAlive(connection);
  }

  /** Before the first write on it: what is the newest state of the entries? */
  void recover() throws SQLException {
    entries.recover();
    connection.rollback();
  }

  Connection connection() {
    return connection;
  }

  /** Whether its state is unknown, so that it must not be used again. */
  boolean isBroken() {
    return broken;
  }

  <T extends @Nullable Object> T write(Function<? super SqlTransaction, T> work) {
    usedAt = System.nanoTime();
    calls.begin();
    entries.beginWrite();
    T result;
    try {
      result = work.apply(transaction);
      // Fails also if the work caught the failure of a part.
      calls.run(
          "commit",
          () -> {
            entries.beforeCommit();
            return true;
          });
    } catch (Throwable e) {
      entries.rolledBack();
      rollback(e);
      throw e;
    }
    try {
      connection.commit();
    } catch (SQLException e) {
      StoreException failure = dialect.commitFailure(e);
      broken = failure instanceof CommitUnknownException;
      if (!broken) {
        entries.rolledBack();
      } // else the next connection looks what became of it
      rollback(failure);
      throw failure;
    }
    entries.committed();
    return result;
  }

  <T extends @Nullable Object> T read(Work<? super SqlReads, T> work) {
    usedAt = System.nanoTime();
    calls.begin(dialect.longestRead());
    entries.beginRead();
    try {
      T result;
      try {
        result = work.in(transaction);
      } catch (Throwable e) {
        rollback(e);
        throw e;
      }
      // The work may have caught a failure, which is not the next one's.
      calls.reset();
      // Ends the snapshot, or the log of changes since could never be cut.
      try {
        connection.rollback();
      } catch (SQLException e) {
        broken = true;
      }
      return result;
    } finally {
      entries.endRead();
    }
  }

  private void rollback(Throwable because) {
    calls.reset();
    try {
      statements.clearBatches();
      connection.rollback();
    } catch (SQLException e) {
      // Also where the database rolled back by itself. A new connection has no doubts.
      broken = true;
      because.addSuppressed(e);
    }
  }

  void close() {
    entries.close();
    try {
      connection.close();
    } catch (SQLException e) {
      throw dialect.failure("close a connection", e);
    }
  }
}
