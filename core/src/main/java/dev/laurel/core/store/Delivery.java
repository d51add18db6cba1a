package dev.laurel.core.store;

import org.jspecify.annotations.Nullable;

/**
 * One event for one webhook.
 *
 * @param id random; the receiver knows a repetition by it
 * @param payload the JSON that is sent, the same at every attempt
 * @param nextAt when it is tried next; once it has ended, when it is forgotten
 * @param tries since it was made or last asked for again
 */
public record Delivery(
    String id,
    long tenant,
    long webhook,
    String event,
    String payload,
    long createdAt,
    State state,
    long nextAt,
    int tries) {

  /** What became of it. */
  public enum State {
    PENDING,
    DELIVERED,
    FAILED
  }

  /**
   * One try to send it.
   *
   * @param status what the receiver answered; null if it did not, for the reason in {@code error}
   */
  public record Attempt(
      int number, long at, long millis, @Nullable Integer status, @Nullable String error) {}
}
