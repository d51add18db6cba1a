package dev.laurel.sql;

import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Outbox;
import dev.laurel.core.store.Webhook;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outbox of a transaction; fails, and remembers it, as the transaction does. */
final class SqlOutbox implements Outbox {
  private final SqlTransaction tx;
  private final WebhookTable webhooks;
  private final DeliveryTables deliveries;

  SqlOutbox(SqlTransaction tx, WebhookTable webhooks, DeliveryTables deliveries) {
    this.tx = tx;
    this.webhooks = webhooks;
    this.deliveries = deliveries;
  }

  @Override
  public List<Webhook> webhooks(long tenant) {
    return tx.call("read webhooks", () -> webhooks.ofTenant(tenant));
  }

  @Override
  public @Nullable Webhook webhook(long id) {
    return tx.call("read a webhook", () -> webhooks.find(id));
  }

  @Override
  public Webhook createWebhook(Webhook webhook) {
    return tx.call("create a webhook", () -> webhooks.create(webhook));
  }

  @Override
  public void deleteWebhook(long id) {
    tx.call(
        "delete a webhook",
        () -> {
          deliveries.deleteAllOf(id);
          return webhooks.delete(id);
        });
  }

  @Override
  public List<Delivery> deliveries(long webhook, Delivery.@Nullable State state, int limit) {
    return tx.call("read deliveries", () -> deliveries.newest(webhook, state, limit));
  }

  @Override
  public @Nullable Delivery delivery(String id) {
    return tx.call("read a delivery", () -> deliveries.find(id));
  }

  @Override
  public List<Delivery.Attempt> attempts(String delivery) {
    return tx.call("read attempts", () -> deliveries.attempts(delivery));
  }

  @Override
  public List<Delivery> due(Delivery.State state, long now, int limit) {
    return tx.call("read due deliveries", () -> deliveries.due(state, now, limit));
  }

  @Override
  public void add(Delivery delivery) {
    tx.call("store a delivery", () -> deliveries.add(delivery));
  }

  @Override
  public boolean claim(Delivery delivery, long until) {
    return tx.call("claim a delivery", () -> deliveries.claim(delivery, until));
  }

  @Override
  public void record(String delivery, Delivery.Attempt attempt, Delivery.State state, long nextAt) {
    tx.call("record an attempt", () -> deliveries.record(delivery, attempt, state, nextAt));
  }

  @Override
  public void renew(String delivery, long nextAt) {
    tx.call("renew a delivery", () -> deliveries.renew(delivery, nextAt));
  }

  @Override
  public void forget(String delivery) {
    tx.call("forget a delivery", () -> deliveries.delete(delivery));
  }
}
