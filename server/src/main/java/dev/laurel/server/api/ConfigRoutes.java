package dev.laurel.server.api;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.Edit;
import dev.laurel.core.board.Edited;
import dev.laurel.core.board.Topics;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Scoring;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import dev.laurel.core.query.Seasons;
import dev.laurel.core.scoring.FeatureValues;
import dev.laurel.core.scoring.Score;
import dev.laurel.core.scoring.Scorer;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.server.events.TenantEvents;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Configurations: what a tenant describes once, and then it runs itself. */
final class ConfigRoutes {
  private final Boards boards;
  private final Topics topics;
  private final Scorers scorers;
  private final Seasons seasons;

  ConfigRoutes(Boards boards, Topics topics, Scorers scorers, Seasons seasons) {
    this.boards = boards;
    this.topics = topics;
    this.scorers = scorers;
    this.seasons = seasons;
  }

  /** The document's order: the payload, then the tenant, then the topic and its capacity. */
  void create(Exchange exchange) {
    Fields fields = exchange.fields();
    String tenantId = fields.string("tenantId");
    BoardDefinition definition = ConfigFields.definition(fields);
    Scorer scorer = scorer(definition.scoring(), definition.rules().places());
    boards.check(definition);
    requireTenant(exchange, tenantId);
    OnceOnly.Answer answer =
        boards.create(
            exchange.caller().tenant(),
            exchange.caller().name(),
            definition,
            topics,
            RequestKey.forConfiguration(exchange),
            board -> created(board, tenantId, scorer));
    BoardRoutes.send(exchange.status(201), answer);
  }

  private @Nullable Scorer scorer(@Nullable Scoring scoring, int decimals) {
    return scoring == null ? null : scorers.make(scoring, decimals);
  }

  private static void requireTenant(Exchange exchange, @Nullable String tenantId) {
    if (tenantId != null && !tenantId.equals(exchange.caller().tenantId())) {
      throw Rejection.expectation(
              ErrorCode.TENANT_NOT_FOUND, "tenantId", tenantId, "the caller's tenant")
          .asException();
    }
  }

  void get(Exchange exchange) {
    Board board = require(exchange);
    BoardVersion version = BoardRoutes.version(exchange, boards, board, ErrorCode.CONFIG_NOT_FOUND);
    BoardRoutes.tag(exchange, version.number());
    JsonOut out = new JsonOut(1024);
    out.beginObject();
    ConfigFields.write(out, board, version, exchange.caller().tenantId());
    exchange.json(out.endObject());
  }

  void list(Exchange exchange) {
    int limit = exchange.intQuery("limit", 100, 1, 1000);
    int offset = exchange.intQuery("offset", 0, 0, Integer.MAX_VALUE);
    List<Board> all =
        boards.all(exchange.caller().tenant()).stream().filter(b -> b.scoring() != null).toList();
    JsonOut out = new JsonOut(1024);
    out.beginObject().name("configs").beginArray();
    all.stream()
        .skip(offset)
        .limit(limit)
        .forEach(
            board -> {
              out.beginObject();
              ConfigFields.write(out, board, board.current(), exchange.caller().tenantId());
              out.endObject();
            });
    out.endArray();
    out.name("total").number(all.size());
    exchange.json(out.endObject());
  }

  /** Each edit is a version: n + 1 is in force, and n stays readable. */
  void edit(Exchange exchange) {
    Board board = require(exchange);
    Fields fields = exchange.fields();
    String tenantId = fields.optionalString("tenantId");
    BoardChange change = ConfigFields.change(fields, board);
    Scoring scoring = change.scoring();
    Scorer scorer = scoring == null ? null : scorer(scoring, board.decimals());
    requireTenant(exchange, tenantId);
    change(exchange, board, change, scorer);
  }

  void changeStatus(Exchange exchange) {
    Board board = require(exchange);
    Fields fields = exchange.fields();
    BoardStatus status = fields.choice("status", BoardStatus.class);
    fields.done();
    change(exchange, board, BoardChange.status(status), null);
  }

