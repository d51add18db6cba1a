package dev.laurel.server.api;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.RulesDefinition;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Making, changing and listing leaderboards (document 000). */
final class BoardRoutes {
  private final Boards boards;
  private final BoardAccess access;
  private final Rankings rankings;

  BoardRoutes(Boards boards, BoardAccess access, Rankings rankings) {
    this.boards = boards;
    this.access = access;
    this.rankings = rankings;
  }

  void create(Exchange exchange) {
    BoardDefinition definition = definition(exchange.fields());
    OnceOnly.Answer answer =
        boards.create(
            exchange.caller().tenant(),
            exchange.caller().name(),
            definition,
            RequestKey.forConfiguration(exchange),
            board -> Answers.board(board, 0).toByteArray());
    send(exchange.status(201), answer);
  }

  void change(Exchange exchange) {
    Board board = access.owned(exchange, exchange.pathParam("UUID"));
    BoardChange change = change(exchange.fields());
    long users = totalUsers(board);
    OnceOnly.Answer answer =
        boards.change(
            board,
            change,
            RequestKey.forConfiguration(exchange),
            changed -> Answers.board(changed, users).toByteArray());
    send(exchange, answer);
  }

  static void send(Exchange exchange, OnceOnly.Answer answer) {
    if (answer.replayed()) {
      exchange.header(RequestKey.REPLAYED, "true");
    }
    exchange.json(answer.body());
  }

  void get(Exchange exchange) {
    Board board = access.readable(exchange, exchange.pathParam("UUID"));
    exchange.json(Answers.board(board, totalUsers(board)));
  }

  void list(Exchange exchange) {
    int limit = exchange.intQuery("limit", 100, 1, 1000);
    int offset = exchange.intQuery("offset", 0, 0, Integer.MAX_VALUE);
    BoardAccess.Listed listed = access.readableBoards(exchange);
    Boards.Listing listing =
        boards.list(
            listed.tenant(),
            exchange.query("podId"),
            status(exchange.query("status")),
            listed.onlyPublic() ? Visibility.PUBLIC : null,
            limit,
            offset);
    JsonOut out = new JsonOut(512 * (1 + listing.boards().size()));
    out.beginObject().name("leaderboards").beginArray();
    for (Board board : listing.boards()) {
      Answers.board(out, board, totalUsers(board));
    }
    out.endArray();
    out.name("total").number(listing.total());
    out.name("limit").number(limit);
    out.name("offset").number(offset);
    exchange.json(out.endObject());
  }

  private long totalUsers(Board board) {
    Season newest = board.newest(board.windows().getFirst());
    return newest == null
        ? 0
        : rankings.ask(board, newest, List.of(), view -> view.ranking().size());
  }

  private static @Nullable BoardStatus status(@Nullable String text) {
    if (text == null) {
      return null;
    }
    for (BoardStatus status : BoardStatus.values()) {
      if (status.name().equals(text.toUpperCase(Locale.ROOT))) {
        return status;
      }
    }
    throw Rejection.invalid("status", text, "DRAFT | ACTIVE | PAUSED | COMPLETED").asException();
  }

  private static BoardDefinition definition(Fields fields) {
    List<WindowDefinition> windows = WindowFields.read(fields, "windows");
    BoardDefinition definition =
        new BoardDefinition(
            fields.string("UUID"),
            fields.optionalString("podId"),
            fields.optionalString("name"),
            rules(fields, fields.optionalChoice("order", Order.class)),
            fields.optionalChoice("visibility", Visibility.class),
            fields.optionalChoice("status", BoardStatus.class),
            ScoreFields.time(fields, "startTime"),
            ScoreFields.time(fields, "endTime"),
            fields.optionalRawObject("metadata", BoardDefinition.MAX_METADATA_LENGTH),
            windows == null ? List.of() : windows,
            null,
            null);
    fields.done();
    return definition;
  }

  /** What every surface takes of a board's rules; the order has its own name on some. */
  static RulesDefinition rules(Fields fields, @Nullable Order order) {
    Fields bounds = fields.optionalObject("bounds");
    RulesDefinition rules =
        new RulesDefinition(
            order,
            fields.optionalChoice("ties", Ties.class),
            fields.optionalChoice("update", Update.class),
            fields.has("decimals") ? fields.integer("decimals", 0, 0, 9) : null,
            bounds == null ? null : bounds.optionalNumber("min"),
            bounds == null ? null : bounds.optionalNumber("max"));
    if (bounds != null) {
      bounds.done();
    }
    return rules;
  }

  /** Null takes away what can be absent, as in a JSON merge patch (RFC 7396). */
  private static BoardChange change(Fields fields) {
    String metadata = fields.optionalRawObject("metadata", BoardDefinition.MAX_METADATA_LENGTH);
    Long start = ScoreFields.time(fields, "startTime");
    Long end = ScoreFields.time(fields, "endTime");
    BoardChange change =
        new BoardChange(
            fields.optionalChoice("status", BoardStatus.class),
            fields.optionalString("name"),
            fields.isNull("startTime") ? Long.valueOf(Board.NO_START) : start,
            fields.isNull("endTime") ? Long.valueOf(Board.NO_END) : end,
            fields.optionalChoice("visibility", Visibility.class),
            fields.isNull("metadata") ? "{}" : metadata,
            WindowFields.read(fields, "windows"),
            null,
            null);
    fields.done();
    return change;
  }
}
