package dev.laurel.core.review;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Asker;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where work queues that goes through a whole ledger: few are at it, few wait, one tenant has a
 * part of the places only, and everybody else is told to come back. Thread-safe.
 */
public final class LongWork {
  /** Fewer than {@link dev.laurel.core.store.Store.Reading#LONG} has connections. */
  private static final int AT_ONCE = 2;

  private static final int PLACES = 8;
  private static final int PLACES_OF_A_TENANT = 3;
  private static final long PATIENCE_SECONDS = 20;

  private final Semaphore working = new Semaphore(AT_ONCE, true);
  private final Semaphore places = new Semaphore(PLACES);
  private final ConcurrentHashMap<Long, Integer> byTenant = new ConcurrentHashMap<>();

  /**
   * Does the work when it is its turn. Blocks.
   *
   * @throws dev.laurel.core.model.RejectedException RATE_LIMITED if the tenant has too much of it
   *     under way, OVERLOADED if all together have, or it was not its turn in time
   */
  public <T extends @Nullable Object> T run(long tenant, Supplier<T> work) {
    if (byTenant.merge(tenant, 1, Integer::sum) > PLACES_OF_A_TENANT) {
      leave(tenant);
      throw Rejection.of(
              ErrorCode.RATE_LIMITED,
              "work under way: more than %d of this tenant (expected: one after the other)"
                  .formatted(PLACES_OF_A_TENANT))
          .asException();
    }
    try {
      if (!places.tryAcquire()) {
        throw overloaded();
      }
      try {
        return inTurn(work);
      } finally {
        places.release();
      }
    } finally {
      leave(tenant);
    }
  }

  /**
   * Does one step of work that others wait for in between, such as one that is sent while it is
   * read: whoever reads slowly holds no turn meanwhile. Blocks.
   *
   * @throws dev.laurel.core.model.RejectedException OVERLOADED if it was not its turn in time
   */
  public <T extends @Nullable Object> T step(Supplier<T> work) {
    return inTurn(work);
  }

  private <T extends @Nullable Object> T inTurn(Supplier<T> work) {
    if (!Asker.acquire(working, PATIENCE_SECONDS)) {
      throw overloaded();
    }
    try {
      return work.get();
    } finally {
      working.release();
    }
  }

  /** How many more would be taken. */
  int free() {
    return places.availablePermits();
  }

  private void leave(long tenant) {
    byTenant.computeIfPresent(tenant, (t, count) -> count == 1 ? null : (Integer) (count - 1));
  }

  private static RuntimeException overloaded() {
    return Rejection.of(
            ErrorCode.OVERLOADED, "too much work reads whole ledgers: try again in a moment")
        .asException();
  }
}
