package dev.laurel.testkit;

import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A store that goes over to another one which was the same up to some moment, as a database does
 * when a replica is promoted that lagged behind.
 */
public final class TwoHistories implements Store {
  private final Store first;
  private final Store second;
  private final AtomicReference<Runnable> beforeWrite = new AtomicReference<>(() -> {});
  private final AtomicReference<Runnable> afterAssigning = new AtomicReference<>(() -> {});
  private volatile Store current;

  public TwoHistories(Store first, Store second) {
    this.first = first;
    this.second = second;
    this.current = first;
  }

  /** From now on it is the second one. */
  public void promote() {
    current = second;
  }

  /** And the first one again, as where a server that was thought dead is asked once more. */
  public void goBack() {
    current = first;
  }

  public Store second() {
    return second;
  }

  /** Once, before the next write. */
  public void beforeNextWrite(Runnable step) {
    beforeWrite.set(step);
  }

  /** Once, when the next users have their numbers. */
  public void afterNextAssigning(Runnable step) {
    afterAssigning.set(step);
  }

  @Override
  public <T extends @Nullable Object> T write(Work<? super WriteTransaction, T> work) {
    beforeWrite.getAndSet(() -> {}).run();
    return current.write(work);
  }

  @Override
  public <T extends @Nullable Object> T read(
      Reading reading, Work<? super ReadTransaction, T> work) {
    return current.read(reading, work);
  }

  @Override
  public int[] assignUsers(long tenant, KnownUsers known, List<String> ids) {
    int[] numbers = current.assignUsers(tenant, known, ids);
    afterAssigning.getAndSet(() -> {}).run();
    return numbers;
  }

  @Override
  public boolean compact() {
    return current.compact();
  }

  @Override
  public int shards() {
    return first.shards();
  }

  @Override
  public int lanes() {
    return first.lanes();
  }

  /** What can be promoted is. */
  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public void awaitHint(Duration atMost) throws InterruptedException {
    Thread.sleep(atMost);
  }

  @Override
  public void check() {
    current.check();
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }
}
