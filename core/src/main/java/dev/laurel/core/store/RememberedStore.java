package dev.laurel.core.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A store of which this node remembers much: who has which number, which boards there are, whose
 * keys are in force. All of that is of one epoch. When a transaction finds the store in another
 * one, such as after a replica was promoted that lagged behind, everything is forgotten and read
 * anew, and whoever used what was remembered gets a {@link NewEpochException}. Thread-safe.
 *
 * <p>What takes several transactions belongs to the era that it began in ({@link #during}): it
 * holds numbers that it looked up before.
 */
public final class RememberedStore implements Store {
  private static final ScopedValue<Era> BEGUN = ScopedValue.newInstance();

  private final Store store;
  private final List<Part> parts = new CopyOnWriteArrayList<>();
  private final ReentrantLock entering = new ReentrantLock();
  private volatile Era era;

  /** Something that is remembered of the store. */
  @FunctionalInterface
  public interface Part {
    /**
     * Forgets everything, and reads what has to be in memory. If it fails it is called again. Until
     * all parts have done it, nothing can be asked of the store.
     */
    void enter(ReadTransaction tx);
  }

  /** The time in which this node remembers one epoch of the store; compared by identity. */
  public static final class Era {
    private final long epoch;
    private final boolean begun;

    private Era(long epoch, boolean begun) {
      this.epoch = epoch;
      this.begun = begun;
    }

    public long epoch() {
      return epoch;
    }

    /** Fails unless the transaction is in this era's epoch. */
    public void require(ReadTransaction tx) {
      if (!begun || tx.epoch() != epoch) {
        throw new NewEpochException();
      }
    }
  }

  public RememberedStore(Store store) {
    this.store = store;
    this.era = new Era(store.read(tx -> tx.epoch()), true);
  }

  /** From now on. Parts enter another epoch in the order in which they were made. */
  public void remember(Part part) {
    parts.add(part);
  }

  /** The one of now. Never blocks. */
  public Era era() {
    return era;
  }

  /** Fails unless it is still this era: then what was found in memory since is of one history. */
  public void require(Era same) {
    if (era != same) {
      throw new NewEpochException();
    }
  }

  /** Several steps, each of which may be a transaction. */
  @FunctionalInterface
  public interface Steps<X extends Exception> {
    void take() throws X;
  }

  /** Every transaction that the steps ask for on this thread is one of the era, or fails. */
  public <X extends Exception> void during(Era begun, Steps<X> steps) throws X {
    boolean _ =
        ScopedValue.where(BEGUN, begun)
            .<Boolean, X>call(
                () -> {
                  steps.take();
                  return true;
                });
  }

  private Era begun() {
    return BEGUN.isBound() ? BEGUN.get() : era;
  }

  /** Looks in which epoch the store is, and remembers that one. Blocks; waits for who is at it. */
  public void enter() {
    entering.lock();
    try {
      store.read(Reading.JOB, this::entered);
    } finally {
      entering.unlock();
    }
  }

  private boolean entered(ReadTransaction tx) {
    Era last = era;
    if (!last.begun || last.epoch != tx.epoch()) {
      // First of all: what is found while some parts are in one epoch and some in another does not
      // count.
      era = new Era(last.epoch, false);
      parts.forEach(part -> part.enter(tx));
      era = new Era(tx.epoch(), true);
    }
    return true;
  }

  /** Not if somebody else is at it, who may wait for what this thread holds. */
  private NewEpochException noticed(NewEpochException news, Era begun) {
    if (era == begun || !era.begun) {
      try {
        if (entering.tryLock()) {
          try {
            enter();
          } finally {
            entering.unlock();
          }
        }
      } catch (StoreException e) {
        // The next one who asks tries again.
        news.addSuppressed(e);
      }
    }
    return news;
  }

  @Override
  public <T extends @Nullable Object> T read(
      Reading reading, Work<? super ReadTransaction, T> work) {
    Era begun = begun();
    try {
      return store.read(
          reading,
          tx -> {
            begun.require(tx);
            return work.in(tx);
          });
    } catch (NewEpochException e) {
      throw noticed(e, begun);
    }
  }

  @Override
  public <T extends @Nullable Object> T write(Work<? super WriteTransaction, T> work) {
    Era begun = begun();
    try {
      return store.write(
          tx -> {
            begun.require(tx);
            return work.in(tx);
          });
    } catch (NewEpochException e) {
      throw noticed(e, begun);
    }
  }

  @Override
  public int[] assignUsers(long tenant, KnownUsers known, List<String> ids) {
    Era begun = begun();
    try {
      return store.assignUsers(tenant, known, ids);
    } catch (NewEpochException e) {
      throw noticed(e, begun);
    }
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
  public List<Pool> pools() {
    return store.pools();
  }

  @Override
  public boolean isDown() {
    return store.isDown();
  }

  @Override
  public void close() {
    store.close();
  }
}