  private void change(Exchange exchange, Board board, BoardChange change, @Nullable Scorer scorer) {
    Edit edit = BoardRoutes.edit(exchange, known -> change);
    String tenantId = exchange.caller().tenantId();
    BoardRoutes.change(
        exchange,
        boards,
        board,
        edit,
        topics,
        edited -> edited(edited, tenantId, scorer, edit.dryRun()));
  }

  /** The seasons of all windows, newest first. */
  void instances(Exchange exchange) {
    Board board = require(exchange);
    int limit = exchange.intQuery("limit", 100, 1, 1000);
    JsonOut out = new JsonOut(1024);
    out.beginObject();
    out.name("leaderboardConfigId").string(board.leaderboardId());
    out.name("instances").beginArray();
    for (Window window : board.windows()) {
      for (Season season : seasons.before(board, window, Long.MAX_VALUE, limit)) {
        SeasonRoutes.write(out, board, season);
      }
    }
    exchange.json(out.endArray().endObject());
  }

  /** Scores a set of features without storing anything. */
  void attempt(Exchange exchange) {
    Board board = require(exchange);
    Fields fields = exchange.fields();
    Fields features = fields.object("features");
    fields.done();
    Scorer scorer = scorers.of(board);
    if (scorer == null) {
      throw Rejection.invalid("config", board.uuid(), "a configuration that scores features")
          .asException();
    }
    Score score = scorer.score(TenantEvents.features(features));
    if (score instanceof Score.Rejected(Rejection rejection)) {
      throw rejection.asException();
    }
    JsonOut out = new JsonOut(128);
    out.beginObject();
    out.name("configId").string(board.leaderboardId());
    out.name("version").number(board.version());
    out.name("score").units(((Score.Scored) score).units(), board.decimals());
    exchange.json(out.endObject());
  }

  private Board require(Exchange exchange) {
    String id = exchange.pathParam("configId");
    Board board = boards.findInternal(exchange.caller().tenant(), id);
    if (board == null) {
      throw Rejection.expectation(
              ErrorCode.CONFIG_NOT_FOUND, "configId", id, "a configuration of this tenant")
          .asException();
    }
    return board;
  }

  private static byte[] created(Board board, String tenantId, @Nullable Scorer scorer) {
    JsonOut out = new JsonOut(1024);
    fields(out.beginObject(), board, tenantId, scorer);
    return out.endObject().toByteArray();
  }

  private static byte[] edited(
      Edited edited, String tenantId, @Nullable Scorer scorer, boolean dryRun) {
    JsonOut out = new JsonOut(1024);
    fields(out.beginObject(), edited.board(), tenantId, scorer);
    Answers.seasonChanges(out, edited, dryRun);
    return out.endObject().toByteArray();
  }

  /**
   * @param scorer of a configuration that was just made: the answer shows what it makes of a sample
   */
  private static void fields(JsonOut out, Board board, String tenantId, @Nullable Scorer scorer) {
    ConfigFields.write(out, board, board.current(), tenantId);
    if (scorer != null) {
      sample(out.name("sample"), scorer, board.decimals());
    }
  }

  private static void sample(JsonOut out, Scorer scorer, int decimals) {
    FeatureValues values = scorer.features().sample(true);
    out.beginObject();
    out.name("features").beginObject();
    values
        .asMap()
        .forEach(
            (name, value) -> {
              out.name(name);
              switch (value) {
                case BigDecimal number -> out.raw(number.toPlainString());
                case Boolean truth -> out.bool(truth);
                default -> out.string(value.toString());
              }
            });
    out.endObject();
    switch (scorer.score(values)) {
      case Score.Scored(long units) -> out.name("score").units(units, decimals);
      case Score.Rejected(Rejection rejection) -> out.name("error").string(rejection.message());
    }
    out.endObject();
  }
}
