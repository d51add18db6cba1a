package dev.laurel.server.api;

import dev.laurel.core.live.Range;
import dev.laurel.core.live.Watched;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.Digest;
import dev.laurel.server.api.LiveEncoding.Surface;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.http.UndecidedException;
import dev.laurel.server.live.Framing;
import dev.laurel.server.live.LiveStreams;
import dev.laurel.server.live.SharedStream;
import dev.laurel.server.live.Tickets;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Watching a board: streams of events, WebSockets, and tickets for those without headers. */
final class StreamRoutes {
  private static final int TOP = 10;
  private static final int MAX_TOP = 100;
  private static final int MAX_WINDOW = 50;
  private static final int MAX_LIMIT = 50;

  /** Those of one connection. */
  private static final int MAX_WATCHED = 100;

  private final BoardAccess access;
  private final SeasonQuery seasons;
  private final ApiRoutes.LiveParts live;
  private final InstantSource clock;

  StreamRoutes(
      BoardAccess access, SeasonQuery seasons, ApiRoutes.LiveParts live, InstantSource clock) {
    this.access = access;
    this.seasons = seasons;
    this.live = live;
    this.clock = clock;
  }

  void board(Exchange exchange) {
    Board board = readable(exchange, exchange.pathParam("UUID"));
    open(exchange, board, range(exchange), Surface.NATIVE, framing(exchange));
  }

  /** The scoreboard's streams. */
  void scoreboard(Exchange exchange) {
    scoreboard(exchange, readable(exchange, AwardRoutes.boardName(exchange)));
  }

  void socket(Exchange exchange) {
    Board board = readable(exchange, AwardRoutes.boardName(exchange));
    if (framing(exchange) != Framing.WEBSOCKET) {
      throw Rejection.invalid("Upgrade", "missing", "websocket").asException();
    }
    scoreboard(exchange, board);
  }

  private void scoreboard(Exchange exchange, Board board) {
    int limit = exchange.intQuery("limit", TOP, 1, MAX_LIMIT);
    open(exchange, board, new Range.Top(limit), Surface.SCOREBOARD, framing(exchange));
  }

  void ticket(Exchange exchange) {
    requireEnabled();
    Board board = access.readable(exchange, exchange.pathParam("UUID"));
    Tickets.Ticket ticket = live.tickets().issue(board.id(), exchange.caller());
    JsonOut out = new JsonOut(160);
    out.beginObject();
    out.name("ticket").string(ticket.text());
    out.name("expiresAt").timestamp(ticket.expiresAt());
    exchange.status(201).json(out.endObject());
  }

  /** With a status that makes clients ask the plain routes instead, and try again later. */
  private void requireEnabled() {
    if (!live.enabled()) {
      throw Rejection.of(
              ErrorCode.STREAMS_DISABLED,
              "streams: switched off by the setting streams (expected: ask every few seconds)")
          .asException();
    }
  }

  private Board readable(Exchange exchange, String uuid) {
    // Streams are Vert.x' matter: the fast lane knows no request, and passes this one on.
    exchange.raw();
    requireEnabled();
    String ticket = exchange.query("ticket");
    return ticket == null
        ? access.readable(exchange, uuid)
        : access.ticketed(live.tickets().read(ticket), uuid, clock.millis());
  }

  /**
   * Whether whoever opened the stream of a board might open it again: a stream must not outlive the
   * key or the token that it was opened with. Called every few seconds, on the event loop.
   */
  private BooleanSupplier allowance(Exchange exchange, Board board) {
    String ticket = exchange.query("ticket");
    return ticket != null
        ? allowance(live.tickets().read(ticket))
        : allowance(exchange, exchange.query("tenant"), board);
  }

  private BooleanSupplier allowance(Tickets.@Nullable Claims claims) {
    return () -> claims != null && access.isInForce(claims, clock.millis());
  }

  private BooleanSupplier allowance(Exchange exchange, @Nullable String tenant, Board board) {
    return () -> {
      try {
        return access.isReadable(
            live.authenticator().authenticate(exchange, false), tenant, board.uuid());
      } catch (UndecidedException e) {
        return true; // the issuer's key would have to be fetched anew; the token has not expired
      } catch (RejectedException e) {
        return false;
      }
    };
  }

  private static Range range(Exchange exchange) {
    String user = exchange.query("user");
    if (user == null) {
      if (exchange.query("window") != null) {
        throw Rejection.invalid("window", "without user", "both or none").asException();
      }
      return new Range.Top(exchange.intQuery("top", TOP, 1, MAX_TOP));
    }
    if (exchange.query("top") != null) {
      throw Rejection.invalid("top", "given with user", "only one of them").asException();
    }
    if (!UserIds.isValid(user)) {
      throw Rejection.invalid("user", user, UserIds.EXPECTED).asException();
    }
    return new Range.Around(user, exchange.intQuery("window", 5, 0, MAX_WINDOW));
  }

  private static Framing framing(Exchange exchange) {
    String upgrade = exchange.header(HttpHeaders.UPGRADE);
    if (upgrade != null && upgrade.equalsIgnoreCase("websocket")) {
      return Framing.WEBSOCKET;
    }
    return ofEvents(exchange);
  }

