package dev.laurel.core.store;

/** What changes webhooks and deliveries. */
public interface Outbox extends OutboxReads {
  /** Its id is not looked at. */
  Webhook createWebhook(Webhook webhook);

  /** Stores what its owner has changed. */
  void changeWebhook(Webhook webhook);

  /** It has no secret any more. Its deliveries stay; see {@link #moveAll} for those that wait. */
  void removeWebhook(long id, long at);

  /** Puts all deliveries of a webhook that are in one state into another. */
  void moveAll(long webhook, Delivery.State from, Delivery.State to, long nextAt);

  /**
   * Cancels what waits for webhooks that are not there any more: somebody may have added it while
   * they were removed. Then removes webhooks of which no delivery is kept.
   */
  void tidyRemoved(long now);

  void add(Delivery delivery);

  /**
   * Puts a pending delivery off until a time, unless somebody else did since it was read: of
   * several who want to send it, one does.
   */
  boolean claim(Delivery delivery, long until);

  /**
   * Keeps an attempt (whose number is not looked at), counts it, and says what becomes of the
   * delivery. One that has ended meanwhile stays as it is, one that is gone stays gone, and one
   * that was paused meanwhile is not pending by it.
   */
  void record(String delivery, Delivery.Attempt attempt, Delivery.State state, long nextAt);

  /** Makes a delivery pending, as if it were new. */
  void renew(String delivery, long nextAt);

  /**
   * Removes deliveries in this state whose time has come, with their attempts, longest overdue
   * first.
   *
   * @return how many
   */
  int forget(Delivery.State state, long now, int limit);
}
