package dev.laurel.server.api;

import dev.laurel.core.access.Principal;
import dev.laurel.core.award.Awards;
import dev.laurel.core.award.Receipts;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.store.Callers;
import dev.laurel.core.store.Digest;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.limits.Clients;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Points for actions of the user whose token it is. What an action is worth is ours to say; the
 * user says only which one it was, and is told what came of it.
 */
final class AwardRoutes {
  private static final Logger LOG = LoggerFactory.getLogger("laurel.awards");
  private static final long KEY_MILLIS = Duration.ofHours(24).toMillis();
  private static final int TOP = 10;
  private static final int MAX_RECEIPT = 128;
  private static final byte[] TOP_NAME =
      ",\"leaderboard_top\":".getBytes(StandardCharsets.US_ASCII);

  private final Awards awards;
  private final Boards boards;
  private final BoardAccess access;
  private final ScorePipeline pipeline;
  private final Rankings rankings;
  private final Times times;
  private final Clients clients;
  private final DistributionSummary points;

  /**
   * @param slow an answer that took longer goes without the top list
   * @param deadline when the caller is told to come back
   */
  record Times(Duration slow, Duration deadline) {}

  AwardRoutes(
      Awards awards,
      Boards boards,
      BoardAccess access,
      ScorePipeline pipeline,
      Rankings rankings,
      Times times,
      Clients clients,
      MeterRegistry registry) {
    this.awards = awards;
    this.boards = boards;
    this.access = access;
    this.pipeline = pipeline;
    this.rankings = rankings;
    this.times = times;
    this.clients = clients;
    this.points =
        DistributionSummary.builder("score_award_points")
            .description("Points that were given")
            .register(registry);
  }

  /** An award on its way. */
  private record Award(
      String awardId,
      String userId,
      String action,
      String actionId,
      String key,
      Awards.Price price) {
    Command command() {
      JsonOut metadata = new JsonOut(256);
      metadata.beginObject();
      metadata.name("award_id").string(awardId);
      metadata.name("action_type").string(action);
      metadata.name("action_id").string(actionId);
      metadata.name("idempotency_key").string(key);
      metadata.name("rules_version").number(price.version());
      metadata.endObject();
      return new Command.Award(
          userId,
          price.points(),
          actionId,
          metadata.toString(),
          new Command.DailyLimit(action, price.limit()));
    }
  }

  void award(Exchange exchange) {
    Principal caller = exchange.caller();
    Fields fields = exchange.fields();
    String action = fields.string("action_type");
    String actionId = fields.string("action_id");
    String receipt = fields.optionalString("receipt");
    String key = key(exchange.header(RequestKey.HEADER), fields.optionalString("idempotency_key"));
    // Nobody gives points to another.
    fields.ignore("user_id");
    fields.done();
    if (!UserIds.isValid(actionId)) {
      throw Rejection.invalid("action_id", actionId, UserIds.EXPECTED).asException();
    }
    if (receipt != null && receipt.codePointCount(0, receipt.length()) > MAX_RECEIPT) {
      throw Rejection.invalid("receipt", receipt, "0.." + MAX_RECEIPT + " characters")
          .asException();
    }
    String uuid = boardName(exchange);
    Awards.Price price =
        awards.price(
            caller.tenant(), uuid, new Receipts.Action(exchange.user(), action, actionId), receipt);
    Award award =
        new Award(UUID.randomUUID().toString(), exchange.user(), action, actionId, key, price);
    Board board = boards.find(caller.tenant(), uuid);
    if (board != null) {
      submit(exchange, board, award);
    } else if (uuid.equals(BoardDefinition.GLOBAL.uuid())) {
      exchange.block(x -> submit(x, boards.global(caller.tenant(), "awards"), award));
    } else {
      throw Boards.notFound(uuid);
    }
  }

  static String boardName(Exchange exchange) {
    String board = exchange.query("board");
    return board == null ? BoardDefinition.GLOBAL.uuid() : board;
  }

  /** A UUID, in the header or in the body; if in both, the same. */
  private static String key(@Nullable String inHeader, @Nullable String inBody) {
    String key = inHeader == null ? inBody : inHeader;
    if (key == null) {
      throw invalidKey("missing", "a UUID in the header or as idempotency_key");
    }
    if (inBody != null && !inBody.equalsIgnoreCase(key)) {
      throw invalidKey("another than idempotency_key", "the same in the header and in the body");
    }
    String lower = key.toLowerCase(Locale.ROOT);
    try {
      if (UUID.fromString(lower).toString().equals(lower)) {
        return lower;
      }
    } catch (IllegalArgumentException e) {
      // Refused below.
    }
    throw invalidKey(key, "a UUID");
  }

