package dev.laurel.server.api;

import dev.laurel.core.board.Boards;
import dev.laurel.core.hooks.Webhooks;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.Webhook;
import dev.laurel.server.hooks.TestPayload;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Webhooks of the caller's tenant, and what was sent to them. */
final class WebhookRoutes {
  private static final int MAX_EVENTS = 6;
  private static final int DAY_SECONDS = 86_400;
  private static final int MAX_OVERLAP_SECONDS = 30 * DAY_SECONDS;

  private final Webhooks webhooks;
  private final Boards boards;

  WebhookRoutes(Webhooks webhooks, Boards boards) {
    this.webhooks = webhooks;
    this.boards = boards;
  }

  void create(Exchange exchange) {
    Fields fields = exchange.fields();
    String url = fields.string("url");
    String secret = fields.optionalString("secret");
    List<String> events = fields.has("events") ? fields.strings("events", MAX_EVENTS) : null;
    String uuid = fields.optionalString("UUID");
    fields.done();
    requireBoard(exchange, uuid);
    OnceOnly.Answer answer =
        webhooks.create(
            exchange.caller(),
            new Webhooks.Definition(url, secret, events, uuid),
            RequestKey.forConfiguration(exchange),
            WebhookRoutes::encode);
    BoardRoutes.send(exchange.status(201), answer);
  }

  private void requireBoard(Exchange exchange, @Nullable String uuid) {
    if (uuid != null && boards.find(exchange.caller().tenant(), uuid) == null) {
      throw Rejection.invalid("UUID", uuid, "a board of this tenant").asException();
    }
  }

  private static byte[] encode(Webhook webhook, @Nullable String secret) {
    JsonOut out = new JsonOut(512);
    write(out, webhook, secret);
    return out.toByteArray();
  }

  void get(Exchange exchange) {
    JsonOut out = new JsonOut(512);
    write(out, webhooks.get(exchange.caller().tenant(), id(exchange)), null);
    exchange.json(out);
  }

  void change(Exchange exchange) {
    Fields fields = exchange.fields();
    String url = fields.optionalString("url");
    List<String> events = fields.has("events") ? fields.strings("events", MAX_EVENTS) : null;
    boolean everyBoard = fields.isNull("UUID");
    String uuid = everyBoard ? null : fields.optionalString("UUID");
    Boolean paused = fields.has("paused") ? (Boolean) fields.bool("paused", false) : null;
    fields.ignore("UUID");
    fields.done();
    requireBoard(exchange, uuid);
    OnceOnly.Answer answer =
        webhooks.change(
            exchange.caller().tenant(),
            id(exchange),
            new Webhooks.Edit(url, events, uuid, everyBoard, paused),
            RequestKey.forConfiguration(exchange),
            webhook -> encode(webhook, null));
    BoardRoutes.send(exchange, answer);
  }

  void rotate(Exchange exchange) {
    Fields fields = exchange.fields();
    String secret = fields.optionalString("secret");
    int seconds = fields.integer("overlapSeconds", DAY_SECONDS, 0, MAX_OVERLAP_SECONDS);
    fields.done();
    OnceOnly.Answer answer =
        webhooks.rotate(
            exchange.caller().tenant(),
            id(exchange),
            secret,
            Duration.ofSeconds(seconds),
            RequestKey.forConfiguration(exchange),
            WebhookRoutes::encode);
    BoardRoutes.send(exchange, answer);
  }

  void test(Exchange exchange) {
    OnceOnly.Answer answer =
        webhooks.test(
            exchange.caller().tenant(),
            id(exchange),
            TestPayload::encode,
            RequestKey.forConfiguration(exchange),
            WebhookRoutes::encode);
    BoardRoutes.send(exchange, answer);
  }

  void list(Exchange exchange) {
    long tenant = exchange.caller().tenant();
    boolean removed = exchange.boolQuery("removed", false);
    JsonOut out = new JsonOut(1024);
    out.beginObject().name("webhooks").beginArray();
    for (Webhook webhook : removed ? webhooks.removed(tenant) : webhooks.list(tenant)) {
      write(out, webhook, null);
    }
    exchange.json(out.endArray().endObject());
  }

