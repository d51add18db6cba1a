package dev.laurel.sql;

import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The store on any database there is a {@link Dialect} for. A work gets a connection of its own
 * until it ends; on SQLite there is one to write with, so that writers queue, in order.
 */
final class SqlStore implements Store {
  private static final long CHECK_SECONDS = 5;

  /** Some 300,000 entries without metadata: about twenty for each page of a season of a million. */
  private static final long SWEEP_BYTES = 16_777_216;

  private final Dialect dialect;
  private final PlatformThreads threads;
  private final Sessions writers;
  private final Sessions readers;
  private final int shards;
  private final AtomicBoolean closed = new AtomicBoolean();

  private SqlStore(Dialect dialect, int shardsIfNew, long sweepBytes) {
    this.dialect = dialect;
    int writing = dialect.connections(Dialect.Role.WRITER);
    int reading = dialect.connections(Dialect.Role.READER);
    this.threads = new PlatformThreads(dialect.pinsVirtualThreads(), writing + reading);
    ThreadLocal<Boolean> busy = new ThreadLocal<>();
    RecentEntries recent = new RecentEntries(sweepBytes);
    this.writers = new Sessions(dialect, Dialect.Role.WRITER, recent, threads, busy);
    this.readers = new Sessions(dialect, Dialect.Role.READER, recent, threads, busy);
    long epoch = new SecureRandom().nextLong();
    this.shards =
        writers.use(
            session -> session.write(tx -> tx.createIfNew(epoch, shardsIfNew, dialect.now())));
  }

  /** Migrates, then opens. The shards of a store that exists stay as they are. */
  static SqlStore open(Dialect dialect, int shardsIfNew) {
    return open(dialect, shardsIfNew, SWEEP_BYTES);
  }

  /** The same with another size of {@link RecentEntries}. */
  static SqlStore open(Dialect dialect, int shardsIfNew, long sweepBytes) {
    dialect.migrate();
    return new SqlStore(dialect, shardsIfNew, sweepBytes);
  }

  @Override
  public <T> T write(Work<? super WriteTransaction, T> work) {
    return writers.use(session -> session.write(work::in));
  }

  @Override
  public <T> T read(Work<? super ReadTransaction, T> work) {
    return readers.use(session -> session.read(work));
  }

  @Override
  public int[] assignUsers(long tenant, int known, List<String> ids) {
    if (ids.isEmpty()) {
      return new int[0];
    }
    return writers.use(session -> session.write(tx -> tx.assignUsers(tenant, known, ids)));
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public int lanes() {
    return Math.min(shards, dialect.connections(Dialect.Role.WRITER));
  }

  @Override
  public void check() {
    writers.use(session -> session.read(ReadTransaction::epoch), CHECK_SECONDS);
    readers.use(session -> session.read(ReadTransaction::epoch), CHECK_SECONDS);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      readers.close(session -> {});
      writers.close(this::beforeLastClose);
    } finally {
      threads.close();
      dialect.release();
    }
  }

  private void beforeLastClose(Session last) {
    last.write(SqlTransaction::moveAllEntries);
    try {
      dialect.closing(last.connection());
    } catch (SQLException e) {
      throw dialect.failure("close the store", e);
    }
  }
}
