package dev.laurel.sql;

import dev.laurel.core.store.Asker;
import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.Pool;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.TransactionLostException;
import dev.laurel.core.store.WriteTransaction;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The store on any database there is a {@link Dialect} for. A work gets a connection of its own
 * until it ends; on SQLite there is one to write with, so that writers queue, in order.
 */
final class SqlStore implements Store {
  private static final long CHECK_SECONDS = 5;

  /** How often users are assigned anew when somebody else got in the way. */
  private static final int ATTEMPTS = 3;

  private final Dialect dialect;
  private final PlatformThreads threads;
  private final Sessions writers;
  private final Map<Reading, Sessions> readers = new EnumMap<>(Reading.class);
  private final int shards;
  private final AtomicBoolean closed = new AtomicBoolean();

  private SqlStore(Dialect dialect, int shardsIfNew, @Nullable LedgerKey key, boolean chainAnew) {
    this.dialect = dialect;
    int most = Arrays.stream(Dialect.Role.values()).mapToInt(dialect::connections).sum();
    this.threads = new PlatformThreads(dialect.pinsVirtualThreads(), most);
    ThreadLocal<Boolean> busy = new ThreadLocal<>();
    AtomicLong lostAt = new AtomicLong(System.nanoTime());
    this.writers = new Sessions(dialect, Dialect.Role.WRITER, key, threads, busy, lostAt);
    for (Reading reading : Reading.values()) {
      Dialect.Role role = Dialect.Role.of(reading);
      readers.put(reading, new Sessions(dialect, role, key, threads, busy, lostAt));
    }
    long epoch = new SecureRandom().nextLong();
    this.shards = writers.use(session -> session.write(tx -> tx.createIfNew(epoch, shardsIfNew)));
    writers.use(session -> session.write(tx -> tx.chain(key, chainAnew)));
  }

  /** Migrates, then opens. The shards of a store that exists stay as they are. */
  static SqlStore open(
      Dialect dialect, int shardsIfNew, @Nullable LedgerKey key, boolean chainAnew) {
    dialect.migrate();
    return new SqlStore(dialect, shardsIfNew, key, chainAnew);
  }

  @Override
  public <T extends @Nullable Object> T write(Work<? super WriteTransaction, T> work) {
    T result = writers.use(session -> session.write(work::in));
    try {
      dialect.committed();
    } catch (RuntimeException e) {
      // A hint that is not sent: others find out by themselves, a moment later.
    }
    return result;
  }

  @Override
  public <T extends @Nullable Object> T read(
      Reading reading, Work<? super ReadTransaction, T> work) {
    // Asked here: the work may be done on another thread.
    Asker asker = reading == Reading.JOB ? null : Asker.current();
    return readers(reading).use(session -> session.read(asker, work));
  }

  private Sessions readers(Reading reading) {
    return Objects.requireNonNull(readers.get(reading));
  }

  @Override
  public int[] assignUsers(long tenant, KnownUsers known, List<String> ids) {
    if (ids.isEmpty()) {
      return new int[0];
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return writers.use(session -> session.write(tx -> tx.assignUsers(tenant, known, ids)));
      } catch (NewEpochException e) {
        throw e;
      } catch (TransactionLostException | CommitUnknownException e) {
        // Whether it was committed or not: who has a number already gets the same again.
        if (attempt == ATTEMPTS) {
          throw new StoreUnavailableException(String.valueOf(e.getMessage()), e);
        }
      }
    }
  }

  @Override
  public boolean compact() {
    // Looked at by a reader: mostly there is nothing to do, and no writer has to wait for that.
    return readers(Reading.JOB).use(session -> session.read(SqlReads::isLoose))
        && writers.<Boolean>use(session -> session.write(SqlTransaction::tighten));
  }

  @Override
  public List<Pool> pools() {
    return Stream.concat(Stream.of(writers), readers.values().stream())
        .map(Sessions::inUse)
        .toList();
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public int lanes() {
    return Math.min(shards, dialect.lanes());
  }

  @Override
  public boolean isShared() {
    return dialect.isShared();
  }

  @Override
  public void awaitHint(Duration atMost) throws InterruptedException {
    dialect.awaitHint(atMost);
  }

  @Override
  public void check() {
    writers.use(session -> session.write(SqlTransaction::touch), CHECK_SECONDS);
    readers(Reading.JOB).use(session -> session.read(ReadTransaction::epoch), CHECK_SECONDS);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      readers.values().forEach(each -> each.close(session -> {}));
      writers.close(this::beforeLastClose);
    } finally {
      threads.close();
      dialect.release();
    }
  }

  private void beforeLastClose(Session last) {
    if (dialect.isShared()) {
      return; // others go on with it
    }
    last.write(SqlTransaction::moveAllEntries);
    try {
      dialect.closing(last.connection());
    } catch (SQLException e) {
      throw dialect.failure("close the store", e);
    }
  }
}