  void delete(Exchange exchange) {
    OnceOnly.Answer answer =
        webhooks.remove(
            exchange.caller().tenant(), id(exchange), RequestKey.forConfiguration(exchange));
    if (answer.replayed()) {
      exchange.header(RequestKey.REPLAYED, "true");
    }
    exchange.noContent();
  }

  void deliveries(Exchange exchange) {
    int limit = exchange.intQuery("limit", 100, 1, 1000);
    List<Webhooks.Sent> found =
        webhooks.deliveries(exchange.caller().tenant(), id(exchange), state(exchange), limit);
    JsonOut out = new JsonOut(64 + 1024 * found.size());
    out.beginObject().name("deliveries").beginArray();
    for (Webhooks.Sent sent : found) {
      write(out, sent);
    }
    exchange.json(out.endArray().endObject());
  }

  void resend(Exchange exchange) {
    OnceOnly.Answer answer =
        webhooks.resend(
            exchange.caller().tenant(),
            exchange.pathParam("deliveryId"),
            RequestKey.forConfiguration(exchange),
            WebhookRoutes::encode);
    BoardRoutes.send(exchange, answer);
  }

  private static byte[] encode(Webhooks.Sent sent) {
    JsonOut out = new JsonOut(1024);
    write(out, sent);
    return out.toByteArray();
  }

  private static long id(Exchange exchange) {
    return Exchange.number("webhookId", exchange.pathParam("webhookId"), 1, Long.MAX_VALUE);
  }

  private static Delivery.@Nullable State state(Exchange exchange) {
    String text = exchange.query("state");
    return switch (text) {
      case null -> null;
      case "PENDING" -> Delivery.State.PENDING;
      case "PAUSED" -> Delivery.State.PAUSED;
      case "DELIVERED" -> Delivery.State.DELIVERED;
      case "FAILED" -> Delivery.State.FAILED;
      case "CANCELLED" -> Delivery.State.CANCELLED;
      default ->
          throw Rejection.invalid(
                  "state", text, "PENDING | PAUSED | DELIVERED | FAILED | CANCELLED")
              .asException();
    };
  }

  private static void write(JsonOut out, Webhook webhook, @Nullable String secret) {
    out.beginObject();
    out.name("webhookId").number(webhook.id());
    out.name("url").string(webhook.url());
    out.name("events").value(webhook.events().stream().sorted().toList());
    if (webhook.board() != null) {
      out.name("UUID").string(webhook.board());
    }
    if (secret != null) {
      out.name("secret").string(secret);
    }
    out.name("paused").bool(webhook.paused());
    if (webhook.secrets().old() != null) {
      out.name("oldSecretUntil").timestamp(webhook.secrets().oldUntil());
    }
    Long removedAt = webhook.removedAt();
    if (removedAt != null) {
      out.name("removedAt").timestamp(removedAt);
    }
    out.name("createdAt").timestamp(webhook.createdAt());
    out.name("createdBy").string(webhook.createdBy());
    out.endObject();
  }

  private static void write(JsonOut out, Webhooks.Sent sent) {
    Delivery delivery = sent.delivery();
    out.beginObject();
    out.name("deliveryId").string(delivery.id());
    out.name("webhookId").number(delivery.webhook());
    out.name("eventId").string(delivery.eventId());
    out.name("event").string(delivery.event());
    out.name("createdAt").timestamp(delivery.createdAt());
    out.name("state").string(delivery.state().name());
    if (delivery.state() == Delivery.State.PENDING) {
      out.name("nextAttemptAt").timestamp(delivery.nextAt());
    }
    out.name("payload").raw(delivery.payload());
    out.name("attempts").beginArray();
    for (Delivery.Attempt attempt : sent.attempts()) {
      out.beginObject();
      out.name("number").number(attempt.number());
      out.name("at").timestamp(attempt.at());
      out.name("millis").number(attempt.millis());
      Integer status = attempt.status();
      if (status != null) {
        out.name("status").number(status);
      }
      String error = attempt.error();
      if (error != null) {
        out.name("error").string(error);
      }
      out.endObject();
    }
    out.endArray().endObject();
  }
}
