package dev.laurel.core.pipeline;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.guard.Watch;
import dev.laurel.core.live.ChangeListener;
import dev.laurel.core.model.Board;
import dev.laurel.core.rank.Users;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.vital.Failures;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
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
  private final InstantSource clock;
  private final long stamp;

  private long now;
  private boolean complete;
  private @Nullable BatchLedger ledger;
  private @Nullable BatchReplies replies;
  private @Nullable BatchGuard guard;

  CommitBatch(
      List<Pending> pending,
      BoardDirectory directory,
      Users users,
      BatchDrafts drafts,
      Calendars calendars,
      Scorers scorers,
      Watch watch,
      InstantSource clock,
      long stamp) {
    this.pending = pending;
    this.directory = directory;
    this.users = users;
    this.drafts = drafts;
    this.calendars = calendars;
    this.scorers = scorers;
    this.watch = watch;
    this.clock = clock;
    this.stamp = stamp;
  }

  void run(WriteTransaction tx) {
    Set<Integer> shards = new TreeSet<>();
    for (Pending p : pending) {
      shards.add(p.request.board().shard());
    }
    Map<Integer, Long> lastLines = new TreeMap<>();
    for (int shard : shards) {
      lastLines.put(shard, tx.lockShard(shard));
    }
    // Only now, under the locks, is the configuration what it will be at the commit, and is it
    // later than whatever was committed before.
    now = clock.millis();
    directory.follow(tx);
    watch.follow(tx, directory.revision());
    scoreAgain();
    BatchIds ids = new BatchIds(tx.ids(idsAsked()), directory.forgotten(), now);
    BatchSources sources = new BatchSources(tx, pending);
    BatchEntries entries = new BatchEntries(tx);
    BatchLedger lines = new BatchLedger(tx, entries, lastLines, now, stamp);
    LineSeasons seasons = new LineSeasons(tx);
    BatchGuard judged = new BatchGuard(watch.begin(tx, lines::linesBack), now);
    BatchScores scores = new BatchScores(calendars, judged, ids, entries, lines, seasons, now);
    BatchCorrections corrections = new BatchCorrections(tx, lines, entries, seasons, now);
    BatchReplies decided = new BatchReplies(directory, ids, sources, scores, corrections);
    ledger = lines;
    replies = decided;
    guard = judged;
    expect(scores, entries);
    for (Pending p : pending) {
      decided.decide(p);
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

  /** Whether its work is done, so that all that was left to do is the commit. */
  boolean isComplete() {
    return complete;
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
  private void expect(BatchScores scores, BatchEntries entries) {
    for (Pending p : pending) {
      Board board = directory.find(p.request.board().id());
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

  /** The first line of each shard the batch wrote to: where to look whether it was committed. */
  Map<Integer, Long> firstLines() {
    return ledger == null ? Map.of() : ledger.firstLines();
  }

  long stamp() {
    return stamp;
  }
}
