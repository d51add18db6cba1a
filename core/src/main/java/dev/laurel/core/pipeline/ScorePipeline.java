package dev.laurel.core.pipeline;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Routing;
import dev.laurel.core.guard.GuardObserver;
import dev.laurel.core.guard.Guards;
import dev.laurel.core.guard.Watch;
import dev.laurel.core.lifecycle.SeasonKeeper;
import dev.laurel.core.live.ChangeListener;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.time.Moment;
import dev.laurel.core.time.MomentSource;
import dev.laurel.core.vital.Failures;
import dev.laurel.core.vital.Vital;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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
public final class ScorePipeline implements AutoCloseable, Vital {
  private final RememberedStore store;
  private final Scorers scorers;
  private final PipelineObserver observer;
  private final Calendars calendars;
  private final BoardDirectory directory;
  private final MomentSource clock;
  private final GroupCommitter[] lanes;

  /**
   * How much may wait.
   *
   * @param queueLines how many commands may wait; more are refused with OVERLOADED
   * @param batchLines how many commands one transaction takes at most (a single larger request is
   *     still one transaction)
   * @param queueBytes how much memory the commands that wait and those that are being committed may
   *     take; more are refused with OVERLOADED
   */
  public record Limits(int queueLines, int batchLines, long queueBytes) {
    Limits ofOne(int lanes) {
      return new Limits(queueLines / lanes, batchLines, queueBytes / lanes);
    }
  }

  public ScorePipeline(
      RememberedStore store,
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
      Limits limits) {
    this.store = store;
    this.scorers = scorers;
    this.observer = observer;
    this.calendars = calendars;
    this.directory = directory;
    this.clock = MomentSource.of(clock);
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
              limits.ofOne(lanes.length));
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
    Moment moment = clock.moment();
    List<Validation.Checked> checked = new ArrayList<>(request.commands().size());
    boolean anyValid = false;
    for (Command command : request.commands()) {
      Validation.Checked result =
          Validation.check(request.board(), scorers, command, moment.latest());
      anyValid |= !(result instanceof Validation.Invalid);
      checked.add(result);
    }
    if (!anyValid && key == null && request.source() == null) {
      return CompletableFuture.completedFuture(nothingToDo(request, checked));
    }
    if (store.isDown()) {
      // Not kept until it is back: an acknowledgement means durable, and callers do not wait so
      // long.
      Failures.survive(observer::refused, _ -> {});
      return CompletableFuture.completedFuture(new Reply.Refused(GroupCommitter.unavailable()));
    }
    if (!moment.isKnown()) {
      Board board = directory.find(request.board().id());
      if (board != null && UnclearTime.matters(board, calendars, checked, moment)) {
        return CompletableFuture.completedFuture(new Reply.Refused(UnclearTime.refusal()));
      }
    }
    Pending pending = new Pending(request, checked, key);
    lanes[request.board().shard() % lanes.length].offer(pending);
    return pending.reply;
  }

  /**
   * Why a command would be refused now; null if it would not. What only the commit can tell, such
   * as an id that was used or what a guard thinks, is not looked at.
   */
  public @Nullable Rejection refusal(Board board, Command command) {
    if (board.status() != BoardStatus.ACTIVE) {
      return BatchReplies.notActive(board, board);
    }
    long now = clock.millis();
    return switch (Validation.check(board, scorers, command, now)) {
      case Validation.Invalid(var rejection) -> rejection;
      case Validation.Valid valid -> {
        Long at = valid.at();
        long time = at == null ? now : at;
        // A season that is due and not there yet is opened by its first event.
        yield calendars.unopened(board, time, now).isEmpty()
                && Routing.route(board, calendars, time, now)
                    instanceof Routing.Route.Nowhere(var rejection)
            ? rejection
            : null;
      }
      case Validation.Correction _ -> null;
    };
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

  /** What commands that wait, or are being committed, take in memory: about so many bytes. */
  public long waitingBytes() {
    long sum = 0;
    for (GroupCommitter lane : lanes) {
      sum += lane.bytes().used();
    }
    return sum;
  }

  @Override
  public @Nullable String lost() {
    for (GroupCommitter lane : lanes) {
      String lost = lane.lost();
      if (lost != null) {
        return lost;
      }
    }
    return null;
  }

  /** Takes nothing more, and commits what was taken. */
  @Override
  public void close() {
    for (GroupCommitter lane : lanes) {
      lane.close();
    }
  }
}
