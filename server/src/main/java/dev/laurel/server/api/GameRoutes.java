package dev.laurel.server.api;

import dev.laurel.core.access.Principal;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.Validation;
import dev.laurel.core.query.Cursor;
import dev.laurel.core.query.Neighbours;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.Handler;
import dev.laurel.server.http.JsonOut;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The games surface: its paths, rules and error codes. A game {@code chess} is the board {@code
 * game:chess}, so the native surface reads it too.
 */
final class GameRoutes {
  private static final String ID_RULE = "1..64 of A-Z a-z 0-9 _ -";
  private static final int MAX_SCORE = 2_000_000_000;

  private final Boards boards;
  private final BoardAccess access;
  private final ScoreRoutes scores;
  private final Rankings rankings;
  private final SeasonQuery seasons;
  private final PageCursors cursors;

  GameRoutes(
      Boards boards,
      BoardAccess access,
      ScoreRoutes scores,
      Rankings rankings,
      SeasonQuery seasons,
      PageCursors cursors) {
    this.boards = boards;
    this.access = access;
    this.scores = scores;
    this.rankings = rankings;
    this.seasons = seasons;
    this.cursors = cursors;
  }

  void submit(Exchange exchange) throws Exception {
    strictly(
        exchange,
        x -> {
          String gameId = id("game_id", x.pathParam("game_id"));
          Fields fields = x.fields();
          String userId = id("user_id", fields.string("user_id"));
          String score = Integer.toString(fields.requiredInteger("score", 0, MAX_SCORE));
          Update mode = mode(fields.optionalString("mode"), x.query("mode"));
          String metadata = fields.optionalRawObject("metadata", Validation.MAX_METADATA_BYTES);
          fields.done();
          // Nothing may refuse the request any more once a board is made for it.
          RequestKey.of(x);
          Command command = new Command.Score(userId, score, mode, null, null, metadata);
          Board board = boards.find(x.caller().tenant(), BoardDefinition.gameUuid(gameId));
          if (board != null) {
            submit(x, board, gameId, command);
          } else {
            // The first score of a game makes its board, and that may wait.
            Principal caller = x.caller();
            x.block(
                y ->
                    submit(
                        y, boards.game(caller.tenant(), gameId, caller.name()), gameId, command));
          }
        });
  }

  private void submit(Exchange exchange, Board board, String gameId, Command command) {
    Request.AnswerEncoder encoder =
        outcomes ->
            outcomes.getFirst() instanceof Outcome.Accepted accepted
                ? updated(board, gameId, command, accepted, accepted.rank()).toByteArray()
                : new byte[0];
    scores.submit(
        exchange,
        new Request(
            board,
            List.of(command),
            exchange.caller().number(),
            true,
            RequestKey.forScores(exchange, encoder)),
        GameRoutes::strict,
        (x, accepted) ->
            ScoreRoutes.answerRanked(
                x,
                rankings,
                board,
                command.userId(),
                accepted,
                rank -> updated(board, gameId, command, accepted, rank)));
  }

  private static JsonOut updated(
      Board board, String gameId, Command command, Outcome.Accepted accepted, long rank) {
    JsonOut out = new JsonOut(128);
    out.beginObject();
    out.name("game_id").string(gameId);
    out.name("user_id").string(command.userId());
    if (accepted.onBoard()) {
      out.name("score").units(accepted.score(), board.decimals());
    }
    Answers.rank(out, accepted, rank);
    out.name("updated").bool(accepted.effect() == Outcome.Effect.APPLIED);
    if (accepted.effect() == Outcome.Effect.HELD) {
      out.name("held").bool(true);
    }
    Answers.windows(out, board, accepted);
    return out.endObject();
  }

  void leaderboard(Exchange exchange) throws Exception {
    strictly(
        exchange,
        x -> {
          String gameId = id("game_id", x.pathParam("game_id"));
          int limit = limit(x.query("limit"));
          long offset = x.longQuery("offset", 0, 0, Long.MAX_VALUE);
          Board board = access.findReadable(x, BoardDefinition.gameUuid(gameId));
          if (board == null) {
            if (x.query("cursor") != null) {
              throw Rejection.expectation(
                      ErrorCode.INVALID_CURSOR, "cursor", "given", "none: nobody has played yet")
                  .asException();
            }
            x.json(none(gameId, limit, offset));
          } else {
            seasons.choose(
                x,
                board,
                (y, season) ->
                    cursors.read(
                        y,
                        board,
                        season,
                        (z, cursor) -> {
                          Slice slice = new Slice(gameId, limit, offset, cursor);
                          NameView names = access.names(z, board);
                          IndexFirst.answer(
                              z,
                              rankings,
                              board,
                              season,
                              List.of(),
                              view -> slice(board, season, names, view, slice));
                        }));
          }
        });
  }

  /** Which part of a board was asked for. */
  private record Slice(String gameId, int limit, long offset, @Nullable Cursor cursor) {}

