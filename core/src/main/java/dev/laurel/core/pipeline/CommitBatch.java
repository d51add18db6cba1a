package dev.laurel.core.pipeline;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.guard.Watch;
import dev.laurel.core.live.ChangeListener;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.rank.Users;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One group commit, top to bottom: {@link #run} inside the transaction, {@link #publish} after it.
 * A batch that fails is dropped whole and its requests are tried again in another one; so nothing
 * here may touch anything outside the transaction before {@code publish}. Belongs to one thread.
 */
final class CommitBatch {
  private final List<Pending> pending;
  private final BoardDirectory directory;
  private final Users users;
  private final BatchDrafts drafts;
  private final Calendars calendars;
  private final Scorers scorers;
  private final Watch watch;
  private final long now;
  private final long stamp;

  private final List<Answered> answered = new ArrayList<>();
  private final Map<StoredId.Name, Answered> firstByKey = new HashMap<>();
  private final Map<Integer, Long> lastLines = new TreeMap<>();

  private @Nullable BatchLedger ledger;

  /** A request and what came of it. */
  private static final class Answered {
    final Pending pending;
    final List<BatchLedger.Decision> decisions = new ArrayList<>();
    @Nullable Reply reply;

    /** The request in this very batch that used the idempotency key first. */
    @Nullable Answered twin;

    Answered(Pending pending) {
      this.pending = pending;
    }
  }

  CommitBatch(
      List<Pending> pending,
      BoardDirectory directory,
      Users users,
      BatchDrafts drafts,
      Calendars calendars,
      Scorers scorers,
      Watch watch,
      long now,
      long stamp) {
    this.pending = pending;
    this.directory = directory;
    this.users = users;
    this.drafts = drafts;
    this.calendars = calendars;
    this.scorers = scorers;
    this.watch = watch;
    this.now = now;
    this.stamp = stamp;
  }

  void run(WriteTransaction tx) {
    Set<Integer> shards = new TreeSet<>();
    for (Pending p : pending) {
      shards.add(p.request.board().shard());
    }
    for (int shard : shards) {
      lastLines.put(shard, tx.lockShard(shard));
    }
    // Only now, under the locks, is the configuration what it will be at the commit.
    directory.follow(tx);
    watch.follow(tx, directory.revision());
    scoreAgain();
    Map<StoredId.Name, StoredId> known = tx.ids(idsAsked());
    BatchSources sources = new BatchSources(tx, pending);
    BatchLedger lines = new BatchLedger(tx, calendars, watch, now, stamp, lastLines, known);
    ledger = lines;
    expect(lines);
    for (Pending p : pending) {
      answered.add(decide(p, known, sources, lines));
    }
    drafts.start(tx, lines.moves());
    lines.write(tx);
    drafts.finish();
    BatchRanks ranks = new BatchRanks(tx, drafts, users);
    for (Answered a : answered) {
      if (a.reply == null && a.twin == null) {
        a.reply = done(a, ranks, lines);
      }
    }
    tx.removeIds(lines.expired());
    tx.putIds(lines.newIds());
    sources.write(tx);
  }

  /** Events that were scored by a version of their board that is not in force any more. */
  private void scoreAgain() {
    for (Pending p : pending) {
      Board board = directory.find(p.request.board().id());
      if (board != null
          && board.scoring() != null
          && board.version() != p.request.board().version()) {
        p.commands = scored(board, p);
      }
    }
  }

  /** What was refused stays refused: its user has no number yet. */
  private List<Validation.Checked> scored(Board board, Pending p) {
    List<Validation.Checked> again = new ArrayList<>(p.commands.size());
    for (int i = 0; i < p.commands.size(); i++) {
      again.add(
          p.commands.get(i) instanceof Validation.Invalid
              ? p.commands.get(i)
              : Validation.check(board, scorers, p.request.commands().get(i), now));
    }
    return again;
  }

  private Set<StoredId.Name> idsAsked() {
    Set<StoredId.Name> names = new HashSet<>();
    for (Pending p : pending) {
      if (p.key != null) {
        names.add(p.key);
      }
      for (Validation.Checked checked : p.commands) {
        if (checked instanceof Validation.Valid valid && valid.id() != null) {
          names.add(valid.id());
        }
      }
    }
    return names;
  }

  /** What the batch is going to ask, so that its entries are read together. */
  private void expect(BatchLedger lines) {
    for (Pending p : pending) {
      Board board = directory.find(p.request.board().id());
      if (board != null) {
        for (int i = 0; i < p.commands.size(); i++) {
          if (p.commands.get(i) instanceof Validation.Valid valid) {
            lines.expect(board, valid, p.users[i]);
          }
        }
      }
    }
    lines.load();
  }

  private Answered decide(
      Pending p, Map<StoredId.Name, StoredId> known, BatchSources sources, BatchLedger lines) {
    Answered result = new Answered(p);
    Request.Idempotency idempotency = p.request.idempotency();
    if (p.key != null && idempotency != null) {
      StoredId stored = known.get(p.key);
      if (stored != null && now - stored.createdAt() >= idempotency.keptMillis()) {
        lines.expire(p.key);
        stored = null;
      }
      Answered first = firstByKey.get(p.key);
      if (stored != null) {
        byte[] answer = stored.answer();
        result.reply =
            stored.payload().equals(idempotency.payload()) && answer != null
                ? new Reply.Replayed(answer)
                : conflict(idempotency);
        return result;
      }
      if (first != null) {
        if (idempotency.payload().equals(payload(first))) {
          result.twin = first;
        } else {
          result.reply = conflict(idempotency);
        }
        return result;
      }
    }
    Board board = directory.find(p.request.board().id());
    boolean active =
        board != null && (board.status() == BoardStatus.ACTIVE || p.request.isCorrection());
    Request.Source source = p.request.source();
    if (!active && source == null) {
      result.reply = new Reply.Refused(notActive(p.request.board(), board));
      return result;
    }
    boolean accepted = false;
    long taken = source == null ? -1 : sources.taken(source);
    for (int i = 0; i < p.commands.size(); i++) {
      // First of all: what was taken before may well be refused by what holds today.
      BatchLedger.Decision decision =
          source != null && source.offsets()[i] <= taken
              ? sources.again(source, i)
              : board == null || !active
                  ? BatchLedger.rejected(notActive(p.request.board(), board))
                  : switch (p.commands.get(i)) {
                    case Validation.Invalid(var rejection) -> BatchLedger.rejected(rejection);
                    case Validation.Valid valid ->
                        lines.decide(board, valid, p.users[i], p.request);
                    case Validation.Correction(var command) ->
                        lines.correct(board, command, p.users[i], p.request);
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
    return result;
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

  private Reply done(Answered a, BatchRanks ranks, BatchLedger lines) {
    Request request = a.pending.request;
    List<Outcome> outcomes = new ArrayList<>(a.decisions.size());
    for (BatchLedger.Decision decision : a.decisions) {
      outcomes.add(request.wantsRanks() ? ranks.ranked(decision, request) : decision.outcome());
    }
    Request.Idempotency idempotency = request.idempotency();
    if (a.pending.key == null || idempotency == null || firstByKey.get(a.pending.key) != a) {
      return new Reply.Done(outcomes, null);
    }
    byte[] answer = idempotency.answer().encode(outcomes);
    lines.keep(
        new StoredId(
            request.board().id(),
            a.pending.key.key(),
            idempotency.payload(),
            0,
            true,
            0,
            0,
            now,
            answer));
    return new Reply.Done(outcomes, answer);
  }

  /** After the commit: first everyone can see it, then the callers hear of it. */
  void publish(List<ChangeListener> listeners) {
    drafts.publish(listeners);
    for (Answered a : answered) {
      Reply reply = a.reply;
      if (a.twin != null && a.twin.reply instanceof Reply.Done(var _, byte[] answer)) {
        reply = new Reply.Replayed(answer);
      }
      if (reply == null) {
        throw new IllegalStateException("a request of the batch was not answered");
      }
      a.pending.reply.complete(reply);
    }
  }

  /** How many ledger lines the batch made. */
  int lines() {
    return ledger == null ? 0 : ledger.lineCount();
  }

  /** The first line of each shard the batch wrote to: where to look whether it was committed. */
  Map<Integer, Long> firstLines() {
    return ledger == null ? Map.of() : ledger.firstLines();
  }

  long stamp() {
    return stamp;
  }
}