  private static Framing ofEvents(Exchange exchange) {
    return exchange.raw().version() == HttpVersion.HTTP_1_0 ? Framing.PLAIN : Framing.CHUNKED;
  }

  private void open(Exchange exchange, Board board, Range range, Surface surface, Framing framing) {
    if (HttpMethod.HEAD.equals(exchange.method())) {
      // Refused where a stream would be.
      seasons.choose(exchange, board, (x, _) -> x.send("text/event-stream", new byte[0]));
      return;
    }
    boolean newest = isNewest(exchange.query("season")) && exchange.query("at") == null;
    exchange.header("X-Accel-Buffering", "no"); // or nginx would keep events back
    seasons.choose(
        exchange,
        board,
        (x, season) ->
            live.streams()
                .open(
                    x,
                    live.hub(),
                    new LiveStreams.Wish(
                        watched(
                            board,
                            season,
                            newest,
                            range,
                            encoding(x, board, range, surface, framing)),
                        board,
                        season,
                        framing,
                        allowance(x, board))));
  }

  /** Whoever has a ticket is somebody's browser: the public, that was let in. */
  private LiveEncoding encoding(
      Exchange exchange, Board board, Range range, Surface surface, Framing framing) {
    boolean isPublic = exchange.query("ticket") != null || access.names(exchange, board).isPublic();
    return new LiveEncoding(
        surface, framing, null, isPublic, around(range), access.profiles(), clock);
  }

  private static @Nullable String around(Range range) {
    return range instanceof Range.Around(String userId, int _) ? userId : null;
  }

  /** Many boards on one connection: a browser has six of them for all its tabs. */
  void many(Exchange exchange) {
    requireEnabled();
    Fields fields = exchange.fields();
    List<Fields> asked = fields.objects("watch", 1, MAX_WATCHED);
    fields.done();
    // Seasons may have to be read, and the answer comes when the connection's loop gives it.
    exchange.block(x -> many(x, asked));
  }

  private void many(Exchange exchange, List<Fields> asked) {
    List<SharedStream.Wanted> wanted = new ArrayList<>(asked.size());
    for (Fields one : asked) {
      try {
        wanted.add(wanted(exchange, one));
      } catch (RejectedException e) {
        // The others are not to blame.
        wanted.add(new SharedStream.Wanted.Refused(e.rejection()));
      }
    }
    exchange.dropBody();
    exchange.header("X-Accel-Buffering", "no");
    live.streams().open(exchange, live.hub(), ofEvents(exchange), wanted);
  }

  private SharedStream.Wanted wanted(Exchange exchange, Fields fields) {
    String uuid = fields.string("board");
    String tenant = fields.optionalString("tenant");
    String ticket = fields.optionalString("ticket");
    String lastId = fields.optionalString("lastEventId");
    String period = fields.optionalString("period");
    String season = fields.optionalString("season");
    String at = fields.optionalString("at");
    Range range = range(fields);
    fields.done();
    Tickets.Claims claims = ticket == null ? null : live.tickets().read(ticket);
    Board board =
        ticket == null
            ? access.readable(exchange, tenant, uuid)
            : access.ticketed(claims, uuid, clock.millis());
    Season begin = seasons.require(board, period, season, at);
    boolean newest = isNewest(season) && at == null;
    boolean isPublic = ticket != null || access.names(exchange, board).isPublic();
    long number = newest ? Watched.NEWEST : begin.id();
    Digest key =
        Digest.of(
            "stream",
            board.id() + "." + begin.window() + "." + number,
            range.tag(),
            String.valueOf(isPublic));
    String stream = Long.toUnsignedString(key.high(), Character.MAX_RADIX);
    LiveEncoding encoding =
        new LiveEncoding(
            Surface.NATIVE,
            ofEvents(exchange),
            stream,
            isPublic,
            around(range),
            access.profiles(),
            clock);
    return new SharedStream.Wanted.Watch(
        stream,
        new LiveStreams.Wish(
            watched(board, begin, newest, range, encoding),
            board,
            begin,
            ofEvents(exchange),
            ticket == null ? allowance(exchange, tenant, board) : allowance(claims)),
        lastId);
  }

  private static Range range(Fields fields) {
    String user = fields.optionalString("user");
    boolean top = fields.has("top");
    boolean window = fields.has("window");
    if (user == null ? window : top) {
      throw Rejection.invalid(user == null ? "window" : "top", "given", "top, or user with window")
          .asException();
    }
    int count = fields.integer("top", TOP, 1, MAX_TOP);
    int sides = fields.integer("window", 5, 0, MAX_WINDOW);
    if (user != null && !UserIds.isValid(user)) {
      throw Rejection.invalid("user", user, UserIds.EXPECTED).asException();
    }
    return user == null ? new Range.Top(count) : new Range.Around(user, sides);
  }

  private static boolean isNewest(@Nullable String season) {
    return season == null || season.equals("current");
  }

  private static Watched watched(
      Board board, Season season, boolean newest, Range range, LiveEncoding encoding) {
    return new Watched(
        board.id(),
        board.leaderboardId(),
        season.window(),
        newest ? Watched.NEWEST : season.id(),
        range,
        encoding);
  }
}