  private static RuntimeException invalidKey(String value, String expected) {
    return Rejection.expectation(
            ErrorCode.INVALID_IDEMPOTENCY_KEY, RequestKey.HEADER, value, expected)
        .asException();
  }

  private void submit(Exchange exchange, Board board, Award award) {
    Request.AnswerEncoder encoder =
        outcomes ->
            outcomes.getFirst() instanceof Outcome.Accepted accepted
                ? awarded(board, award, accepted)
                : new byte[0];
    Request request =
        new Request(
            board,
            List.of(award.command()),
            Callers.awardsOf(exchange.caller().number()),
            true,
            new Request.Idempotency(
                exchange.caller().callerId(),
                award.key,
                Digest.of("award", award.action, award.actionId),
                encoder,
                KEY_MILLIS));
    exchange.dropBody();
    pipeline
        .submit(clients.mark(exchange, request))
        .copy()
        .orTimeout(times.deadline.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (reply, failure) -> {
              try {
                if (failure != null) {
                  exchange.fail(failure instanceof TimeoutException ? tooLate() : failure);
                } else {
                  answer(exchange, board, award, reply);
                }
              } catch (Throwable e) {
                exchange.fail(e);
              }
            });
  }

  private RuntimeException tooLate() {
    return Rejection.of(
            ErrorCode.OVERLOADED,
            "not stored within %d ms: try again with the same Idempotency-Key"
                .formatted(times.deadline.toMillis()))
        .asException();
  }

  private void answer(Exchange exchange, Board board, Award award, Reply reply) {
    switch (reply) {
      case Reply.Refused(Rejection rejection) -> exchange.reject(rejection);
      case Reply.Replayed(byte[] kept) ->
          // The state of then. The top list of now would be of another moment.
          exchange.header(RequestKey.REPLAYED, "true").json(kept);
      case Reply.Done(List<Outcome> outcomes, byte @Nullable [] kept) -> {
        if (outcomes.getFirst() instanceof Outcome.Rejected(Rejection rejection)) {
          exchange.reject(rejection);
          return;
        }
        points.record((double) award.price.points());
        LOG.atInfo()
            .addKeyValue("award_id", award.awardId)
            .addKeyValue("user_id", award.userId)
            .addKeyValue("idempotency_key", award.key)
            .addKeyValue("action_id", award.actionId)
            .addKeyValue("requestId", exchange.requestId())
            .log("award");
        answer(exchange, board, kept == null ? new byte[0] : kept);
      }
    }
  }

  /** It is stored by now. The top list is not part of what is kept: it is a view of the moment. */
  private void answer(Exchange exchange, Board board, byte[] kept) {
    if (exchange.ageNanos() > times.slow.toNanos()) {
      exchange.status(202).json(kept);
      return;
    }
    NameView names = access.names(exchange, board);
    Season season = board.newest(board.windows().getFirst());
    if (season == null) {
      exchange.json(withTop(kept, new JsonOut(2).beginArray().endArray()));
      return;
    }
    rankings
        .atHand(
            board,
            season,
            List.of(),
            view ->
                withTop(kept, ScoreboardRoutes.rows(new JsonOut(1024), board, names, view, TOP)))
        .thenAccept(
            whole -> {
              if (whole == null) {
                exchange.status(202).json(kept);
              } else {
                exchange.json(whole);
              }
            });
  }

  private static JsonOut withTop(byte[] kept, JsonOut rows) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream(1024);
    whole.write(kept, 0, kept.length - 1);
    whole.writeBytes(TOP_NAME);
    whole.writeBytes(rows.toByteArray());
    whole.write('}');
    return new JsonOut(whole.size()).raw(whole.toByteArray());
  }

  private static byte[] awarded(Board board, Award award, Outcome.Accepted accepted) {
    JsonOut out = new JsonOut(160);
    out.beginObject();
    out.name("user_id").string(award.userId);
    out.name("total").units(accepted.score(), board.decimals());
    out.name("delta").number(award.price.points());
    Answers.rank(out, accepted, accepted.rank());
    if (accepted.effect() == Outcome.Effect.HELD) {
      out.name("held").bool(true);
    }
    return out.endObject().toByteArray();
  }
}
