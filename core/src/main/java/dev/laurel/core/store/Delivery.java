package dev.laurel.core.store;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event for one webhook.
 *
 * @param id random
 * @param eventId of what happened, the same for all webhooks: a receiver knows a repetition by it
 * @param payload the JSON that is sent, the same at every attempt
 * @param nextAt when it is tried next; once it was delivered or has failed, when it is forgotten;
 *     else since when it is paused or cancelled
 * @param tries since it was made or last asked for again
 */
public record Delivery(
    String id,
    long tenant,
    long webhook,
    String eventId,
    String event,
    String payload,
    long createdAt,
    State state,
    long nextAt,
    int tries) {

  /** What became of it. */
  public enum State {
    PENDING,
    /** It waits until its webhook is not paused any more. */
    PAUSED,
    DELIVERED,
    FAILED,
    /** Its webhook was removed before. */
    CANCELLED
  }

  /** One that is alone with its event. */
  public Delivery(
      String id,
      long tenant,
      long webhook,
      String event,
      String payload,
      long createdAt,
      State state,
      long nextAt,
      int tries) {
    this(id, tenant, webhook, id, event, payload, createdAt, state, nextAt, tries);
  }

  /** A new one, due as soon as its webhook is not paused. */
  public static Delivery of(
      Webhook webhook, String eventId, String event, String payload, long now) {
    return new Delivery(
        UUID.randomUUID().toString(),
        webhook.tenant(),
        webhook.id(),
        eventId,
        event,
        payload,
        now,
        webhook.paused() ? State.PAUSED : State.PENDING,
        now,
        0);
  }

  /**
   * One try to send it.
   *
   * @param status what the receiver answered; null if it did not, for the reason in {@code error}
   */
  public record Attempt(
      int number, long at, long millis, @Nullable Integer status, @Nullable String error) {}
}
