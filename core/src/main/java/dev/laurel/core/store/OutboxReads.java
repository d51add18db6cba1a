package dev.laurel.core.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Webhooks and what was sent to them, as a transaction sees them. */
public interface OutboxReads {
  /** Those that are there, by id. */
  List<Webhook> webhooks(long tenant);

  /** Those that were removed and of which deliveries are kept, by id. */
  List<Webhook> removedWebhooks(long tenant);

  /** Those that are there and have a pending delivery whose time has come, by id. */
  List<Webhook> withDue(long now);

  /** The pending deliveries of a webhook whose time has come, longest overdue first. */
  List<Delivery> dueOf(long webhook, long now, int limit);

  /** Those of all tenants that want to hear of this event, by id. */
  List<Webhook> asking(String event);

  /** Also one that was removed, as long as deliveries of it are kept. */
  @Nullable Webhook webhook(long id);

  /**
   * The newest first.
   *
   * @param state null for all
   */
  List<Delivery> deliveries(long webhook, Delivery.@Nullable State state, int limit);

  @Nullable Delivery delivery(String id);

  /** The first one first. */
  List<Delivery.Attempt> attempts(String delivery);

  /** The deliveries in this state whose time has come, longest overdue first. */
  List<Delivery> due(Delivery.State state, long now, int limit);
}
