package dev.laurel.server.api;

import static dev.laurel.core.pipeline.Outcome.UNKNOWN_RANK;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.limits.Clients;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Scores in, on the native surface. A handler hands its commands to the pipeline and returns; the
 * answer is written when they are durable and visible.
 */
final class ScoreRoutes {
  private static final int MAX_LINES = 1000;

  private final BoardAccess access;
  private final ScorePipeline pipeline;
  private final Rankings rankings;
  private final Clients clients;

  ScoreRoutes(BoardAccess access, ScorePipeline pipeline, Rankings rankings, Clients clients) {
    this.access = access;
    this.pipeline = pipeline;
    this.rankings = rankings;
    this.clients = clients;
  }

  void put(Exchange exchange) {
    Board board = access.owned(exchange, exchange.pathParam("UUID"));
    String userId = exchange.pathParam("userId");
    Command command = ScoreFields.read(exchange.fields(), userId);
    Request.AnswerEncoder encoder =
        outcomes ->
            outcomes.getFirst() instanceof Outcome.Accepted accepted
                ? Answers.updated(board, userId, accepted, accepted.rank()).toByteArray()
                : new byte[0];
    submit(
        exchange,
        new Request(
            board,
            List.of(command),
            exchange.caller().number(),
            true,
            RequestKey.forScores(exchange, encoder)),
        (x, accepted) ->
            answerRanked(
                x,
                rankings,
                board,
                userId,
                accepted,
                rank -> Answers.updated(board, userId, accepted, rank)));
  }

  /** An answer with the rank, as far as that is known. */
  interface RankedAnswer {
    JsonOut with(long rank);
  }

  /** Writes an answer that needs a rank; where the commit could not tell it, asks for it. */
  static void answerRanked(
      Exchange exchange,
      Rankings rankings,
      Board board,
      String userId,
      Outcome.Accepted accepted,
      RankedAnswer answer) {
    Season season = accepted.season();
    if (accepted.rank() != UNKNOWN_RANK || !accepted.onBoard() || season == null) {
      exchange.json(answer.with(accepted.rank()));
      return;
    }
    rankings
        .atHand(board, season, List.of(userId), view -> rank(view, userId))
        .thenAccept(rank -> exchange.json(answer.with(rank == null ? UNKNOWN_RANK : rank)));
  }

  private static long rank(Rankings.View view, String userId) {
    Ranking.Row row = view.ranking().row(view.users().find(userId));
    return row == null ? Outcome.NO_RANK : row.rank();
  }

  void delete(Exchange exchange) {
    Board board = access.owned(exchange, exchange.pathParam("UUID"));
    String userId = exchange.pathParam("userId");
    byte[] answer =
        new JsonOut(96)
            .beginObject()
            .name("UUID")
            .string(board.uuid())
            .name("userId")
            .string(userId)
            .name("deleted")
            .bool(true)
            .endObject()
            .toByteArray();
    submit(
        exchange,
        new Request(
            board,
            List.of(new Command.Delete(userId)),
            exchange.caller().number(),
            false,
            RequestKey.forScores(exchange, outcomes -> answer)),
        (x, accepted) -> x.json(answer));
  }

  /** A request of one command: refused as a whole if the command is. */
  void submit(
      Exchange exchange, Request request, BiConsumer<Exchange, Outcome.Accepted> onAccepted) {
    submit(exchange, request, UnaryOperator.identity(), onAccepted);
  }

  /**
   * @param words how the surface says a refusal
   */
  void submit(
      Exchange exchange,
      Request request,
      UnaryOperator<Rejection> words,
      BiConsumer<Exchange, Outcome.Accepted> onAccepted) {
    answer(
        exchange,
        request,
        outcomes -> {
          switch (outcomes.getFirst()) {
            case Outcome.Rejected(Rejection rejection) -> exchange.reject(words.apply(rejection));
            case Outcome.Accepted accepted -> onAccepted.accept(exchange, accepted);
          }
        });
  }

  /** Writes the answer for outcomes that are new. */
  private interface OnOutcomes {
    void accept(List<Outcome> outcomes);
  }

  private void answer(Exchange exchange, Request request, OnOutcomes onOutcomes) {
    exchange.dropBody();
    pipeline
        .submit(clients.mark(exchange, request))
        .whenComplete(
            (reply, failure) -> {
              try {
                if (failure != null) {
                  exchange.fail(failure);
                  return;
                }
                switch (reply) {
                  case Reply.Refused(Rejection rejection) -> exchange.reject(rejection);
                  case Reply.Replayed(byte[] bytes) ->
                      exchange.header(RequestKey.REPLAYED, "true").json(bytes);
                  case Reply.Done(var _, byte[] bytes) when bytes != null -> exchange.json(bytes);
                  case Reply.Done(List<Outcome> outcomes, var _) -> onOutcomes.accept(outcomes);
                }
              } catch (Throwable e) {
                exchange.fail(e);
              }
            });
  }

  void post(Exchange exchange) {
    Board board = access.owned(exchange, exchange.pathParam("UUID"));
    Fields fields = exchange.fields();
    List<@Nullable Fields> lines = fields.objectsOrNulls("scores", 1, MAX_LINES);
    fields.done();
    BatchAnswer batch = new BatchAnswer();
    for (Fields line : lines) {
      batch.add("line", line, each -> read(board, each));
    }
    Request.AnswerEncoder encoder =
        outcomes -> {
          batch.take(board, outcomes);
          return batch.results().toByteArray();
        };
    Request request =
        new Request(
            board,
            batch.commands(board),
            exchange.caller().number(),
            false,
            RequestKey.forScores(exchange, encoder));
    answer(
        exchange,
        request,
        outcomes -> {
          batch.take(board, outcomes);
          exchange.json(batch.results());
        });
  }

  private static BatchAnswer.Read read(Board board, Fields line) {
    return new BatchAnswer.Read(board, ScoreFields.read(line, line.string("userId")));
  }
}
