package dev.laurel.testkit;

import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.WriteTransaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A real store whose next write fails in a chosen way. */
public final class FaultyStore implements Store {
  /** How a write fails. */
  public enum Fault {
    NONE,
    /** Before anything happened. */
    UNAVAILABLE,
    /** After the commit, on the way back. */
    LOST_ANSWER,
    /** Before the commit, but nobody knows. */
    LOST_COMMIT,
    /** After the commit, by something that should never happen. */
    ERROR_AFTERWARDS,
    /** The same, when all is done but the commit. */
    ERROR_BEFORE
  }

  private final Store store;
  private final AtomicReference<Fault> next = new AtomicReference<>(Fault.NONE);

  public FaultyStore(Store store) {
    this.store = store;
  }

  /** Makes the next write, and only that, fail. */
  public void failNextWrite(Fault fault) {
    next.set(fault);
  }

  @Override
  public <T extends @Nullable Object> T write(Work<? super WriteTransaction, T> work) {
    return switch (next.getAndSet(Fault.NONE)) {
      case NONE -> store.write(work);
      case UNAVAILABLE ->
          throw new StoreUnavailableException("told to fail", new IllegalStateException());
      case LOST_ANSWER -> {
        store.write(work);
        throw new CommitUnknownException("told to fail", new IllegalStateException());
      }
      case LOST_COMMIT -> throw new CommitUnknownException("told to fail", rolledBack(work));
      case ERROR_AFTERWARDS -> {
        store.write(work);
        throw new InternalError("told to fail");
      }
      case ERROR_BEFORE -> throw new InternalError("told to fail", rolledBack(work));
    };
  }

  private RolledBack rolledBack(Work<? super WriteTransaction, ?> work) {
    try {
      store.write(
          tx -> {
            work.in(tx);
            throw new RolledBack();
          });
    } catch (RolledBack e) {
      return e;
    }
    throw new IllegalStateException("the work above always throws");
  }

  private static final class RolledBack extends RuntimeException {}

  @Override
  public <T extends @Nullable Object> T read(
      Reading reading, Work<? super ReadTransaction, T> work) {
    return store.read(reading, work);
  }

  @Override
  public int[] assignUsers(long tenant, int known, List<String> ids) {
    return store.assignUsers(tenant, known, ids);
  }

  @Override
  public boolean compact() {
    return store.compact();
  }

  @Override
  public int shards() {
    return store.shards();
  }

  @Override
  public int lanes() {
    return store.lanes();
  }

  @Override
  public boolean isShared() {
    return store.isShared();
  }

  @Override
  public void awaitHint(Duration atMost) throws InterruptedException {
    store.awaitHint(atMost);
  }

  @Override
  public void check() {
    store.check();
  }

  @Override
  public void close() {
    store.close();
  }
}
