package dev.laurel.server.api;

import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.pod.CommonEvent;
import dev.laurel.core.pod.PodDirectory;
import dev.laurel.core.pod.Pods;
import dev.laurel.core.pod.Transformed;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.Pod;
import dev.laurel.server.events.JsonEvents;
import dev.laurel.server.events.PodMetadata;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pods of the caller's tenant and the schemas of their events. */
final class PodRoutes {
  private final Pods pods;
  private final Boards boards;
  private final ScorePipeline pipeline;

  PodRoutes(Pods pods, Boards boards, ScorePipeline pipeline) {
    this.pods = pods;
    this.boards = boards;
    this.pipeline = pipeline;
  }

  void create(Exchange exchange) {
    Fields fields = exchange.fields();
    Pod pod =
        new Pod(
            fields.string("podId"),
            exchange.caller().tenant(),
            fields.optionalString("versionField"),
            fields.optionalString("versionHeader"),
            0);
    fields.done();
    String tenantId = exchange.caller().tenantId();
    OnceOnly.Answer answer =
        pods.create(pod, RequestKey.forConfiguration(exchange), made -> json(tenantId, made));
    BoardRoutes.send(exchange.status(201), answer);
  }

  void get(Exchange exchange) {
    exchange.json(
        json(
            exchange.caller().tenantId(),
            pods.require(exchange.caller().tenant(), exchange.pathParam("podId"))));
  }

  /** Null takes a field away; one that is given takes the place of the other. */
  void change(Exchange exchange) {
    Fields fields = exchange.fields();
    Pods.VersionPlace place =
        new Pods.VersionPlace(
            fields.optionalString("versionField"), fields.optionalString("versionHeader"));
    boolean same =
        !fields.has("versionField")
            && !fields.isNull("versionField")
            && !fields.has("versionHeader")
            && !fields.isNull("versionHeader");
    fields.done();
    String tenantId = exchange.caller().tenantId();
    OnceOnly.Answer answer =
        pods.change(
            exchange.caller().tenant(),
            exchange.pathParam("podId"),
            same ? null : place,
            RequestKey.forConfiguration(exchange),
            changed -> json(tenantId, changed));
    BoardRoutes.send(exchange, answer);
  }

  private static byte[] json(String tenantId, Pod pod) {
    JsonOut out = new JsonOut(192);
    write(out, tenantId, pod);
    return out.toByteArray();
  }

  void list(Exchange exchange) {
    JsonOut out = new JsonOut(1024);
    out.beginObject().name("pods").beginArray();
    for (Pod pod : pods.list(exchange.caller().tenant())) {
      write(out, exchange.caller().tenantId(), pod);
    }
    exchange.json(out.endArray().endObject());
  }

  private static void write(JsonOut out, String tenantId, Pod pod) {
    out.beginObject();
    out.name("podId").string(pod.podId());
    out.name("tenantId").string(tenantId);
    out.name("topicName").string(Pods.topic(pod.podId()));
    if (pod.versionField() != null) {
      out.name("versionField").string(pod.versionField());
    }
    if (pod.versionHeader() != null) {
      out.name("versionHeader").string(pod.versionHeader());
    }
    out.name("createdAt").timestamp(pod.createdAt());
    out.endObject();
  }

  void addSchema(Exchange exchange) {
    Fields fields = exchange.fields();
    String version = fields.string("schemaVersion");
    Fields mappings = fields.object("fieldMappings");
    PodSchema.Mappings paths =
        new PodSchema.Mappings(
            mappings.string("userId"),
            mappings.string("score"),
            mappings.string("timestamp"),
            mappings.string("UUID"),
            mappings.optionalString("eventId"));
    mappings.done();
    PodSchema schema =
        new PodSchema(
            exchange.pathParam("podId"),
            version,
            0,
            paths,
            fields.choice("timestampFormat", PodSchema.TimestampFormat.class),
            scoreType(fields),
            initialStatus(fields),
            0);
    fields.done();
    OnceOnly.Answer answer =
        pods.addSchema(
            exchange.caller().tenant(),
            schema,
            RequestKey.forConfiguration(exchange),
            PodRoutes::json);
    BoardRoutes.send(exchange.status(201), answer);
  }

  /** In small letters, as the pods API writes them. */
  private static PodSchema.ScoreType scoreType(Fields fields) {
    String text = fields.string("scoreType");
    return switch (text) {
      case "integer" -> PodSchema.ScoreType.INTEGER;
      case "double" -> PodSchema.ScoreType.DOUBLE;
      default -> throw fields.wrong("scoreType", text, "integer | double");
    };
  }

