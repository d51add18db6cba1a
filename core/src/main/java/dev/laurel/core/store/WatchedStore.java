package dev.laurel.core.store;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store that remembers whether it could be reached the last time. So those who can do without it
 * go on, and those who cannot are told at once instead of waiting for it one after the other.
 * Thread-safe.
 *
 * <p>Only what was written proves that it is back: a full disk can still be read.
 */
public final class WatchedStore implements Store {
  private final Store store;
  private volatile boolean down;

  public WatchedStore(Store store) {
    this.store = store;
  }

  @Override
  public boolean isDown() {
    return down;
  }

  /** Looks whether it is back, if it is down; to be called now and then. Blocks. */
  public void look() {
    if (down) {
      check();
    }
  }

  @Override
  public <T extends @Nullable Object> T write(Work<? super WriteTransaction, T> work) {
    try {
      T result = store.write(work);
      up();
      return result;
    } catch (StoreUnavailableException e) {
      throw noticed(e);
    }
  }

  @Override
  public <T extends @Nullable Object> T read(
      Reading reading, Work<? super ReadTransaction, T> work) {
    try {
      return store.read(reading, work);
    } catch (StoreUnavailableException e) {
      throw noticed(e);
    }
  }

  @Override
  public int[] assignUsers(long tenant, KnownUsers known, List<String> ids) {
    try {
      return store.assignUsers(tenant, known, ids);
    } catch (StoreUnavailableException e) {
      throw noticed(e);
    }
  }

  @Override
  public void check() {
    try {
      store.check();
      up();
    } catch (StoreUnavailableException e) {
      throw noticed(e);
    }
  }

  /** Written only when it changes: what everyone reads stays in everyone's cache. */
  private void up() {
    if (down) {
      down = false;
    }
  }

  /** A transaction that was lost is tried again at once; that tells what it was. */
  private StoreUnavailableException noticed(StoreUnavailableException failure) {
    if (!(failure instanceof TransactionLostException)) {
      down = true;
    }
    return failure;
  }

  @Override
  public boolean compact() {
    try {
      return store.compact();
    } catch (StoreUnavailableException e) {
      throw noticed(e);
    }
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
  public List<Pool> pools() {
    return store.pools();
  }

  @Override
  public void awaitHint(Duration atMost) throws InterruptedException {
    store.awaitHint(atMost);
  }

  @Override
  public void close() {
    store.close();
  }
}
