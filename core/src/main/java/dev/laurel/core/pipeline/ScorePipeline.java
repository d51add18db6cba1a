package dev.laurel.core.pipeline;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.guard.GuardObserver;
import dev.laurel.core.guard.Guards;
import dev.laurel.core.guard.Watch;
import dev.laurel.core.lifecycle.SeasonKeeper;
import dev.laurel.core.live.ChangeListener;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoredId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The one way in for scores. Thread-safe.
 *
 * <pre>
 *   1 validate   here, on the caller's thread: pure, and never blocks
 *   2 route      under the shard's lock: the seasons that are open at the event's own time
 *   3 score      the value itself, or what the board's expression makes of features
 *   4 commit     one transaction for all that waits
 *   5 index      the ranks take the committed entries
 *   6 live       whoever watches hears of it
 * </pre>
 *
 * The reply comes after 5: what was accepted is durable, and the next read sees it.
 */
public final class ScorePipeline implements AutoCloseable {
  private final Store store;
  private final Scorers scorers;
  private final InstantSource clock;
  private final GroupCommitter[] lanes;

  /**
   * @param queueLines how many commands may wait; more are refused with OVERLOADED
   * @param batchLines how many commands one transaction takes at most (a single larger request is
   *     still one transaction)
   */
  public ScorePipeline(
      Store store,
      BoardDirectory directory,
      Users users,
      RankIndex index,
      Calendars calendars,
      SeasonKeeper seasons,
      Scorers scorers,
      Guards guards,
      GuardObserver caught,
      InstantSource clock,
      List<ChangeListener> listeners,
      PipelineObserver observer,
      int queueLines,
      int batchLines) {
    this.store = store;
    this.scorers = scorers;
    this.clock = clock;
    this.lanes = new GroupCommitter[store.lanes()];
    for (int lane = 0; lane < lanes.length; lane++) {
      lanes[lane] =
          new GroupCommitter(
              lane,
              store,
              directory,
              users,
              index,
              calendars,
              seasons,
              scorers,
              new Watch(guards, caught),
              clock,
              List.copyOf(listeners),
              observer,
              queueLines / lanes.length,
              batchLines);
    }
  }

  /** Never blocks and never fails: bad input, overload and outages are replies. */
  public CompletableFuture<Reply> submit(Request request) {
    Request.Idempotency idempotency = request.idempotency();
    StoredId.Name key =
        idempotency == null
            ? null
            : new StoredId.Name(
                request.board().id(), Digest.of("key", idempotency.caller(), idempotency.key()));
    long now = clock.millis();
    List<Validation.Checked> checked = new ArrayList<>(request.commands().size());
    boolean anyValid = false;
    for (Command command : request.commands()) {
      Validation.Checked result = Validation.check(request.board(), scorers, command, now);
      anyValid |= !(result instanceof Validation.Invalid);
      checked.add(result);
    }
    if (!anyValid && key == null && request.source() == null) {
      return CompletableFuture.completedFuture(nothingToDo(request, checked));
    }
    if (store.isDown()) {
      // Not kept until it is back: an acknowledgement means durable, and callers do not wait so
      // long.
      return CompletableFuture.completedFuture(new Reply.Refused(GroupCommitter.unavailable()));
    }
    Pending pending = new Pending(request, checked, key);
    lanes[request.board().shard() % lanes.length].offer(pending);
    return pending.reply;
  }

  private static Reply nothingToDo(Request request, List<Validation.Checked> checked) {
    if (request.board().status() != BoardStatus.ACTIVE) {
      return new Reply.Refused(BatchReplies.notActive(request.board(), request.board()));
    }
    List<Outcome> outcomes = new ArrayList<>(checked.size());
    for (Validation.Checked result : checked) {
      if (result instanceof Validation.Invalid(var rejection)) {
        outcomes.add(new Outcome.Rejected(rejection));
      }
    }
    return new Reply.Done(outcomes, null);
  }

  /** Commands that wait for a commit. */
  public int waiting() {
    int sum = 0;
    for (GroupCommitter lane : lanes) {
      sum += lane.waiting();
    }
    return sum;
  }

  /** Takes nothing more, and commits what was taken. */
  @Override
  public void close() {
    for (GroupCommitter lane : lanes) {
      lane.close();
    }
  }
}
