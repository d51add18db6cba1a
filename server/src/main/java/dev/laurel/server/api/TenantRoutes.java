package dev.laurel.server.api;

import dev.laurel.core.access.Tenants;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.Topics;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.Tenant;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;

/** Tenants, which the platform admin makes, and their topics. */
final class TenantRoutes {
  private final Tenants tenants;
  private final Topics topics;

  TenantRoutes(Tenants tenants, Topics topics) {
    this.tenants = tenants;
    this.topics = topics;
  }

  void create(Exchange exchange) {
    Fields fields = exchange.fields();
    String tenantId = fields.string("tenantId");
    String name = fields.string("name");
    fields.done();
    BoardDefinition.requireText("name", name);
    OnceOnly.Answer answer =
        tenants.create(
            tenantId,
            name,
            RequestKey.forConfiguration(exchange),
            tenant -> {
              JsonOut out = new JsonOut(128);
              write(out, tenant);
              return out.toByteArray();
            });
    BoardRoutes.send(exchange.status(201), answer);
  }

  void list(Exchange exchange) {
    JsonOut out = new JsonOut(1024);
    out.beginObject().name("tenants").beginArray();
    for (Tenant tenant : tenants.list()) {
      write(out, tenant);
    }
    exchange.json(out.endArray().endObject());
  }

  private static void write(JsonOut out, Tenant tenant) {
    out.beginObject();
    out.name("tenantId").string(tenant.tenantId());
    out.name("name").string(tenant.name());
    out.name("createdAt").timestamp(tenant.createdAt());
    out.endObject();
  }

  void createTopic(Exchange exchange) {
    Fields fields = exchange.fields();
    String name = fields.string("topicName");
    int partitions = fields.requiredInteger("numberOfPartitions", 1, Topics.MAX_PARTITIONS);
    fields.done();
    OnceOnly.Answer answer =
        topics.create(
            exchange.caller().tenant(),
            name,
            partitions,
            RequestKey.forConfiguration(exchange),
            usage -> {
              JsonOut out = new JsonOut(192);
              write(out, exchange.caller().tenantId(), usage);
              return out.toByteArray();
            });
    BoardRoutes.send(exchange.status(201), answer);
  }

  void listTopics(Exchange exchange) {
    JsonOut out = new JsonOut(1024);
    out.beginObject().name("topics").beginArray();
    for (Topics.Usage usage : topics.list(exchange.caller().tenant())) {
      write(out, exchange.caller().tenantId(), usage);
    }
    exchange.json(out.endArray().endObject());
  }

  private static void write(JsonOut out, String tenantId, Topics.Usage usage) {
    out.beginObject();
    out.name("topicName").string(usage.topic().topicName());
    out.name("tenantId").string(tenantId);
    out.name("numberOfPartitions").number(usage.topic().partitions());
    out.name("writeQPSCapacity").number(usage.capacity());
    out.name("writeQPSUsed").number(usage.used());
    out.endObject();
  }
}
