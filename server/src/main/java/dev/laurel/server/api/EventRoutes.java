package dev.laurel.server.api;

import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Events by HTTP: document 003's, the same JSON that a topic carries, and document 000's common
 * event; one or an array. On a thread of its own: an expression is a tenant's, and may be slow. A
 * request's events for one board are one commit; the answer waits for all of them.
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

  /** An event on its way. */
  private static final class Item {
    @Nullable String userId;
    @Nullable Board board;
    @Nullable Command command;
    @Nullable Outcome outcome;

    void reject(Rejection rejection) {
      outcome = new Outcome.Rejected(rejection);
    }
  }

  void post(Exchange exchange) {
    boolean keyed = RequestKey.of(exchange) != null;
    Json.OneOrMany body = Json.oneOrMany(exchange.body(), MAX_EVENTS);
    List<Item> items = new ArrayList<>();
    for (Fields event : body.objects()) {
      items.add(read(exchange, event));
    }
    byte[] replayed = submit(exchange, items, body.many(), keyed);
    if (replayed != null) {
      exchange.header(RequestKey.REPLAYED, "true").json(replayed);
      return;
    }
    if (!body.many() && items.getFirst().outcome instanceof Outcome.Rejected(var rejection)) {
      throw rejection.asException();
    }
    exchange.json(answer(items, body.many()));
  }

  private static JsonOut answer(List<Item> items, boolean many) {
    JsonOut out = new JsonOut(32 + 128 * items.size());
    if (!many) {
      write(out, items.getFirst());
      return out;
    }
    out.beginObject().name("results").beginArray();
    for (Item item : items) {
      write(out, item);
    }
    return out.endArray().endObject();
  }

  private Item read(Exchange exchange, @Nullable Fields fields) {
    Item item = new Item();
    try {
      if (fields == null) {
        throw Rejection.invalid("event", "not an object", "an object").asException();
      }
      item.userId = fields.optionalString("userId");
      long tenant = exchange.caller().tenant();
      if (fields.has("UUID")) {
        readCommon(item, fields, tenant);
      } else {
        TenantEvents.Read read = TenantEvents.read(fields);
        item.board = TenantEvents.require(boards, tenant, read.configId());
        item.command = read.command();
      }
    } catch (RejectedException e) {
      item.reject(e.rejection());
    }
    return item;
  }

  /** The common event that every pod's event becomes: it names its board by the UUID. */
  private void readCommon(Item item, Fields fields, long tenant) {
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
    item.board = board;
    item.command = command;
  }

  /** The kept answer if the idempotency key was used before. */
  private byte @Nullable [] submit(
      Exchange exchange, List<Item> items, boolean many, boolean keyed) {
    Map<Board, List<Item>> byBoard = new LinkedHashMap<>();
    for (Item item : items) {
      if (item.board != null) {
        byBoard.computeIfAbsent(item.board, b -> new ArrayList<>()).add(item);
      }
    }
    if (byBoard.size() > 1 && keyed) {
      throw Rejection.expectation(
              ErrorCode.INVALID_IDEMPOTENCY_KEY,
              RequestKey.HEADER,
              "with events of " + byBoard.size() + " boards",
              "events of one board, which are one commit; else give each event an eventId")
          .asException();
    }
    Map<List<Item>, CompletableFuture<Reply>> replies = new LinkedHashMap<>();
    byBoard.forEach(
        (board, group) -> {
          List<Command> commands = new ArrayList<>();
          for (Item item : group) {
            if (item.command != null) {
              commands.add(item.command);
            }
          }
          Request.AnswerEncoder encoder =
              outcomes -> {
                take(group, outcomes);
                return answer(items, many).toByteArray();
              };
          Request request =
              new Request(
                  board,
                  commands,
                  exchange.caller().number(),
                  false,
                  RequestKey.forScores(exchange, encoder));
          replies.put(group, pipeline.submit(clients.mark(exchange, request)));
        });
    exchange.dropBody();
    byte[] replayed = null;
    for (Map.Entry<List<Item>, CompletableFuture<Reply>> entry : replies.entrySet()) {
      switch (entry.getValue().join()) {
        case Reply.Refused(Rejection rejection) -> entry.getKey().forEach(i -> i.reject(rejection));
        case Reply.Done(List<Outcome> outcomes, var _) -> take(entry.getKey(), outcomes);
        case Reply.Replayed(byte[] answer) -> replayed = answer;
      }
    }
    return replayed;
  }

  private static void take(List<Item> group, List<Outcome> outcomes) {
    for (int i = 0; i < group.size(); i++) {
      group.get(i).outcome = outcomes.get(i);
    }
  }

  private static void write(JsonOut out, Item item) {
    out.beginObject();
    out.name("userId").value(item.userId);
    switch (item.outcome) {
      case Outcome.Accepted accepted -> {
        Board board = item.board;
        out.name("outcome").string(accepted.effect().name());
        if (accepted.onBoard() && board != null) {
          out.name("score").units(accepted.score(), board.decimals());
          out.name("timestamp").timestamp(accepted.reached());
          Answers.windows(out, board, accepted);
        }
      }
      case Outcome.Rejected(Rejection rejection) -> {
        out.name("outcome").string("REJECTED");
        out.name("code").string(rejection.code().name());
        out.name("message").string(rejection.message());
      }
      case null -> throw new IllegalStateException("an event without an outcome");
    }
    out.endObject();
  }
}
