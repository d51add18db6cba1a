package dev.laurel.server.api;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.Edit;
import dev.laurel.core.board.Edited;
import dev.laurel.core.board.RulesDefinition;
import dev.laurel.core.board.Topics;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.ErrorCode;
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
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Making, changing and listing leaderboards. */
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
            board -> Answers.board(board, 0, false).toByteArray());
    send(exchange.status(201), answer);
  }

  void change(Exchange exchange) {
    Board board = access.owned(exchange, exchange.pathParam("UUID"));
    BoardChange change = change(exchange.fields());
    change(exchange, board, known -> change);
  }

  /** Edits a board as the request says it, and answers with what came of it. */
  void change(Exchange exchange, Board board, Function<Board, BoardChange> change) {
    Edit edit = edit(exchange, change);
    long users = totalUsers(board);
    change(
        exchange,
        boards,
        board,
        edit,
        null,
        edited -> Answers.edited(edited, users, edit.dryRun()).toByteArray());
  }

  static void change(
      Exchange exchange,
      Boards boards,
      Board board,
      Edit edit,
      @Nullable Topics topics,
      Function<Edited, byte[]> encoder) {
    AtomicInteger version = new AtomicInteger();
    OnceOnly.Answer answer =
        boards.change(
            board,
            edit,
            topics,
            RequestKey.forConfiguration(exchange),
            edited -> {
              version.set(edited.board().version());
              return encoder.apply(edited);
            });
    if (!answer.replayed() && !edit.dryRun()) {
      tag(exchange, version.get());
    }
    send(exchange, answer);
  }

  static Edit edit(Exchange exchange, Function<Board, BoardChange> change) {
    return new Edit(
        change, matching(exchange.header("If-Match")), exchange.boolQuery("dryRun", false));
  }

  /** The versions of an If-Match (RFC 9110); null if any will do. */
  private static @Nullable Set<Integer> matching(@Nullable String header) {
    if (header == null || header.strip().equals("*")) {
      return null;
    }
    Set<Integer> versions = new TreeSet<>();
    for (String tag : header.split(",", -1)) {
      String text = tag.strip();
      // One that is none of ours, or a weak one, matches no version.
      if (text.matches("\"[1-9][0-9]{0,8}\"")) {
        versions.add(Integer.parseInt(text, 1, text.length() - 1, 10));
      }
    }
    return versions;
  }

  /** What an edit has to name with If-Match, so that it undoes nobody else's. */
  static void tag(Exchange exchange, int version) {
    exchange.header(HttpHeaders.ETAG, '"' + Integer.toString(version) + '"');
  }

  static void send(Exchange exchange, OnceOnly.Answer answer) {
    if (answer.replayed()) {
      exchange.header(RequestKey.REPLAYED, "true");
    }
    exchange.json(answer.body());
  }

  void get(Exchange exchange) {
    Board board = access.readable(exchange, exchange.pathParam("UUID"));
    if (exchange.query("version") != null) {
      // What was private once stays so.
      board = access.owned(exchange, board.uuid());
      board = board.with(version(exchange, boards, board, ErrorCode.VERSION_NOT_FOUND));
    }
    tag(exchange, board.version());
    exchange.json(
        Answers.board(board, totalUsers(board), access.names(exchange, board).isPublic()));
  }

  /** The version that the query names; that in force if it names none. */
  static BoardVersion version(Exchange exchange, Boards boards, Board board, ErrorCode unknown) {
    if (exchange.query("version") == null) {
      return board.current();
    }
    int number = exchange.intQuery("version", 1, 1, Integer.MAX_VALUE);
    for (BoardVersion version : boards.versions(board)) {
      if (version.number() == number) {
        return version;
      }
    }
    throw Rejection.expectation(unknown, "version", number, "1.." + board.version()).asException();
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
      Answers.board(out, board, totalUsers(board), listed.onlyPublic());
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

  /** An empty one is nobody's: it would mean the same as null. */
  private static @Nullable String podId(Fields fields) {
    String podId = fields.optionalString("podId");
    if (podId != null && podId.equals(BoardChange.NO_POD)) {
      throw fields.wrong("podId", "empty", "the id of a pod, or null for none");
    }
    return fields.isNull("podId") ? BoardChange.NO_POD : podId;
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
            null,
            podId(fields));
    fields.done();
    return change;
  }
}
