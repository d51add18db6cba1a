package dev.laurel.sql;

import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Outbox;
import dev.laurel.core.store.Webhook;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outbox of a transaction. */
final class SqlOutbox implements Outbox {
  private final Calls calls;
  private final WebhookTable webhooks;
  private final DeliveryTables deliveries;

  SqlOutbox(Calls calls, WebhookTable webhooks, DeliveryTables deliveries) {
    this.calls = calls;
    this.webhooks = webhooks;
    this.deliveries = deliveries;
  }

  @Override
  public List<Webhook> webhooks(long tenant) {
    return calls.run("read webhooks", () -> webhooks.ofTenant(tenant));
  }

  @Override
  public List<Webhook> asking(String event) {
    return calls.run("read who asks for an event", () -> webhooks.asking(event));
  }

  @Override
  public @Nullable Webhook webhook(long id) {
    return calls.run("read a webhook", () -> webhooks.find(id));
  }

  @Override
  public Webhook createWebhook(Webhook webhook) {
    return calls.run("create a webhook", () -> webhooks.create(webhook));
  }

  @Override
  public void changeWebhook(Webhook webhook) {
    calls.run("change a webhook", () -> webhooks.change(webhook));
  }

  @Override
  public void removeWebhook(long id, long at) {
    calls.run("remove a webhook", () -> webhooks.remove(id, at));
  }

  @Override
  public void moveAll(long webhook, Delivery.State from, Delivery.State to, long nextAt) {
    calls.run("move deliveries", () -> deliveries.moveAll(webhook, from, to, nextAt));
  }

  @Override
  public void tidyRemoved(long now) {
    calls.run(
        "tidy removed webhooks",
        () -> {
          deliveries.cancelOrphans(now);
          return webhooks.forget();
        });
  }

  @Override
  public List<Webhook> removedWebhooks(long tenant) {
    return calls.run("read removed webhooks", () -> webhooks.removed(tenant));
  }

  @Override
  public List<Webhook> withDue(long now) {
    return calls.run("read webhooks with due deliveries", () -> webhooks.withDue(now));
  }

  @Override
  public List<Delivery> dueOf(long webhook, long now, int limit) {
    return calls.run(
        "read due deliveries of a webhook", () -> deliveries.dueOf(webhook, now, limit));
  }

  @Override
  public List<Delivery> deliveries(long webhook, Delivery.@Nullable State state, int limit) {
    return calls.run("read deliveries", () -> deliveries.newest(webhook, state, limit));
  }

  @Override
  public @Nullable Delivery delivery(String id) {
    return calls.run("read a delivery", () -> deliveries.find(id));
  }

  @Override
  public List<Delivery.Attempt> attempts(String delivery) {
    return calls.run("read attempts", () -> deliveries.attempts(delivery));
  }

  @Override
  public List<Delivery> due(Delivery.State state, long now, int limit) {
    return calls.run("read due deliveries", () -> deliveries.due(state, now, limit));
  }

  @Override
  public void add(Delivery delivery) {
    calls.run("store a delivery", () -> deliveries.add(delivery));
  }

  @Override
  public boolean claim(Delivery delivery, long until) {
    return calls.run("claim a delivery", () -> deliveries.claim(delivery, until));
  }

  @Override
  public void record(String delivery, Delivery.Attempt attempt, Delivery.State state, long nextAt) {
    calls.run("record an attempt", () -> deliveries.record(delivery, attempt, state, nextAt));
  }

  @Override
  public void renew(String delivery, long nextAt) {
    calls.run("renew a delivery", () -> deliveries.renew(delivery, nextAt));
  }

  @Override
  public int forget(Delivery.State state, long now, int limit) {
    return calls.run("forget deliveries", () -> deliveries.deleteDue(state, now, limit));
  }
}
