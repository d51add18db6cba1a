package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.query.Rankings;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.limits.Clients;
import java.util.ArrayList;
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
            ranked(
                x,
                board,
                userId,
                accepted,
                rank -> Answers.updated(board, userId, accepted, rank)));
  }

  /** Writes an answer that needs a rank; where the commit could not tell it, asks for it. */
  private void ranked(
      Exchange exchange,
      Board board,
      String userId,
      Outcome.Accepted accepted,
      RankedAnswer answer) {
    answerRanked(exchange, rankings, board, userId, accepted, answer);
  }

  /** An answer that needs a rank; 0 for a user who is not on the board (any more). */
  interface RankedAnswer {
    JsonOut with(long rank);
  }

  static void answerRanked(
      Exchange exchange,
      Rankings rankings,
      Board board,
      String userId,
      Outcome.Accepted accepted,
      RankedAnswer answer) {
    Season season = accepted.season();
    if (accepted.rank() != 0 || !accepted.onBoard() || season == null) {
      exchange.json(answer.with(accepted.rank()));
      return;
    }
    exchange.block(
        x ->
            x.json(
                answer.with(
                    rankings.line(board, season, userId).map(l -> l.row().rank()).orElse(0L))));
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
              } catch (RuntimeException e) {
                exchange.fail(e);
              }
            });
  }

  void post(Exchange exchange) {
    Board board = access.owned(exchange, exchange.pathParam("UUID"));
    Fields fields = exchange.fields();
    List<@Nullable Fields> lines = fields.objectsOrNulls("scores", 1, MAX_LINES);
    fields.done();
    Batch batch = Batch.read(lines);
    Request.AnswerEncoder encoder = outcomes -> batch.results(board, outcomes).toByteArray();
    Request request =
        new Request(
            board,
            batch.commands,
            exchange.caller().number(),
            false,
            RequestKey.forScores(exchange, encoder));
    answer(exchange, request, outcomes -> exchange.json(batch.results(board, outcomes)));
  }

  /** The lines of a batch: those that could be read as commands, and why the others could not. */
  private static final class Batch {
    final List<Command> commands = new ArrayList<>();
    private final List<@Nullable String> userIds = new ArrayList<>();
    private final List<@Nullable Rejection> unreadable = new ArrayList<>();

    static Batch read(List<@Nullable Fields> lines) {
      Batch batch = new Batch();
      for (Fields line : lines) {
        String userId = null;
        Rejection why = null;
        try {
          if (line == null) {
            why = Rejection.invalid("line", "not an object", "an object");
          } else {
            userId = line.string("userId");
            batch.commands.add(ScoreFields.read(line, userId));
          }
        } catch (RejectedException e) {
          why = e.rejection();
        }
        batch.userIds.add(userId);
        batch.unreadable.add(why);
      }
      return batch;
    }

    JsonOut results(Board board, List<Outcome> outcomes) {
      JsonOut out = new JsonOut(32 + 112 * userIds.size());
      out.beginObject().name("results").beginArray();
      int next = 0;
      for (int i = 0; i < userIds.size(); i++) {
        Rejection why = unreadable.get(i);
        Outcome outcome = why == null ? outcomes.get(next++) : new Outcome.Rejected(why);
        out.beginObject();
        out.name("userId").value(userIds.get(i));
        switch (outcome) {
          case Outcome.Accepted accepted -> {
            out.name("outcome").string(accepted.effect().name());
            if (accepted.onBoard()) {
              out.name("score").units(accepted.score(), board.decimals());
              out.name("timestamp").timestamp(accepted.reached());
            }
            Answers.windows(out, board, accepted);
          }
          case Outcome.Rejected(Rejection rejection) -> {
            out.name("outcome").string("REJECTED");
            out.name("code").string(rejection.code().name());
            out.name("message").string(rejection.message());
          }
        }
        out.endObject();
      }
      return out.endArray().endObject();
    }
  }
}
