package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.Seasons;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import java.util.List;

/** The reads of configurations: a season is asked by its own id. */
final class InstanceRoutes {
  private final BoardAccess access;
  private final Rankings rankings;
  private final Seasons seasons;

  InstanceRoutes(BoardAccess access, Rankings rankings, Seasons seasons) {
    this.access = access;
    this.rankings = rankings;
    this.seasons = seasons;
  }

  void top(Exchange exchange) throws Exception {
    if (exchange.query("k") == null) {
      throw Rejection.invalid("k", "missing", "1..1000").asException();
    }
    int k = exchange.intQuery("k", 0, 1, 1000);
    choose(
        exchange,
        (x, board, season) ->
            IndexFirst.answer(
                x,
                rankings,
                board,
                season,
                List.of(),
                view -> top(board, access.names(x, board), season, view, k)));
  }

  private static JsonOut top(
      Board board, NameView names, Season season, Rankings.View view, int k) {
    JsonOut out = new JsonOut(128 + 72 * (int) Math.min(k, view.ranking().size()));
    out.beginObject();
    out.name("instanceId").string(board.idOf(season));
    out.name("users").beginArray();
    view.ranking()
        .page(
            0,
            k,
            (rank, user, score, reached) -> {
              out.beginObject();
              Answers.row(out, board, names, view.users(), rank, user, score, reached);
              out.endObject();
            });
    out.endArray();
    out.name("totalUsers").number(view.ranking().size());
    return out.endObject();
  }

  void rank(Exchange exchange) throws Exception {
    String userId = RankRoutes.userId(exchange, "userId");
    choose(
        exchange,
        (x, board, season) ->
            IndexFirst.answer(
                x,
                rankings,
                board,
                season,
                List.of(userId),
                view -> {
                  NameView names = access.names(x, board);
                  Ranking.Row row = names.row(view, userId);
                  JsonOut out = new JsonOut(160);
                  Answers.row(out, board, names, view.users(), row);
                  return out;
                }));
  }

  /** Answers a request about a season of a board. */
  private interface InstanceHandler {
    void handle(Exchange exchange, Board board, Season season);
  }

  private void choose(Exchange exchange, InstanceHandler handler) {
    String id = exchange.pathParam("instanceId");
    Seasons.Parsed parsed = Seasons.parse(id);
    Board board = access.readableSeason(exchange, id, parsed);
    if (parsed == null) {
      throw new IllegalStateException("refused before");
    }
    Window any = board.windows().getFirst();
    Season listed = seasons.listed(board, any, parsed.which());
    if (listed != null) {
      handler.handle(exchange, board, listed);
    } else {
      exchange.block(x -> handler.handle(x, board, seasons.require(board, any, parsed.which())));
    }
  }
}
