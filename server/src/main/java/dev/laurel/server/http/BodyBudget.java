package dev.laurel.server.http;

import dev.laurel.core.model.ByteBudget;
import dev.laurel.core.model.FairShares;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How much memory the bodies of all requests may take, from their first byte until nobody needs
 * them any more. A body that does not fit is refused, and the connection ends. Thread-safe.
 *
 * <p>What counts is what has arrived, not what was announced: to announce costs a caller nothing.
 * Strangers have a small part of it, so that they cannot keep out those who have a key, and no
 * tenant has all of it ({@link FairShares}).
 */
public final class BodyBudget {
  private static final int STRANGERS_SHARE = 8;

  private final ByteBudget all;
  private final ByteBudget strangers;
  private final FairShares shares;
  private final LongAdder refusedShares = new LongAdder();

  public BodyBudget(long bytes) {
    this.all = new ByteBudget(bytes);
    this.strangers = new ByteBudget(bytes / STRANGERS_SHARE);
    this.shares = new FairShares(bytes);
  }

  /**
   * For a body that begins to arrive.
   *
   * @param known whether the caller has shown a key, or is let in without one by the operator
   * @param tenant the caller's, or {@link FairShares#STRANGERS}
   */
  Hold hold(boolean known, long tenant) {
    return new Hold(this, known, tenant);
  }

  public long used() {
    return all.used();
  }

  public long limit() {
    return all.limit();
  }

  /** How many bodies did not fit. */
  public long refused() {
    return all.refused() + strangers.refused() + refusedShares.sum();
  }

  /** What one body has of it. It grows on one thread, and any thread may release it. */
  static final class Hold {
    private final BodyBudget budget;
    private final boolean known;
    private final long tenant;
    private final AtomicLong bytes = new AtomicLong();

    private Hold(BodyBudget budget, boolean known, long tenant) {
      this.budget = budget;
      this.known = known;
      this.tenant = tenant;
    }

    /** False if there is no room for so much more. */
    boolean grow(long more) {
      long held = bytes.get();
      if (!known && !budget.strangers.take(more, held)) {
        return false;
      }
      boolean fits = budget.all.take(more, held);
      if (fits && !budget.shares.take(tenant, more, held)) {
        budget.all.give(more);
        budget.refusedShares.increment();
        fits = false;
      }
      if (!fits) {
        if (!known) {
          budget.strangers.give(more);
        }
        return false;
      }
      bytes.addAndGet(more);
      return true;
    }

    void release() {
      long held = bytes.getAndSet(0);
      if (held == 0) {
        return;
      }
      budget.all.give(held);
      budget.shares.give(tenant, held);
      if (!known) {
        budget.strangers.give(held);
      }
    }
  }
}
