package dev.laurel.server.http;

import dev.laurel.core.access.Principal;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.FairShares;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Asker;
import dev.laurel.core.store.RememberedStore;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Runs the handlers that may wait, each on a virtual thread. Threads are cheap, but what they wait
 * for is not: above a bound callers are told to come back. A tenant has a part of the places only
 * ({@link FairShares}). Thread-safe.
 */
final class BlockingCalls implements AutoCloseable {
  private static final int SHARE_WHILE_TIGHT = 4;

  private final FairShares permits;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("http-", 0).factory());

  private final int max;
  private final HeapPressure heap;
  private final RememberedStore store;

  BlockingCalls(int max, HeapPressure heap, RememberedStore store) {
    this.permits = new FairShares(max);
    this.max = max;
    this.heap = heap;
    this.store = store;
  }

  /**
   * @param atOnce whether the handler must have answered when it returns; one that hands the
   *     exchange on answers later
   */
  void run(Handler handler, Exchange exchange, boolean atOnce) {
    Principal caller = exchange.principal();
    long tenant = caller == null ? FairShares.STRANGERS : caller.tenant();
    if (heap.isTight() && !Probes.is(exchange.route()) && isTooMuch(tenant)) {
      throw heap.refuse(exchange);
    }
    if (!permits.take(tenant, 1)) {
      throw Rejection.of(ErrorCode.OVERLOADED, "too many requests at once: try again later")
          .asException();
    }
    Asker asker = exchange.asker();
    try {
      threads.execute(
          () -> {
            try {
              // Who calls, and what was looked up so far, is of the era that it came in.
              store.during(
                  exchange.era(), () -> asker.during(() -> handle(handler, exchange, atOnce)));
            } catch (Throwable e) {
              if (e instanceof CancellationException && asker.hasLeft()) {
                exchange.streamEnded(Exchange.CALLER_GONE);
              } else {
                exchange.fail(e);
              }
            } finally {
              permits.give(tenant, 1);
            }
          });
    } catch (RuntimeException e) {
      permits.give(tenant, 1);
      throw e;
    }
  }

  /** While memory is short: strangers, and more than a part of what there are places for. */
  private boolean isTooMuch(long tenant) {
    return tenant == FairShares.STRANGERS || permits.used() >= max / SHARE_WHILE_TIGHT;
  }

  private static void handle(Handler handler, Exchange exchange, boolean atOnce) throws Exception {
    Asker.requireCurrent();
    handler.handle(exchange);
    if (atOnce) {
      // A handler may have noticed by itself that there is nobody to be answered.
      Asker.requireCurrent();
      exchange.mustBeAnswered();
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
