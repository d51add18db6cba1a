package dev.laurel.server.api;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Store;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;

/** Whether the process lives, and whether it can answer. */
final class HealthRoutes {
  private final Store store;

  HealthRoutes(Store store) {
    this.store = store;
  }

  void alive(Exchange exchange) {
    exchange.json(status("ok"));
  }

  /**
   * What orchestrators probe. Never red: without its store the node still answers reads, and with
   * all nodes red nobody would.
   */
  void ready(Exchange exchange) {
    exchange.json(status(store.isDown() ? "degraded" : "ready"));
  }

  /** As document 002 has it: red when the storage does not answer, under the code it knows. */
  void readyz(Exchange exchange) {
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
