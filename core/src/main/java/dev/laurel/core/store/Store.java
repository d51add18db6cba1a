package dev.laurel.core.store;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The durable truth: configuration, ledger, entries, ids. Thread-safe. What {@link #write} returned
 * from is on disk.
 *
 * <p>Failures are four: {@link StoreUnavailableException} (nothing was applied, try later; a {@link
 * TransactionLostException} is worth another try at once), {@link StoreBusyException} (the store
 * works, but had no time for this one), {@link CommitUnknownException} (ask again under the shard's
 * lock), any other {@link StoreException} (this work cannot be stored; nothing was applied). A work
 * that swallows one is not committed.
 *
 * <p>Transactions do not nest: to ask for one inside a work is an {@link IllegalStateException}, as
 * it would wait for itself. A new store has the tenant {@code default} with number 1, and no more.
 */
public interface Store extends AutoCloseable {
  /** Work in one transaction. */
  @FunctionalInterface
  interface Work<X, T extends @Nullable Object> {
    T in(X transaction);
  }

  /**
   * Runs the work in one transaction and commits it; an exception rolls it back and is rethrown.
   */
  <T extends @Nullable Object> T write(Work<? super WriteTransaction, T> work);

  /**
   * What a read is for. Each kind waits only for its own kind, so that neither much work nor many
   * callers keep anybody else from reading.
   */
  enum Reading {
    /** A few rows, for somebody who waits for them. */
    SHORT,

    /** Much, such as all entries of a season. Few at once. */
    LONG,

    /** A few rows, for what the clock does: seasons end on time, whoever reads. */
    JOB
  }

  /**
   * Runs the work on one consistent snapshot. As long as it runs the store keeps what others change
   * meanwhile: what goes through a whole ledger does so in many reads. A read that takes too long,
   * or does not get its turn in time, is a {@link StoreBusyException}. One whose {@link Asker} has
   * left ends with a {@link java.util.concurrent.CancellationException}, unless it is of a job.
   */
  <T extends @Nullable Object> T read(Reading reading, Work<? super ReadTransaction, T> work);

  /** A short one. */
  default <T extends @Nullable Object> T read(Work<? super ReadTransaction, T> work) {
    return read(Reading.SHORT, work);
  }

  /**
   * Numbers for user ids, in the order asked; ids that nobody has numbered get the tenant's next
   * numbers. A transaction of its own, so that a number once given is never taken back by a
   * rollback.
   *
   * <p>No store has an index of ids, the dearest one to write of all: the caller's dictionary is
   * that index, and the store looks only at what the dictionary cannot know, the users above {@code
   * known}. That is exact, also with other threads and nodes at work, under one condition.
   *
   * @param known the caller looked for the ids among <em>all</em> of these and found none of them:
   *     the size of a dictionary, read <em>before</em> the look. {@link KnownUsers#NOBODY} is
   *     always right, and reads every user.
   * @throws NewEpochException if they were known in another epoch: there others may have the
   *     numbers
   */
  int[] assignUsers(long tenant, KnownUsers known, List<String> ids);

  /** How many shards boards are spread over; fixed when the store is created. */
  int shards();

  /**
   * How many committers the store can use at once. One means that every commit locks the whole
   * store, so one committer takes what waits for all shards and one fsync serves everyone.
   */
  int lanes();

  /**
   * Whether other processes may write to it too. Then whoever keeps something of it in memory has
   * to look for what they did.
   */
  boolean isShared();

  /**
   * Waits until another process lets know that it committed something, but not longer than told. A
   * hint: it may come late, or never. For one thread, of a shared store.
   */
  void awaitHint(Duration atMost) throws InterruptedException;

  /**
   * A small step towards giving unused space back, if there is much of it.
   *
   * @return whether another step is worth it
   */
  boolean compact();

  /** Fails with what is wrong if the store cannot be read and written now. */
  void check();

  /** Whether it is known that nothing can be written now. Never blocks. */
  default boolean isDown() {
    return false;
  }

  /** How its connections are used, a row for each kind; always the same kinds. Never blocks. */
  default List<Pool> pools() {
    return List.of();
  }

  @Override
  void close();
}
