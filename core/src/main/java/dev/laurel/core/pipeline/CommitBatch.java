package dev.laurel.core.pipeline;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.KnownBoards;
import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.guard.Watch;
import dev.laurel.core.live.ChangeListener;
import dev.laurel.core.model.Board;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.TransactionLostException;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.time.Moment;
import dev.laurel.core.time.MomentSource;
import dev.laurel.core.vital.Failures;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One group commit, top to bottom: {@link #run} inside the transaction, {@link #publish} after it.
 * A batch that fails is dropped whole and its requests are tried again in another one; so nothing
 * here may touch anything outside the transaction before {@code publish}. Belongs to one thread.
 */
final class CommitBatch {
  private List<Pending> pending;
  private List<Pending> deferred = List.of();
  private final RememberedStore.Era era;
  private final BoardDirectory directory;
  private final Users users;
  private final BatchDrafts drafts;
  private final Calendars calendars;
  private final Scorers scorers;
  private final Watch watch;
  private final MomentSource clock;
  private final long stamp;

  private long now;
  private boolean complete;
  private @Nullable BatchLedger ledger;
  private @Nullable BatchReplies replies;
  private @Nullable BatchGuard guard;

  CommitBatch(
      List<Pending> pending,
      RememberedStore.Era era,
      BoardDirectory directory,
      Users users,
      BatchDrafts drafts,
      Calendars calendars,
      Scorers scorers,
      Watch watch,
      InstantSource clock,
      long stamp) {
    this.pending = pending;
    this.era = era;
    this.directory = directory;
    this.users = users;
    this.drafts = drafts;
    this.calendars = calendars;
    this.scorers = scorers;
    this.watch = watch;
    this.clock = MomentSource.of(clock);
    this.stamp = stamp;
  }

  /**
   * @param wait whether to wait a moment if other nodes have all the shards; all of it may be left
   *     for later
   */
  void run(WriteTransaction tx, boolean wait) {
    Map<Integer, Long> lastLines = lock(tx, wait);
    if (pending.isEmpty()) {
      return;
    }
    // Only now, under the locks, is the configuration what it will be at the commit, and is it
    // later than whatever was committed before.
    Moment moment = clock.moment();
    now = moment.earliest();
    KnownBoards boards = directory.follow(tx);
    // Asked with the revision: what was looked up before the transaction holds in it.
    era.require(tx);
    users.followErased(tx, boards.revision());
    pending.forEach(p -> checkUsers(tx, p));
    findUnheard(tx);
    watch.follow(tx, boards.revision());
    scoreAgain(boards);
    BatchIds ids = new BatchIds(tx.ids(idsAsked()), boards.forgotten(), now);
    BatchSources sources = new BatchSources(tx, pending);
    BatchEntries entries = new BatchEntries(tx);
    BatchLedger lines = new BatchLedger(tx, entries, lastLines, now, stamp);
    LineSeasons seasons = new LineSeasons(tx);
    BatchGuard judged = new BatchGuard(watch.begin(tx, lines::linesBack), now);
    BatchScores scores = new BatchScores(calendars, judged, ids, entries, lines, seasons, now);
    BatchCorrections corrections = new BatchCorrections(tx, lines, entries, seasons, now);
    BatchReplies decided = new BatchReplies(boards, ids, sources, scores, corrections);
    ledger = lines;
    replies = decided;
    guard = judged;
    expect(boards, scores, entries);
    for (Pending p : pending) {
      if (isUnclear(boards, p, moment)) {
        decided.refuse(p, UnclearTime.refusal());
      } else {
        decided.decide(p);
      }
    }
    drafts.start(tx, entries.moves(), stamp);
    lines.write(tx);
    entries.write(tx);
    corrections.write(tx);
    judged.write(tx);
    drafts.finish();
    decided.make(new BatchRanks(drafts, users));
    ids.write(tx);
    sources.write(tx);
    complete = true;
  }

  /**
   * Of the requests only those are done whose shards nobody else has: commits of several nodes go
   * on beside each other. The oldest request's shard is the one to wait for.
   */
  private Map<Integer, Long> lock(WriteTransaction tx, boolean wait) {
    Set<Integer> shards = new LinkedHashSet<>();
    for (Pending p : pending) {
      shards.add(p.request.board().shard());
    }
    Map<Integer, Long> lastLines = tx.lockShards(shards, wait);
    if (lastLines.size() < shards.size()) {
      List<Pending> now = new ArrayList<>();
      List<Pending> later = new ArrayList<>();
      for (Pending p : pending) {
        (lastLines.containsKey(p.request.board().shard()) ? now : later).add(p);
      }
      pending = now;
      deferred = later;
    }
    return lastLines;
  }

  /** What was left out, in order: others have its shards. */
  List<Pending> deferred() {
    return deferred;
  }

  /** Whether its work is done, so that all that was left to do is the commit. */
  boolean isComplete() {
    return complete;
  }

  /**
   * Somebody may have been erased since the users were looked up: the id is a new user's now. Under
   * the shard's lock this is exact, so an erasure that comes for the lock later finds all there is.
   */
  private void checkUsers(WriteTransaction tx, Pending p) {
    if (p.renames == users.renames()) {
      return;
    }
    UserDictionary dictionary = users.ifLoaded(tx, p.request.board().tenant());
    for (int i = 0; i < p.users.length; i++) {
      if (p.users[i] != 0
          && (dictionary == null
              || dictionary.find(p.request.commands().get(i).userId()) != p.users[i])) {
        throw new TransactionLostException("a user of the batch was erased a moment ago");
      }
    }
  }

  /** Whom another node has numbered, unheard of here: in this transaction, nobody else waits. */
  private void findUnheard(WriteTransaction tx) {
    Set<Long> followed = new HashSet<>();
    for (Pending p : pending) {
      long tenant = p.request.board().tenant();
      UserDictionary known = users.ifLoaded(tx, tenant);
      if (users.areShared() && (known == null || p.findUsers(known)) && followed.add(tenant)) {
        p.findUsers(users.follow(tx, tenant));
      }
    }
  }

  /** A clock may have jumped since the request came: what it decides is asked again here. */
  private boolean isUnclear(KnownBoards boards, Pending p, Moment moment) {
    Board board = moment.isKnown() ? null : boards.find(p.request.board().id());
    return board != null && UnclearTime.matters(board, calendars, p.commands, moment);
  }

  /** Events that were scored by a version of their board that is not in force any more. */
  private void scoreAgain(KnownBoards boards) {
    for (Pending p : pending) {
      Board board = boards.find(p.request.board().id());
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
          StoredId.Name tally = valid.tally(now);
          if (tally != null) {
            names.add(tally);
          }
          StoredId.Name former = valid.formerId();
          if (former != null) {
            names.add(former);
          }
        }
      }
    }
    return names;
  }

  /** What the batch is going to ask, so that its entries are read together. */
  private void expect(KnownBoards boards, BatchScores scores, BatchEntries entries) {
    for (Pending p : pending) {
      Board board = boards.find(p.request.board().id());
      if (board != null) {
        for (int i = 0; i < p.commands.size(); i++) {
          if (p.commands.get(i) instanceof Validation.Valid valid) {
            scores.expect(board, valid, p.users[i]);
          }
        }
      }
    }
    entries.load();
  }

  /**
   * After the commit: first everyone can see it, then the callers hear of it. Does not fail: what
   * goes wrong is reported, and the next step is taken all the same.
   */
  void publish(List<ChangeListener> listeners, Consumer<Throwable> onFailure) {
    drafts.publish(listeners, onFailure);
    BatchGuard judged = guard;
    if (judged != null) {
      Failures.survive(judged::keep, onFailure);
    }
    BatchReplies decided = replies;
    if (decided != null) {
      Failures.survive(decided::send, onFailure);
    }
  }

  /** How many ledger lines the batch made. */
  int lines() {
    return ledger == null ? 0 : ledger.lineCount();
  }

  /** The same by the board's number. */
  Map<Long, Integer> linesByBoard() {
    return ledger == null ? Map.of() : ledger.linesByBoard();
  }

  /** The first line of each shard the batch wrote to: where to look whether it was committed. */
  Map<Integer, Long> firstLines() {
    return ledger == null ? Map.of() : ledger.firstLines();
  }

  long stamp() {
    return stamp;
  }
}
