package dev.laurel.server.http;

/** How often callers may call. Thread-safe. */
@FunctionalInterface
public interface Limits {
  Limits NONE = (exchange, mayWait) -> {};

  /**
   * Counts a request of a caller who is known by now, if callers of that kind are counted.
   *
   * @param mayWait false on the event loop, where it must not block
   * @throws dev.laurel.core.model.RejectedException with RATE_LIMITED if there were too many
   * @throws UndecidedException if it would have to wait and may not
   */
  void count(Exchange exchange, boolean mayWait);
}
