package dev.laurel.core.store;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store for what the clock does: its short reads wait for other jobs only, and not for those
 * who call. The rest is the store's. Thread-safe.
 */
public record JobStore(Store store) implements Store {
  @Override
  public <T extends @Nullable Object> T read(
      Reading reading, Work<? super ReadTransaction, T> work) {
    return store.read(reading == Reading.SHORT ? Reading.JOB : reading, work);
  }

  @Override
  public <T extends @Nullable Object> T write(Work<? super WriteTransaction, T> work) {
    return store.write(work);
  }

  @Override
  public int[] assignUsers(long tenant, KnownUsers known, List<String> ids) {
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
  public List<Pool> pools() {
    return store.pools();
  }

  @Override
  public boolean isDown() {
    return store.isDown();
  }

  /** Whoever opened the store closes it. */
  @Override
  public void close() {}
}
