package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import dev.laurel.core.query.Prizes;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.Seasons;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import java.util.List;

/** The seasons of a board: their list, a user's history over them, and who wins what. */
final class SeasonRoutes {
  private final BoardAccess access;
  private final Rankings rankings;
  private final Seasons seasons;
  private final SeasonQuery query;

  SeasonRoutes(BoardAccess access, Rankings rankings, Seasons seasons, SeasonQuery query) {
    this.access = access;
    this.rankings = rankings;
    this.seasons = seasons;
    this.query = query;
  }

  void list(Exchange exchange) {
    Board board = access.readable(exchange, exchange.pathParam("UUID"));
    Window window = SeasonQuery.window(exchange, board);
    List<Season> page = page(exchange, board, window);
    JsonOut out = new JsonOut(128 + 256 * page.size());
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("period").string(window.name());
    out.name("seasons").beginArray();
    for (Season season : page) {
      write(out, board, season);
    }
    exchange.json(out.endArray().endObject());
  }

  private List<Season> page(Exchange exchange, Board board, Window window) {
    int limit = exchange.intQuery("limit", 100, 1, 1000);
    String before = exchange.query("before");
    return seasons.before(
        board, window, before == null ? Long.MAX_VALUE : ScoreFields.time("before", before), limit);
  }

  static void write(JsonOut out, Board board, Season season) {
    out.beginObject();
    fields(out, board, season);
    out.endObject();
  }

  private static void fields(JsonOut out, Board board, Season season) {
    out.name("instanceId").string(board.idOf(season));
    out.name("label").string(season.label());
    if (season.start() != Board.NO_START) {
      out.name("startTime").timestamp(season.start());
    }
    if (season.end() != Board.NO_END) {
      out.name("endTime").timestamp(season.end());
    }
    out.name("status").string(season.status().shown().name());
    out.name("final").bool(Seasons.isFinal(season));
  }

  /** A user's line in each of the newest seasons of a window. */
  void history(Exchange exchange) {
    Board board = access.readable(exchange, exchange.pathParam("UUID"));
    String userId = RankRoutes.userId(exchange, "userId");
    Window window = SeasonQuery.window(exchange, board);
    List<Season> page = page(exchange, board, window);
    JsonOut out = new JsonOut(128 + 320 * page.size());
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("userId").string(userId);
    out.name("period").string(window.name());
    out.name("seasons").beginArray();
    NameView names = access.names(exchange, board);
    for (Season season : page) {
      rankings
          .line(board, season, userId)
          .filter(line -> !names.hides(userId, line.row().user(), line.row().rank()))
          .ifPresent(
              line -> {
                out.beginObject();
                fields(out, board, season);
                Answers.rank(out, line.row().rank());
                out.name("score").units(line.row().score(), board.decimals());
                out.name("timestamp").timestamp(line.row().reached());
                out.name("totalUsers").number(line.size());
                out.endObject();
              });
    }
    exchange.json(out.endArray().endObject());
  }

  /** Who wins what: the kept result of a season that is over, else what it would be now. */
  void prizes(Exchange exchange) {
    Board board = access.owned(exchange, exchange.pathParam("UUID"));
    Season season = query.require(exchange, board);
    long offset = exchange.longQuery("offset", 0, 0, Long.MAX_VALUE);
    int limit = exchange.intQuery("limit", Prizes.MAX_WINNERS, 1, Prizes.MAX_WINNERS);
    Prizes prizes = rankings.prizes(board, season, new Prizes.Part(offset, limit));
    JsonOut out = new JsonOut(512 + 128 * prizes.winners().size());
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("season");
    write(out, board, season);
    out.name("dryRun").bool(!Seasons.isFinal(season));
    if (prizes.revision() > 0) {
      out.name("revision").number(prizes.revision());
    }
    out.name("totalUsers").number(prizes.size());
    out.name("totalWinners").number(prizes.total());
    int shown = prizes.winners().size();
    if (shown > 0 && offset + shown < prizes.total()) {
      out.name("nextOffset").number(offset + shown);
    }
    out.name("tiers").beginArray();
    for (int i = 0; i < prizes.tiers().size(); i++) {
      tier(out, board, prizes, i);
    }
    exchange.json(out.endArray().endObject());
  }

  private static void tier(JsonOut out, Board board, Prizes prizes, int number) {
    PrizeTier tier = prizes.tiers().get(number);
    out.beginObject();
    out.name("tier");
    WindowFields.write(out, tier);
    out.name("winners").beginArray();
    for (Prizes.Winner winner : prizes.winners()) {
      if (winner.tier() == number) {
        out.beginObject();
        out.name("userId").string(winner.userId());
        out.name("rank").number(winner.rank());
        out.name("score").units(winner.score(), board.decimals());
        out.endObject();
      }
    }
    out.endArray().endObject();
  }
}
