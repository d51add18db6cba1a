package dev.laurel.core.cluster;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.store.JobStore;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import dev.laurel.core.vital.Failures;
import dev.laurel.core.vital.Vital;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows what other nodes commit to a shared store: the configuration by the revision, seasons in
 * memory by the lines of the shards. Looks when another node says something, and else four times a
 * second. A turn with nothing to do reads a few rows.
 */
public final class StoreFollower implements AutoCloseable, Vital {
  private static final Duration POLL = Duration.ofMillis(250);

  private final RememberedStore store;
  private final Store jobs;
  private final BoardDirectory directory;
  private final List<Runnable> configuration;
  private final LongConsumer moved;
  private final Consumer<Throwable> onFailure;
  private final Thread thread;
  private volatile boolean closed;
  private final LedgerFollower ledger;

  /** That of before this: keys may have been read before it. */
  private long revision;

  /** When the last turn that knew everything began. */
  private volatile long level = System.nanoTime();

  /** An outage is reported once, not four times a second. */
  private boolean failing;

  /**
   * Starts. What was committed before is left to those who load it later.
   *
   * @param configuration what to do when the revision has changed, beside the boards
   * @param moved hears of the boards that others have changed, by number
   */
  public StoreFollower(
      RememberedStore store,
      BoardDirectory directory,
      List<Runnable> configuration,
      RankIndex index,
      LongConsumer moved,
      Consumer<Throwable> onFailure) {
    this.store = store;
    this.directory = directory;
    this.configuration = List.copyOf(configuration);
    this.moved = moved;
    this.onFailure = onFailure;
    this.jobs = new JobStore(store);
    this.ledger = new LedgerFollower(jobs, directory, index);
    this.thread = Thread.ofPlatform().name("laurel-store-follower").daemon().start(this::run);
  }

  private void run() {
    while (!closed) {
      try {
        store.awaitHint(POLL);
        long begin = System.nanoTime();
        lookAround();
        level = begin;
        failing = false;
      } catch (InterruptedException e) {
        return;
      } catch (Throwable e) {
        if (!failing && !closed) {
          Failures.tell(onFailure, e);
        }
        failing = true;
        // Where not even a wait is possible.
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }

  @Override
  public @Nullable String lost() {
    return Vital.lost(thread, closed);
  }

  /** How long ago this node last knew of everything that others had committed; any thread. */
  public long lagNanos() {
    return System.nanoTime() - level;
  }

  /** In another epoch everyone looks at what there is, and so does this. */
  private void lookAround() {
    try {
      turn();
    } catch (NewEpochException e) {
      store.enter();
      turn();
    }
  }

  /** Takes over what is new; if something fails, the next turn begins at the same place. */
  private void turn() {
    long now = jobs.read(tx -> directory.follow(tx).revision());
    // First: who is not shown any more is not shown with a new score either.
    if (now != revision) {
      configuration.forEach(Runnable::run);
      revision = now;
    }
    ledger.turn().forEach(moved::accept);
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
