package dev.laurel.core.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Webhooks and what was sent to them, as a transaction sees them. */
public interface OutboxReads {
  /** By id. */
  List<Webhook> webhooks(long tenant);

  /** Those of all tenants that want to hear of this event, by id. */
  List<Webhook> asking(String event);

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
