package dev.laurel.sql;

import dev.laurel.core.model.RejectedException;
import dev.laurel.core.store.Asker;
import dev.laurel.core.store.StoreBusyException;
import dev.laurel.core.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * What is done in the transactions of a session, call by call: says what was being done when one
 * fails, and remembers until the rollback that it failed.
 */
final class Calls {
  private final Dialect dialect;
  private @Nullable StoreException failed;
  private @Nullable Asker asker;
  private long begun;
  private long limitNanos = Long.MAX_VALUE;

  Calls(Dialect dialect) {
    this.dialect = dialect;
  }

  /** One or more statements. */
  @FunctionalInterface
  interface Call<T extends @Nullable Object> {
    T run() throws SQLException;
  }

  <T extends @Nullable Object> T run(String doing, Call<T> call) {
    // A work that caught the failure of a part must not go on: after some failures SQLite has
    // rolled back already, and would commit each statement that follows by itself.
    if (failed != null) {
      throw failed;
    }
    if (System.nanoTime() - begun > limitNanos) {
      throw new StoreBusyException("a read took longer than " + Duration.ofNanos(limitNanos));
    }
    requireAsker();
    try {
      return call.run();
    } catch (SQLException e) {
      StoreException failure = dialect.failure(doing, e);
      failed = failure;
      throw failure;
    } catch (StoreException e) {
      failed = e;
      throw e;
    } catch (RejectedException | CancellationException e) {
      throw e; // the statements were right, and the caller hears what they found, or has left
    } catch (RuntimeException | Error e) {
      failed = new StoreException("cannot " + doing + ": " + e, e);
      throw e;
    }
  }

  /** Fails if what is read is for nobody; for whoever goes through many rows. */
  void requireAsker() {
    if (asker != null) {
      asker.require();
    }
  }

  /** A transaction begins that may take as long as it takes. */
  void begin() {
    asker = null;
    limitNanos = Long.MAX_VALUE;
  }

  /**
   * A transaction begins in which nothing may be asked any more after this time, or when whoever
   * asked has left.
   */
  void begin(Duration longest, @Nullable Asker asker) {
    this.asker = asker;
    begun = System.nanoTime();
    limitNanos = longest.toNanos();
  }

  /** It was rolled back. */
  void reset() {
    failed = null;
  }
}
