package dev.laurel.testkit;

import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreBusyException;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.WriteTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A real store whose next write fails in a chosen way, or beside whose reads something happens. */
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
  private volatile @Nullable String refused;
  private final AtomicReference<Fault> next = new AtomicReference<>(Fault.NONE);

  private final AtomicReference<Runnable> afterAssignment = new AtomicReference<>(() -> {});
  private volatile Runnable afterLongRead = () -> {};
  private volatile @Nullable Runnable beforeLocks;

  public FaultyStore(Store store) {
    this.store = store;
  }

  /** Lets something happen right after users got numbers, before the caller hears of it. */
  public void afterNextAssignment(Runnable then) {
    afterAssignment.set(then);
  }

  /** Makes the next write, and only that, fail. */
  public void failNextWrite(Fault fault) {
    next.set(fault);
  }

  /** Happens after each long read, before whoever read goes on. */
  public void afterLongRead(Runnable happens) {
    afterLongRead = happens;
  }

  /** Happens whenever a commit lane is about to ask for a shard's lock; null for nothing. */
  public void beforeLocks(@Nullable Runnable happens) {
    beforeLocks = happens;
  }

  /** Where one process writes, its turn to write is the lock. */
  private <T extends @Nullable Object> T watched(
      Runnable happens, Work<? super WriteTransaction, T> work) {
    if (!store.isShared()) {
      happens.run();
      return store.write(work);
    }
    return store.write(
        tx ->
            work.in(
                (WriteTransaction)
                    Proxy.newProxyInstance(
                        WriteTransaction.class.getClassLoader(),
                        new Class<?>[] {WriteTransaction.class},
                        (_, method, given) -> {
                          if (method.getName().startsWith("lockShard")) {
                            happens.run();
                          }
                          try {
                            return method.invoke(tx, given);
                          } catch (InvocationTargetException e) {
                            throw e.getCause() == null ? e : e.getCause();
                          }
                        })));
  }

  @Override
  public <T extends @Nullable Object> T write(Work<? super WriteTransaction, T> work) {
    Runnable happens = beforeLocks;
    if (happens != null && Thread.currentThread().getName().startsWith("laurel-commit")) {
      return watched(happens, work);
    }
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

  /** Whether threads whose names begin so find no connection to read with. */
  public void refuseReadsOf(@Nullable String threads) {
    refused = threads;
  }

  @Override
  public <T extends @Nullable Object> T read(
      Reading reading, Work<? super ReadTransaction, T> work) {
    String nobody = refused;
    if (nobody != null && Thread.currentThread().getName().startsWith(nobody)) {
      throw new StoreBusyException("told to refuse reads");
    }
    T result = store.read(reading, work);
    if (reading == Reading.LONG) {
      afterLongRead.run();
    }
    return result;
  }

  @Override
  public int[] assignUsers(long tenant, KnownUsers known, List<String> ids) {
    int[] numbers = store.assignUsers(tenant, known, ids);
    afterAssignment.getAndSet(() -> {}).run();
    return numbers;
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
