package dev.laurel.sql;

import dev.laurel.core.store.Asker;
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
    if (System.nanoTime() - usedAt < TRUSTED_NANOS) {
      return true;
    }
    transaction.doubtEpoch();
    return dialect.isAlive(connection);
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
    // First of all. Whatever is thrown on the way, and wherever: a session that something is left
    // on would commit it with the next work.
    broken = true;
    calls.begin();
    T result;
    try {
      entries.beginWrite();
      result = work.apply(transaction);
      // Fails also if the work caught the failure of a part.
      calls.run(
          "commit",
          () -> {
            entries.beforeCommit();
            return true;
          });
    } catch (Throwable e) {
      undo(e, entries::rolledBack);
      throw e;
    }
    commit();
    try {
      entries.committed();
      broken = false;
    } catch (Throwable e) {
      // It is committed, and nobody may hear otherwise. The next connection looks at what there is.
    }
    return result;
  }

  private void commit() {
    try {
      connection.commit();
    } catch (SQLException e) {
      StoreException failure = dialect.commitFailure(e);
      if (!(failure instanceof CommitUnknownException)) {
        undo(failure, entries::rolledBack);
      } // else the next connection looks what became of it
      throw failure;
    } catch (Throwable e) {
      throw new CommitUnknownException("the driver failed in a commit: " + e, e);
    }
  }

  <T extends @Nullable Object> T read(Work<? super SqlReads, T> work) {
    return read(null, work);
  }

  /**
   * @param asker who may leave before it ends; null for no one
   */
  <T extends @Nullable Object> T read(@Nullable Asker asker, Work<? super SqlReads, T> work) {
    usedAt = System.nanoTime();
    broken = true;
    calls.begin(dialect.longestRead(), asker);
    entries.beginRead();
    try {
      T result;
      try {
        result = work.in(transaction);
      } catch (Throwable e) {
        undo(e, () -> {});
        throw e;
      }
      // The work may have caught a failure, which is not the next one's.
      calls.reset();
      // Ends the snapshot, or the log of changes since could never be cut.
      try {
        connection.rollback();
        broken = false;
      } catch (SQLException e) {
        // The answer is right; a new connection has no doubts.
      }
      return result;
    } finally {
      entries.endRead();
    }
  }

  /** Takes back what a failed work has done; whatever goes wrong in that leaves it broken. */
  private void undo(Throwable because, Runnable inMemory) {
    try {
      // Also where the database rolled back by itself.
      connection.rollback();
      statements.clearBatches();
      inMemory.run();
      calls.reset();
      broken = false;
    } catch (Throwable e) {
      if (!e.equals(because)) { // nothing suppresses itself
        because.addSuppressed(e);
      }
    }
  }

  /** May be tried again if it failed. */
  void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw dialect.failure("close a connection", e);
    } finally {
      entries.close();
    }
  }
}
