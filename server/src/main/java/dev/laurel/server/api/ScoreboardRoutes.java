package dev.laurel.server.api;

import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import java.time.InstantSource;
import java.util.List;

/** What the scoreboard reads: the top of a board, and one's own score. */
final class ScoreboardRoutes {
  private static final int MAX_LIMIT = 50;

  private final Boards boards;
  private final BoardAccess access;
  private final Rankings rankings;
  private final SeasonQuery seasons;
  private final InstantSource clock;

  ScoreboardRoutes(
      Boards boards,
      BoardAccess access,
      Rankings rankings,
      SeasonQuery seasons,
      InstantSource clock) {
    this.boards = boards;
    this.access = access;
    this.rankings = rankings;
    this.seasons = seasons;
    this.clock = clock;
  }

  void leaderboard(Exchange exchange) {
    int limit = exchange.intQuery("limit", 10, 1, MAX_LIMIT);
    Board board = access.readable(exchange, AwardRoutes.boardName(exchange));
    seasons.choose(
        exchange,
        board,
        (x, season) ->
            IndexFirst.answer(
                x,
                rankings,
                board,
                season,
                List.of(),
                view -> {
                  JsonOut out = new JsonOut(64 + 64 * limit);
                  out.beginObject();
                  rows(out.name("entries"), board, access.names(x, board), view, limit);
                  out.name("as_of").timestamp(clock.millis());
                  return out.endObject();
                }));
  }

  /** The first of a board, as 004 writes them. */
  static JsonOut rows(JsonOut out, Board board, NameView names, Rankings.View view, int limit) {
    out.beginArray();
    view.ranking()
        .page(
            0,
            limit,
            (rank, user, score, reached) -> {
              out.beginObject();
              out.name("user_id").string(names.id(view.users(), user, rank));
              String name = names.displayName(view.users(), user, rank);
              if (name != null) {
                out.name("display_name").string(name);
              }
              out.name("total").units(score, board.decimals());
              out.endObject();
            });
    return out.endArray();
  }

  void ownScore(Exchange exchange) {
    String userId = exchange.user();
    String name = AwardRoutes.boardName(exchange);
    if (boards.find(exchange.caller().tenant(), name) == null
        && name.equals(BoardDefinition.GLOBAL.uuid())) {
      // The first award makes it.
      exchange.json(nothing(userId));
      return;
    }
    Board board = access.readable(exchange, name);
    seasons.choose(
        exchange,
        board,
        (x, season) ->
            IndexFirst.answer(
                x, rankings, board, season, List.of(userId), view -> own(board, view, userId)));
  }

  private static JsonOut nothing(String userId) {
    JsonOut out = new JsonOut(128);
    out.beginObject();
    out.name("user_id").string(userId);
    out.name("total").number(0);
    return out.endObject();
  }

  private static JsonOut own(Board board, Rankings.View view, String userId) {
    Ranking.Row row = view.ranking().row(view.users().find(userId));
    if (row == null) {
      return nothing(userId);
    }
    JsonOut out = new JsonOut(128);
    out.beginObject();
    out.name("user_id").string(userId);
    out.name("total").units(row.score(), board.decimals());
    Answers.rank(out, row.rank());
    return out.endObject();
  }
}