  private JsonOut slice(
      Board board, Season season, NameView names, Rankings.View view, Slice slice) {
    long total = view.ranking().size();
    long from = PageCursors.from(view, slice.offset, slice.cursor);
    JsonOut out = begun(slice.gameId, slice.limit);
    PageCursors.LastRow last =
        new PageCursors.LastRow(
            (rank, user, score, reached) ->
                row(out, board, rank, names.id(view.users(), user, rank), score));
    view.page(from, slice.limit, last);
    ended(out, total, slice.limit, from);
    String next = cursors.next(season, from, last, total);
    if (next != null) {
      out.name("next_cursor").string(next);
    }
    return out.endObject();
  }

  /** Of a game that nobody has played. */
  private static JsonOut none(String gameId, int limit, long offset) {
    JsonOut out = begun(gameId, 0);
    ended(out, 0, limit, offset);
    return out.endObject();
  }

  private static JsonOut begun(String gameId, int rows) {
    JsonOut out = new JsonOut(160 + 72 * rows);
    out.beginObject();
    out.name("game_id").string(gameId);
    out.name("entries").beginArray();
    return out;
  }

  private static void ended(JsonOut out, long total, int limit, long offset) {
    out.endArray();
    out.name("total").number(total);
    out.name("limit").number(limit);
    out.name("offset").number(offset);
  }

  void context(Exchange exchange) throws Exception {
    strictly(
        exchange,
        x -> {
          String gameId = id("game_id", x.pathParam("game_id"));
          String userId = id("user_id", x.pathParam("user_id"));
          int window = x.intQuery("window", 2, 0, 25);
          Board board = access.findReadable(x, BoardDefinition.gameUuid(gameId));
          if (board == null) {
            throw BoardAccess.userNotFound("user_id", userId, "game " + gameId).asException();
          }
          seasons.choose(
              x,
              board,
              (y, season) ->
                  IndexFirst.answer(
                      y,
                      rankings,
                      board,
                      season,
                      List.of(userId),
                      v -> context(board, access.names(y, board), v, gameId, userId, window)));
        });
  }

  private static JsonOut context(
      Board board, NameView names, Rankings.View view, String gameId, String userId, int window) {
    Neighbours found = Neighbours.of(view.ranking(), view.users().find(userId), window);
    if (found == null || names.hides(view.users(), found.user().user(), found.user().rank())) {
      throw BoardAccess.userNotFound("user_id", userId, "game " + gameId).asException();
    }
    return context(board, names, view, gameId, found);
  }

  private static JsonOut context(
      Board board, NameView names, Rankings.View view, String gameId, Neighbours found) {
    JsonOut out = new JsonOut(256);
    out.beginObject();
    out.name("game_id").string(gameId);
    out.name("user");
    row(out, board, names, view, found.user());
    out.name("above").beginArray();
    found.above().forEach(row -> row(out, board, names, view, row));
    out.endArray();
    out.name("below").beginArray();
    found.below().forEach(row -> row(out, board, names, view, row));
    out.endArray();
    return out.endObject();
  }

  private static void row(
      JsonOut out, Board board, NameView names, Rankings.View view, Ranking.Row row) {
    row(out, board, row.rank(), names.id(view.users(), row.user(), row.rank()), row.score());
  }

  private static void row(JsonOut out, Board board, long rank, String userId, long score) {
    out.beginObject();
    Answers.rank(out, rank);
    out.name("user_id").string(userId);
    out.name("score").units(score, board.decimals());
    out.endObject();
  }

  /** The games API has one code for every breach of its contract, and one status. */
  private static void strictly(Exchange exchange, Handler handler) throws Exception {
    try {
      handler.handle(exchange);
    } catch (RejectedException e) {
      throw strict(e.rejection()).asException();
    }
  }

  private static Rejection strict(Rejection why) {
    // A caller begins anew when a cursor is of no use any more: that has a code of its own.
    return (why.code().kind() == ErrorCode.Kind.INVALID && why.code() != ErrorCode.INVALID_CURSOR)
            || why.code() == ErrorCode.SCORE_OUT_OF_BOUNDS
        ? Rejection.of(ErrorCode.VALIDATION_ERROR, why.message(), why.details())
        : why;
  }

  private static String id(String field, String text) {
    if (!BoardDefinition.isGameId(text)) {
      throw Rejection.invalid(field, text, ID_RULE).asException();
    }
    return text;
  }

  private static int limit(@Nullable String text) {
    return switch (text) {
      case null -> 10;
      case "10" -> 10;
      case "100" -> 100;
      default -> throw Rejection.invalid("limit", text, "10 or 100").asException();
    };
  }

  /** Null for the board's own rule, which is BEST unless the board was made with another. */
  private static @Nullable Update mode(@Nullable String inBody, @Nullable String inQuery) {
    if (inBody != null && inQuery != null && !inBody.equals(inQuery)) {
      throw Rejection.invalid("mode", inBody, "the same in the body and in the query")
          .asException();
    }
    String mode = inBody != null ? inBody : inQuery;
    return switch (mode) {
      case null -> null;
      case "best" -> Update.BEST;
      case "latest" -> Update.LATEST;
      case "increment" -> Update.SUM;
      default -> throw Rejection.invalid("mode", mode, "best, latest or increment").asException();
    };
  }
}
