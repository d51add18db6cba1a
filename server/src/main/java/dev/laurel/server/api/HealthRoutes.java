package dev.laurel.server.api;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Store;
import dev.laurel.core.time.WatchedClock;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import java.util.List;
import java.util.function.Supplier;

/** Whether the process lives, and whether it can answer. */
final class HealthRoutes {
  private final Store store;
  private final WatchedClock clock;
  private final Supplier<List<String>> lost;

  /**
   * @param lost threads that have ended and should not have
   */
  HealthRoutes(Store store, WatchedClock clock, Supplier<List<String>> lost) {
    this.store = store;
    this.clock = clock;
    this.lost = lost;
  }

  void alive(Exchange exchange) {
    requireThreads();
    exchange.json(status("ok"));
  }

  /** Nobody does what they did, and nobody starts them again: only a new process helps. */
  private void requireThreads() {
    List<String> ended = lost.get();
    if (!ended.isEmpty()) {
      throw Rejection.of(
              ErrorCode.NODE_FAILED,
              "threads: %s ended (expected: none); start the node anew"
                  .formatted(String.join(", ", ended)))
          .asException();
    }
  }

  /**
   * What orchestrators probe. Not red for the sake of the store: without it the node still answers
   * reads, and with all nodes red nobody would.
   */
  void ready(Exchange exchange) {
    requireThreads();
    JsonOut out = new JsonOut(64).beginObject();
    out.name("status").string(store.isDown() ? "degraded" : "ready");
    if (clock.inDoubt() != null) {
      out.name("clock").string("IN_DOUBT");
    }
    exchange.json(out.endObject());
  }

  /** As document 002 has it: red when the storage does not answer, under the code it knows. */
  void readyz(Exchange exchange) {
    requireThreads();
    check(ErrorCode.REDIS_UNAVAILABLE);
    exchange.json(status("ready"));
  }

  private void check(ErrorCode code) {
    try {
      store.check();
    } catch (RuntimeException e) {
      throw Rejection.of(code, "storage: not answering (expected: an answer)").asException();
    }
  }

  private static JsonOut status(String status) {
    return new JsonOut(32).beginObject().name("status").string(status).endObject();
  }
}
