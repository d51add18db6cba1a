package dev.laurel.server.live;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.FairShares;
import dev.laurel.core.model.Rejection;
import dev.laurel.server.http.Exchange;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many streams there may be, in all and from one address; 0 for no limit. The boards of one
 * tenant have a part of them only ({@link FairShares}). Thread-safe.
 */
final class LiveLimits {
  /** Streams last: whoever finds no room need not ask again at once. */
  private static final String RETRY_AFTER_SECONDS = "5";

  private final int all;
  private final int perAddress;
  private final FairShares open;
  private final ConcurrentHashMap<String, Integer> byAddress = new ConcurrentHashMap<>();

  LiveLimits(int all, int perAddress) {
    this.all = all;
    this.open = new FairShares(all == 0 ? Integer.MAX_VALUE : all);
    this.perAddress = perAddress;
  }

  int open() {
    return (int) open.used();
  }

  /**
   * Takes a place, for which {@link #leave} is due.
   *
   * @throws dev.laurel.core.model.RejectedException if there is none
   */
  void enter(Exchange exchange, String address, long tenant) {
    if (!open.take(tenant, 1)) {
      throw Rejection.expectation(
              ErrorCode.OVERLOADED,
              "streams",
              "too many",
              "at most " + all + " on this node, a part of them of one tenant's boards")
          .asException();
    }
    if (byAddress.merge(address, 1, Integer::sum) > perAddress && perAddress > 0) {
      leave(address, tenant);
      exchange.header("Retry-After", RETRY_AFTER_SECONDS);
      throw Rejection.expectation(
              ErrorCode.RATE_LIMITED,
              "streams",
              "too many",
              "at most " + perAddress + " from one address")
          .asException();
    }
  }

  void leave(String address, long tenant) {
    open.give(tenant, 1);
    byAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
  }
}
