package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import java.time.InstantSource;
import java.util.List;

/** What document 004 reads: the top of a board, and one's own score. */
final class ScoreboardRoutes {
  private static final int MAX_LIMIT = 50;

  private final BoardAccess access;
  private final Rankings rankings;
  private final SeasonQuery seasons;
  private final InstantSource clock;

  ScoreboardRoutes(
      BoardAccess access, Rankings rankings, SeasonQuery seasons, InstantSource clock) {
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
    Board board = access.readable(exchange, AwardRoutes.boardName(exchange));
    seasons.choose(
        exchange,
        board,
        (x, season) ->
            IndexFirst.answer(
                x, rankings, board, season, List.of(userId), view -> own(board, view, userId)));
  }

  private static JsonOut own(Board board, Rankings.View view, String userId) {
    Ranking.Row row = view.ranking().row(view.users().find(userId));
    if (row == null) {
      throw BoardAccess.userNotFound("user_id", userId, "board " + board.uuid()).asException();
    }
    JsonOut out = new JsonOut(128);
    out.beginObject();
    out.name("user_id").string(userId);
    out.name("total").units(row.score(), board.decimals());
    Answers.rank(out, row.rank());
    return out.endObject();
  }
}
