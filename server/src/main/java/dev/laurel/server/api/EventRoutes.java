package dev.laurel.server.api;

import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.server.events.JsonEvents;
import dev.laurel.server.events.TenantEvents;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.Json;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.limits.Clients;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Events by HTTP: a tenant's, the same JSON that its topic carries, and a pod's common event; one
 * or an array. On a thread of its own: an expression is a tenant's, and may be slow. A request's
 * events for one board are one commit; the answer waits for all of them.
 */
final class EventRoutes {
  private static final int MAX_EVENTS = 1000;
  private static final String COMMON_TYPE = "SCORE_UPDATE";

  private final Boards boards;
  private final ScorePipeline pipeline;
  private final Clients clients;

  EventRoutes(Boards boards, ScorePipeline pipeline, Clients clients) {
    this.boards = boards;
    this.pipeline = pipeline;
    this.clients = clients;
  }

  void post(Exchange exchange) {
    boolean keyed = RequestKey.of(exchange) != null;
    Json.OneOrMany body = Json.oneOrMany(exchange.body(), MAX_EVENTS);
    BatchAnswer batch = new BatchAnswer();
    for (Fields event : body.objects()) {
      batch.add("event", event, fields -> read(exchange, fields));
    }
    byte[] replayed = submit(exchange, batch, body.many(), keyed);
    Rejection refusal = body.many() ? null : batch.refusal();
    if (replayed != null) {
      exchange.header(RequestKey.REPLAYED, "true").json(replayed);
    } else if (refusal != null) {
      throw refusal.asException();
    } else {
      exchange.json(answer(batch, body.many()));
    }
  }

  private static JsonOut answer(BatchAnswer batch, boolean many) {
    return many ? batch.results() : batch.result();
  }

  private BatchAnswer.Read read(Exchange exchange, Fields fields) {
    long tenant = exchange.caller().tenant();
    if (fields.has("UUID")) {
      return readCommon(fields, tenant);
    }
    TenantEvents.Read read = TenantEvents.read(fields);
    return new BatchAnswer.Read(
        TenantEvents.require(boards, tenant, read.configId()), read.command());
  }

  /** The common event that every pod's event becomes: it names its board by the UUID. */
  private BatchAnswer.Read readCommon(Fields fields, long tenant) {
    String type = fields.optionalString("eventType");
    if (type != null && !type.equals(COMMON_TYPE)) {
      throw fields.wrong("eventType", type, COMMON_TYPE);
    }
    String uuid = fields.string("UUID");
    String podId = fields.optionalString("podId");
    Command command = ScoreFields.read(fields, fields.string("userId"));
    Board board = boards.find(tenant, uuid);
    if (board == null) {
      throw Boards.notFound(uuid);
    }
    Rejection refusal = podId == null ? null : JsonEvents.ownership(podId, uuid, board);
    if (refusal != null) {
      throw refusal.asException();
    }
    return new BatchAnswer.Read(board, command);
  }

  /** The kept answer if the idempotency key was used before. */
  private byte @Nullable [] submit(
      Exchange exchange, BatchAnswer batch, boolean many, boolean keyed) {
    Collection<Board> targets = batch.boards();
    if (targets.size() > 1 && keyed) {
      throw Rejection.expectation(
              ErrorCode.INVALID_IDEMPOTENCY_KEY,
              RequestKey.HEADER,
              "with events of " + targets.size() + " boards",
              "events of one board, which are one commit; else give each event an eventId")
          .asException();
    }
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (Board board : targets) {
      Request.AnswerEncoder encoder =
          outcomes -> {
            batch.take(board, outcomes);
            return answer(batch, many).toByteArray();
          };
      Request request =
          new Request(
              board,
              batch.commands(board),
              exchange.caller().number(),
              false,
              RequestKey.forScores(exchange, encoder));
      replies.add(pipeline.submit(clients.mark(exchange, request)));
    }
    exchange.dropBody();
    byte[] replayed = null;
    int next = 0;
    for (Board board : targets) {
      switch (replies.get(next++).join()) {
        case Reply.Refused(Rejection rejection) -> batch.refuse(board, rejection);
        case Reply.Done(List<Outcome> outcomes, var _) -> batch.take(board, outcomes);
        case Reply.Replayed(byte[] answer) -> replayed = answer;
      }
    }
    return replayed;
  }
}
