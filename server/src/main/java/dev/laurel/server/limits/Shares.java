package dev.laurel.server.limits;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places of which one tenant has a part only, so that what one tenant does leaves some to the
 * others. Never waits. Thread-safe.
 */
public final class Shares {
  private final int places;
  private final int ofATenant;
  private final AtomicInteger taken = new AtomicInteger();
  private final ConcurrentHashMap<Long, Integer> byTenant = new ConcurrentHashMap<>();

  public Shares(int places, int ofATenant) {
    this.places = places;
    this.ofATenant = ofATenant;
  }

  /**
   * {@link #leave} is due afterwards.
   *
   * @throws dev.laurel.core.model.RejectedException RATE_LIMITED if the tenant has its part,
   *     OVERLOADED if all places are taken
   */
  public void enter(long tenant) {
    if (byTenant.merge(tenant, 1, Integer::sum) > ofATenant) {
      forget(tenant);
      throw Rejection.of(
              ErrorCode.RATE_LIMITED,
              "at once: more than %d of this tenant (expected: fewer, try again later)"
                  .formatted(ofATenant))
          .asException();
    }
    if (taken.incrementAndGet() > places) {
      taken.decrementAndGet();
      forget(tenant);
      throw Rejection.of(ErrorCode.OVERLOADED, "too many at once: try again later").asException();
    }
  }

  public void leave(long tenant) {
    taken.decrementAndGet();
    forget(tenant);
  }

  private void forget(long tenant) {
    byTenant.computeIfPresent(tenant, (_, count) -> count == 1 ? null : (Integer) (count - 1));
  }
}
