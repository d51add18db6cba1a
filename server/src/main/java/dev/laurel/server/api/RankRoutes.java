package dev.laurel.server.api;

import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.query.Cursor;
import dev.laurel.core.query.Neighbours;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Handler;
import dev.laurel.server.http.JsonOut;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reading ranks on the native surface. The answers come from memory on the event loop. */
final class RankRoutes {
  private static final int MAX_WINDOW = 500;
  private static final int METADATA_ATTEMPTS = 3;

  private final Boards boards;
  private final BoardAccess access;
  private final Rankings rankings;
  private final SeasonQuery seasons;
  private final InstantSource clock;

  RankRoutes(
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

  void top(Exchange exchange) {
    Board board = access.readable(exchange, exchange.pathParam("UUID"));
    if (exchange.query("limit") == null) {
      throw Rejection.invalid("limit", "missing", "1..1000").asException();
    }
    int limit = exchange.intQuery("limit", 0, 1, 1000);
    long offset = exchange.longQuery("offset", 0, 0, Long.MAX_VALUE);
    seasons.choose(
        exchange,
        board,
        (x, season) -> {
          Cursor cursor = cursor(x, season);
          NameView names = access.names(x, board);
          Consumer<Exchange> answer =
              y ->
                  IndexFirst.answer(
                      y,
                      rankings,
                      board,
                      season,
                      List.of(),
                      view -> page(board, season, names, view, limit, offset, cursor));
          if (cursor == null || rankings.hasMet(board, cursor.user())) {
            answer.accept(x);
          } else {
            // Another node's page may have ended with somebody whom this one has not met.
            x.block(
                y -> {
                  rankings.meetAll(board);
                  answer.accept(y);
                });
          }
        });
  }

  private static @Nullable Cursor cursor(Exchange exchange, Season season) {
    String text = exchange.query("cursor");
    if (text == null) {
      return null;
    }
    if (exchange.query("offset") != null) {
      throw Rejection.invalid("offset", "given with cursor", "only one of them").asException();
    }
    Cursor cursor = Cursor.decode(text);
    if (cursor == null || cursor.season() != season.id()) {
      throw Rejection.expectation(
              ErrorCode.INVALID_CURSOR, "cursor", text, "the nextCursor of a page of this board")
          .asException();
    }
    return cursor;
  }

  private JsonOut page(
      Board board,
      Season season,
      NameView names,
      Rankings.View view,
      int limit,
      long offset,
      @Nullable Cursor cursor) {
    Ranking ranking = view.ranking();
    long total = ranking.size();
    long from = offset;
    if (cursor != null) {
      if (cursor.user() < 0 || cursor.user() > view.users().size()) {
        throw Rejection.expectation(
                ErrorCode.INVALID_CURSOR, "cursor", "made up", "the nextCursor of a page")
            .asException();
      }
      from = ranking.after(cursor.score(), cursor.reached(), cursor.user(), cursor.position());
    }
    JsonOut out = new JsonOut(128 + 112 * (int) Math.min(limit, Math.max(0, total - from)));
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("users").beginArray();
    LastRow last = new LastRow();
    ranking.page(
        from,
        limit,
        (rank, user, score, reached) -> {
          out.beginObject();
          Answers.row(out, board, names, view.users(), rank, user, score, reached);
          out.endObject();
          last.set(user, score, reached);
        });
    out.endArray();
    out.name("totalUsers").number(total);
    out.name("retrievedAt").timestamp(clock.millis());
    if (last.rows > 0 && from + last.rows < total) {
      long position = from + last.rows - 1;
      out.name("nextCursor")
          .string(new Cursor(season.id(), last.score, last.reached, last.user, position).encode());
    }
    return out.endObject();
  }

  /** Where a page ended. */
  private static final class LastRow {
    long rows;
    int user;
    long score;
    long reached;

    void set(int newUser, long newScore, long newReached) {
      rows++;
      user = newUser;
      score = newScore;
      reached = newReached;
    }
  }

  void rank(Exchange exchange) {
    Board board = access.readable(exchange, exchange.pathParam("UUID"));
    String userId = userId(exchange, "userId");
    seasons.choose(exchange, board, (x, season) -> rank(x, board, season, userId));
  }

  private void rank(Exchange exchange, Board board, Season season, String userId) {
    NameView names = access.names(exchange, board);
    Handler slowly = x -> rankWithMetadata(x, board, names, season, userId);
    IndexFirst.fromIndex(
        exchange,
        rankings,
        board,
        season,
        List.of(userId),
        view -> Standing.of(board, names, view, userId),
        (x, standing) -> {
          if (standing.row().hasMetadata()) {
            x.block(slowly);
          } else {
            x.json(standing.json(board, userId, null));
          }
        },
        slowly);
  }

  /** The row from wherever it is, with its metadata from the store; both of the same submission. */
  private void rankWithMetadata(
      Exchange exchange, Board board, NameView names, Season season, String userId) {
    Function<Rankings.View, Standing> question = view -> Standing.of(board, names, view, userId);
    List<String> about = List.of(userId);
    Rankings.Answer<Standing> answer = rankings.answer(board, season, about, question);
    Optional<String> metadata = Optional.empty();
    for (int i = 0; i < METADATA_ATTEMPTS && answer.value().row().hasMetadata(); i++) {
      metadata = rankings.metadata(board, season, answer.value().row());
      if (metadata.isPresent()) {
        break;
      }
      // The user has scored between the two looks.
      answer = rankings.answer(board, season, about, question);
    }
    IndexFirst.source(exchange, answer.source())
        .json(answer.value().json(board, userId, metadata.orElse(null)));
  }

  void around(Exchange exchange) {
    Board board = access.readable(exchange, exchange.pathParam("UUID"));
    String userId = userId(exchange, "userId");
    int window = exchange.intQuery("window", 5, 0, MAX_WINDOW);
    seasons.choose(
        exchange,
        board,
        (x, season) ->
            IndexFirst.answer(
                x,
                rankings,
                board,
                season,
                List.of(userId),
                v -> around(board, access.names(x, board), v, userId, window)));
  }

  private static JsonOut around(
      Board board, NameView names, Rankings.View view, String userId, int window) {
    Neighbours found = Neighbours.of(view.ranking(), view.users().find(userId), window);
    if (found == null || names.hides(view.users(), found.user().user(), found.user().rank())) {
      throw BoardAccess.userNotFound("userId", userId, "board " + board.uuid()).asException();
    }
    JsonOut out = new JsonOut(128 + 112 * (2 * window + 1));
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("user");
    Answers.row(out, board, names, view.users(), found.user());
    rows(out.name("above"), board, names, view, found.above());
    rows(out.name("below"), board, names, view, found.below());
    out.name("totalUsers").number(view.ranking().size());
    return out.endObject();
  }

  private static void rows(
      JsonOut out, Board board, NameView names, Rankings.View view, List<Ranking.Row> rows) {
    out.beginArray();
    for (Ranking.Row row : rows) {
      Answers.row(out, board, names, view.users(), row);
    }
    out.endArray();
  }

  /** All of a user's lines, over all boards of the tenant (document 001). */
  void userScores(Exchange exchange) {
    String userId = userId(exchange, "user_id");
    List<Board> all = boards.all(exchange.caller().tenant());
    JsonOut out = new JsonOut(1024);
    out.beginObject();
    out.name("user_id").string(userId);
    out.name("scores").beginArray();
    for (Board board : all) {
      for (Season season : board.seasons()) {
        rankings.line(board, season, userId).ifPresent(line -> write(out, board, season, line));
      }
    }
    exchange.json(out.endArray().endObject());
  }

  private static void write(JsonOut out, Board board, Season season, Rankings.Line line) {
    Ranking.Row row = line.row();
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("name").string(board.name());
    out.name("season").string(season.label());
    Answers.rank(out, row.rank());
    out.name("score").units(row.score(), board.decimals());
    out.name("timestamp").timestamp(row.reached());
    out.name("total").number(line.size());
    out.endObject();
  }

  static String userId(Exchange exchange, String name) {
    String text = exchange.pathParam(name);
    if (!UserIds.isValid(text)) {
      throw Rejection.invalid(name, text, UserIds.EXPECTED).asException();
    }
    return text;
  }
}
