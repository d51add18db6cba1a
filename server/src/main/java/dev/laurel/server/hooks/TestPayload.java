package dev.laurel.server.hooks;

import dev.laurel.core.hooks.Webhooks;
import dev.laurel.core.store.Webhook;
import dev.laurel.server.http.JsonOut;

/** The JSON of an event that only shows that messages arrive. */
public final class TestPayload {
  private TestPayload() {}

  public static String encode(String eventId, long at, String tenantId, Webhook webhook) {
    JsonOut out = new JsonOut(256);
    out.beginObject();
    out.name("id").string(eventId);
    out.name("event").string(Webhooks.TEST);
    out.name("createdAt").timestamp(at);
    out.name("tenantId").string(tenantId);
    out.name("webhookId").number(webhook.id());
    return out.endObject().toString();
  }
}