  private static PodSchema.Status initialStatus(Fields fields) {
    PodSchema.Status status = fields.optionalChoice("status", PodSchema.Status.class);
    return switch (status) {
      case null -> PodSchema.Status.DRAFT;
      case DRAFT, ACTIVE -> status;
      case DEPRECATED, REMOVED -> throw fields.wrong("status", status, "DRAFT | ACTIVE");
    };
  }

  void schemas(Exchange exchange) {
    List<PodSchema> found = pods.schemas(exchange.caller().tenant(), exchange.pathParam("podId"));
    JsonOut out = new JsonOut(1024);
    out.beginObject().name("schemas").beginArray();
    for (PodSchema schema : found) {
      write(out, schema);
    }
    exchange.json(out.endArray().endObject());
  }

  void schema(Exchange exchange) {
    exchange.json(
        json(
            pods.schema(
                exchange.caller().tenant(),
                exchange.pathParam("podId"),
                exchange.pathParam("schemaVersion"))));
  }

  void changeSchema(Exchange exchange) {
    Fields fields = exchange.fields();
    PodSchema.Status status = fields.choice("status", PodSchema.Status.class);
    fields.done();
    OnceOnly.Answer answer =
        pods.changeStatus(
            exchange.caller().tenant(),
            exchange.pathParam("podId"),
            exchange.pathParam("schemaVersion"),
            status,
            RequestKey.forConfiguration(exchange),
            PodRoutes::json);
    BoardRoutes.send(exchange, answer);
  }

  private static byte[] json(PodSchema schema) {
    JsonOut out = new JsonOut(512);
    write(out, schema);
    return out.toByteArray();
  }

  private static void write(JsonOut out, PodSchema schema) {
    PodSchema.Mappings mappings = schema.mappings();
    out.beginObject();
    out.name("podId").string(schema.podId());
    out.name("schemaVersion").string(schema.version());
    out.name("fieldMappings").beginObject();
    out.name("userId").string(mappings.userId());
    out.name("score").string(mappings.score());
    out.name("timestamp").string(mappings.timestamp());
    out.name("UUID").string(mappings.uuid());
    if (mappings.eventId() != null) {
      out.name("eventId").string(mappings.eventId());
    }
    out.endObject();
    out.name("timestampFormat").string(schema.timestampFormat().name());
    out.name("scoreType").string(schema.scoreType().name().toLowerCase(Locale.ROOT));
    out.name("status").string(schema.status().name());
    out.name("createdAt").timestamp(schema.createdAt());
    out.endObject();
  }

  /** What an event would become: by the version asked for, or as if it had come by Kafka. */
  void attempt(Exchange exchange) {
    Fields fields = exchange.fields();
    Map<String, @Nullable Object> event = fields.object("event").tree();
    String version = fields.optionalString("schemaVersion");
    Fields headers = fields.optionalObject("headers");
    fields.done();
    if (version != null) {
      Pods.requireVersion(version);
    }
    long tenant = exchange.caller().tenant();
    String podId = exchange.pathParam("podId");
    Pod pod = pods.require(tenant, podId);
    pods.follow();
    Transformed transformed =
        version != null
            ? PodDirectory.transform(pods.schema(tenant, podId, version), event)
            : pods.directory()
                .transform(
                    podId, event, name -> headers == null ? null : headers.optionalString(name));
    JsonOut out = new JsonOut(1024);
    out.beginObject();
    if (transformed.schemaVersion() != null) {
      out.name("schemaVersion").string(transformed.schemaVersion());
    }
    switch (transformed) {
      case Transformed.Done(CommonEvent common, var _) -> {
        write(out.name("event"), common);
        Board board = boards.find(pod.tenant(), common.uuid());
        Rejection refusal = JsonEvents.ownership(podId, common.uuid(), board);
        if (refusal == null && board != null) {
          refusal = pipeline.refusal(board, JsonEvents.command(common));
        }
        errors(out, refusal == null ? List.of() : List.of(refusal));
      }
      case Transformed.Failed(List<Rejection> errors, var _) -> errors(out, errors);
    }
    exchange.json(out.endObject());
  }

  private static void write(JsonOut out, CommonEvent event) {
    out.beginObject();
    if (event.eventId() != null) {
      out.name("eventId").string(event.eventId());
    }
    out.name("eventType").string("SCORE_UPDATE");
    out.name("podId").string(event.podId());
    out.name("UUID").string(event.uuid());
    out.name("userId").string(event.userId());
    out.name("score").value(event.score());
    out.name("timestamp").timestamp(event.at());
    String metadata = PodMetadata.write(event.metadata());
    out.name("metadata").raw(metadata == null ? "{}" : metadata);
    out.endObject();
  }

  private static void errors(JsonOut out, List<Rejection> errors) {
    out.name("errors").beginArray();
    for (Rejection error : errors) {
      out.beginObject();
      out.name("code").string(error.code().name());
      out.name("message").string(error.message());
      out.endObject();
    }
    out.endArray();
  }
}
