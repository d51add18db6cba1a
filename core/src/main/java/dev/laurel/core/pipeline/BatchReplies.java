package dev.laurel.core.pipeline;

import dev.laurel.core.board.KnownBoards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.StoredId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one batch and what they are answered: as wholes, by the state of their board, by
 * what their stream and their idempotency key say, and command by command. Belongs to the batch's
 * thread.
 */
final class BatchReplies {
  private final KnownBoards boards;
  private final BatchIds ids;
  private final BatchSources sources;
  private final BatchScores scores;
  private final BatchCorrections corrections;

  private final List<Answered> answered = new ArrayList<>();
  private final Map<StoredId.Name, Answered> firstByKey = new HashMap<>();

  /** A request and what came of it. */
  private static final class Answered {
    final Pending pending;
    final List<Decision> decisions = new ArrayList<>();
    @Nullable Reply reply;

    /** The request in this very batch that used the idempotency key first. */
    @Nullable Answered twin;

    Answered(Pending pending) {
      this.pending = pending;
    }
  }

  BatchReplies(
      KnownBoards boards,
      BatchIds ids,
      BatchSources sources,
      BatchScores scores,
      BatchCorrections corrections) {
    this.boards = boards;
    this.ids = ids;
    this.sources = sources;
    this.scores = scores;
    this.corrections = corrections;
  }

  /** Refuses the next request, and applies nothing of it. */
  void refuse(Pending p, Rejection why) {
    Answered result = new Answered(p);
    result.reply = new Reply.Refused(why);
    answered.add(result);
  }

  /** Decides the next request. */
  void decide(Pending p) {
    Answered result = new Answered(p);
    answered.add(result);
    if (isRepeated(result)) {
      return;
    }
    Board board = boards.find(p.request.board().id());
    boolean active =
        board != null && (board.status() == BoardStatus.ACTIVE || p.request.isCorrection());
    Request.Source source = p.request.source();
    if (!active && source == null) {
      result.reply = new Reply.Refused(notActive(p.request.board(), board));
      return;
    }
    boolean accepted = false;
    long taken = source == null ? -1 : sources.taken(source);
    for (int i = 0; i < p.commands.size(); i++) {
      // First of all: what was taken before may well be refused by what holds today.
      Decision decision =
          source != null && source.offsets()[i] <= taken
              ? sources.again(source, i)
              : board == null || !active
                  ? Decision.rejected(notActive(p.request.board(), board))
                  : switch (p.commands.get(i)) {
                    case Validation.Invalid(var rejection) -> Decision.rejected(rejection);
                    case Validation.Valid valid ->
                        scores.decide(board, valid, p.users[i], p.request);
                    case Validation.Correction(var command) ->
                        corrections.correct(board, command, p.users[i], p.request);
                  };
      accepted |= decision.outcome() instanceof Outcome.Accepted;
      result.decisions.add(decision);
      if (source != null
          && source.offsets()[i] > taken
          && decision.outcome() instanceof Outcome.Rejected(var rejection)) {
        sources.refuse(source, i, rejection);
      }
    }
    if (source != null) {
      sources.take(source);
    }
    if (p.key != null && accepted) {
      firstByKey.put(p.key, result);
    }
  }

  /** Whether the idempotency key was used, by the batch or before it; then that is the answer. */
  private boolean isRepeated(Answered result) {
    StoredId.Name key = result.pending.key;
    Request.Idempotency idempotency = result.pending.request.idempotency();
    if (key == null || idempotency == null) {
      return false;
    }
    StoredId stored = ids.kept(key, idempotency);
    Answered first = firstByKey.get(key);
    if (stored != null) {
      byte[] answer = stored.answer();
      result.reply =
          stored.payload().equals(idempotency.payload()) && answer != null
              ? new Reply.Replayed(answer)
              : conflict(idempotency);
    } else if (first != null) {
      if (idempotency.payload().equals(payload(first))) {
        result.twin = first;
      } else {
        result.reply = conflict(idempotency);
      }
    }
    return stored != null || first != null;
  }

  private static @Nullable Digest payload(Answered first) {
    Request.Idempotency idempotency = first.pending.request.idempotency();
    return idempotency == null ? null : idempotency.payload();
  }

  private static Reply conflict(Request.Idempotency idempotency) {
    return new Reply.Refused(
        Rejection.expectation(
            ErrorCode.IDEMPOTENCY_CONFLICT,
            "Idempotency-Key",
            idempotency.key(),
            "a new key for a new payload; this one was used for another"));
  }

  static Rejection notActive(Board asked, @Nullable Board now) {
    return Rejection.of(
        ErrorCode.BOARD_NOT_ACTIVE,
        "board "
            + asked.uuid()
            + ": "
            + (now == null ? "deleted" : now.status())
            + " (expected: ACTIVE)",
        Map.of("status", now == null ? "DELETED" : now.status().name()));
  }

  /** Makes the replies, before the commit: those of keys are stored with it. */
  void make(BatchRanks ranks) {
    for (Answered a : answered) {
      if (a.reply == null && a.twin == null) {
        a.reply = done(a, ranks);
      }
    }
  }

  private Reply done(Answered a, BatchRanks ranks) {
    Request request = a.pending.request;
    List<Outcome> outcomes = new ArrayList<>(a.decisions.size());
    for (Decision decision : a.decisions) {
      outcomes.add(request.wantsRanks() ? ranks.ranked(decision, request) : decision.outcome());
    }
    StoredId.Name key = a.pending.key;
    Request.Idempotency idempotency = request.idempotency();
    if (key == null || idempotency == null || firstByKey.get(key) != a) {
      return new Reply.Done(outcomes, null);
    }
    byte[] answer = idempotency.answer().encode(outcomes);
    ids.keep(key, idempotency, answer);
    return new Reply.Done(outcomes, answer);
  }

  /** After the commit: the callers hear of it. */
  void send() {
    for (Answered a : answered) {
      Reply reply = a.reply;
      if (a.twin != null && a.twin.reply instanceof Reply.Done(var _, byte[] answer)) {
        reply = new Reply.Replayed(answer);
      }
      if (reply != null) {
        a.pending.reply.complete(reply);
      }
    }
  }
}
