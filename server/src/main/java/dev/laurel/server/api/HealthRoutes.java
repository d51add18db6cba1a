package dev.laurel.server.api;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.store.Store;
import dev.laurel.core.time.WatchedClock;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import java.util.List;
import java.util.function.Supplier;

/** Whether the process lives, and whether it can answer. */
final class HealthRoutes {
  private final Store store;
  private final RankIndex index;
  private final WatchedClock clock;
  private final Supplier<List<String>> lost;

  /**
   * @param lost threads that have ended and should not have
   */
  HealthRoutes(Store store, RankIndex index, WatchedClock clock, Supplier<List<String>> lost) {
    this.store = store;
    this.index = index;
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
   * What orchestrators probe. Not red for the sake of the store or of Redis: without either the
   * node still answers reads, and with all nodes red nobody would.
   */
  void ready(Exchange exchange) {
    requireThreads();
    JsonOut out = new JsonOut(64).beginObject();
    out.name("status").string(store.isDown() || index.isDown() ? "degraded" : "ready");
    if (index.isDown()) {
      out.name("redis").string("DOWN");
    }
    if (clock.inDoubt() != null) {
      out.name("clock").string("IN_DOUBT");
    }
    exchange.json(out.endObject());
  }

  /** As the games API has it: red when the storage does not answer, under the code it knows. */
  void readyz(Exchange exchange) {
    requireThreads();
    require("storage", store::check);
    require("redis", index::check);
    exchange.json(status("ready"));
  }

  private static void require(String what, Runnable check) {
    try {
      check.run();
    } catch (RuntimeException e) {
      throw Rejection.of(
              ErrorCode.REDIS_UNAVAILABLE, what + ": not answering (expected: an answer)")
          .asException();
    }
  }

  private static JsonOut status(String status) {
    return new JsonOut(32).beginObject().name("status").string(status).endObject();
  }
}
