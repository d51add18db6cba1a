package dev.laurel.server.api;

import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.model.Window;
import dev.laurel.core.privacy.Profiles;
import dev.laurel.core.query.Cursor;
import dev.laurel.core.query.Neighbours;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.ScoreMetadata;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Handler;
import dev.laurel.server.http.JsonOut;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reading ranks on the native surface. The answers come from memory on the event loop. */
final class RankRoutes {
  private static final int MAX_WINDOW = 500;
  private static final int METADATA_ATTEMPTS = 3;

  /** For all boards of a tenant together. */
  private static final Duration SCORES_PATIENCE = Duration.ofSeconds(2);

  private final Boards boards;
  private final BoardAccess access;
  private final Rankings rankings;
  private final ScoreMetadata metadata;
  private final SeasonQuery seasons;
  private final PageCursors cursors;
  private final InstantSource clock;

  RankRoutes(
      Boards boards,
      BoardAccess access,
      Rankings rankings,
      ScoreMetadata metadata,
      SeasonQuery seasons,
      PageCursors cursors,
      InstantSource clock) {
    this.boards = boards;
    this.access = access;
    this.rankings = rankings;
    this.metadata = metadata;
    this.seasons = seasons;
    this.cursors = cursors;
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
        (x, season) ->
            cursors.read(
                x,
                board,
                season,
                (y, cursor) -> {
                  NameView names = access.names(y, board);
                  IndexFirst.answer(
                      y,
                      rankings,
                      board,
                      season,
                      List.of(),
                      view -> page(board, season, names, view, limit, offset, cursor));
                }));
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
    long from = PageCursors.from(view, offset, cursor);
    JsonOut out = new JsonOut(128 + 112 * (int) Math.min(limit, Math.max(0, total - from)));
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("users").beginArray();
    PageCursors.LastRow last =
        new PageCursors.LastRow(
            (rank, user, score, reached) -> {
              out.beginObject();
              Answers.row(out, board, names, view.users(), rank, user, score, reached);
              out.endObject();
            });
    view.page(from, limit, last);
    out.endArray();
    out.name("totalUsers").number(total);
    out.name("retrievedAt").timestamp(clock.millis());
    String next = cursors.next(season, from, last, total);
    if (next != null) {
      out.name("nextCursor").string(next);
    }
    return out.endObject();
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
          if (!standing.row().hasMetadata()) {
            x.json(standing.json(board, userId, new ScoreMetadata.Found.None()));
            return;
          }
          String known = metadata.remembered(season, userId, standing.row());
          if (known == null) {
            x.block(slowly);
          } else {
            x.json(standing.json(board, userId, new ScoreMetadata.Found.Is(known)));
          }
        },
        slowly);
  }

  /**
   * The row from wherever it is, with its metadata; both of the same submission. Where the index
   * tells the rank, it does not wait for a store that is silent.
   */
  private void rankWithMetadata(
      Exchange exchange, Board board, NameView names, Season season, String userId) {
    Function<Rankings.View, Standing> question = view -> Standing.of(board, names, view, userId);
    List<String> about = List.of(userId);
    for (int attempt = 1; ; attempt++) {
      Rankings.Answer<Standing> answer = rankings.answer(board, season, about, question);
      Standing standing = answer.value();
      ScoreMetadata.Found found =
          standing.row().hasMetadata()
              ? metadata(board, season, userId, answer)
              : new ScoreMetadata.Found.None();
      // Else the user has scored between the two looks.
      if (!(found instanceof ScoreMetadata.Found.Changed) || attempt == METADATA_ATTEMPTS) {
        IndexFirst.source(exchange, answer.source()).json(standing.json(board, userId, found));
        return;
      }
    }
  }

  private ScoreMetadata.Found metadata(
      Board board, Season season, String userId, Rankings.Answer<Standing> answer) {
    Ranking.Row row = answer.value().row();
    return answer.source() == Rankings.Source.INDEX
        ? metadata.of(board, season, userId, row)
        : metadata.read(board, season, row);
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

  /**
   * All of a user's lines, over all boards of the tenant. What the index cannot tell is asked of
   * the store, and named instead if that does not answer in time.
   */
  void userScores(Exchange exchange) {
    String userId = userId(exchange, "user_id");
    JsonOut out = new JsonOut(1024);
    out.beginObject();
    out.name("user_id").string(userId);
    scores(out, exchange.caller().tenant(), userId);
    exchange.json(out.endObject());
  }

  /** Who a user is to the tenant: the profile, and all lines. */
  void user(Exchange exchange) {
    String userId = userId(exchange, "userId");
    long tenant = exchange.caller().tenant();
    Profiles profiles = access.profiles();
    ProfileFields profile =
        ProfileFields.of(profiles.find(tenant, profiles.require(tenant, userId)));
    JsonOut out = new JsonOut(1024);
    out.beginObject();
    out.name("userId").string(userId);
    profile.write(out, "displayName");
    scores(out, tenant, userId);
    exchange.json(out.endObject());
  }

  private void scores(JsonOut out, long tenant, String userId) {
    out.name("scores").beginArray();
    List<Season> silent = new ArrayList<>();
    long deadline = System.nanoTime() + SCORES_PATIENCE.toNanos();
    for (Board board : boards.all(tenant)) {
      for (Season season : board.seasons()) {
        Duration left = Duration.ofNanos(deadline - System.nanoTime());
        switch (rankings.line(board, season, userId, left)) {
          case Rankings.LineInTime.Found(Rankings.Line line) -> write(out, board, season, line);
          case Rankings.LineInTime.None _ -> {}
          case Rankings.LineInTime.Unknown _ -> silent.add(season);
        }
      }
    }
    out.endArray();
    if (!silent.isEmpty()) {
      out.name("unavailable").beginArray();
      silent.forEach(season -> out.string(season.label()));
      out.endArray();
    }
  }

  private static void write(JsonOut out, Board board, Season season, Rankings.Line line) {
    Ranking.Row row = line.row();
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("name").string(board.name());
    Window window = board.window(season.window());
    if (window != null) {
      out.name("period").string(window.name());
    }
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
