package dev.laurel.core.live;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.vital.Failures;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells those who watch what changes. A commit only leaves a mark ({@link LiveMarks}); everything
 * else is on the hub's own thread: it looks at each range of a marked board, at most ten times a
 * second, makes one message of what is different, and hands it to the range's audience. So whatever
 * is watched takes one thread at most, and then looks less often. Thread-safe.
 */
public final class LiveHub implements AutoCloseable {
  static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LiveMarks marks;
  private final BoardDirectory directory;
  private final Rankings rankings;
  private final LongSupplier epoch;
  private final Supplier<Audience> audiences;
  private final Consumer<Throwable> onFailure;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("laurel-live").daemon().factory());

  private final Map<Watched, LiveRange> ranges = new HashMap<>();
  private final RangeMemory memory;

  /**
   * @param epoch of the store
   * @param audiences makes one for each range
   * @param onFailure hears of what could not be looked at
   */
  public LiveHub(
      LiveMarks marks,
      BoardDirectory directory,
      Rankings rankings,
      LongSupplier epoch,
      Supplier<Audience> audiences,
      RangeMemory memory,
      Consumer<Throwable> onFailure) {
    this.marks = marks;
    this.directory = directory;
    this.rankings = rankings;
    this.epoch = epoch;
    this.audiences = audiences;
    this.memory = memory;
    this.onFailure = onFailure;
    thread.scheduleWithFixedDelay(this::sweep, 1, 1, TimeUnit.SECONDS);
  }

  /**
   * To be asked before {@link #join}. Any thread; never blocks.
   *
   * @throws dev.laurel.core.model.RejectedException OVERLOADED if there is no memory for it
   */
  public void admit(Watched what) {
    memory.require(what);
  }

  /**
   * Begins to watch; once the newcomer has joined, {@link #leave} is due. Any thread.
   *
   * @param season the one to begin with
   */
  public void join(Watched what, Board board, Season season, Audience.Newcomer newcomer) {
    execute(() -> range(what, board, season).join(newcomer));
  }

  public void leave(Watched what, Audience audience) {
    execute(
        () -> {
          LiveRange range = ranges.get(what);
          if (range != null && range.audience().equals(audience)) {
            range.leave();
          }
        });
  }

  private LiveRange range(Watched what, Board board, Season season) {
    return ranges.computeIfAbsent(
        what,
        w -> {
          memory.watched(w);
          WatchedBoard group = marks.watch(w.board(), this);
          LiveRange range = new LiveRange(this, w, board, season, group, audiences.get());
          group.add(range);
          return range;
        });
  }

  /** What no commit tells: seasons that began, boards that became private, ranges left alone. */
  private void sweep() {
    // An exception would be the last sweep: nobody schedules the next one then.
    Failures.survive(this::lookAtAll, onFailure);
  }

  private void lookAtAll() {
    long now = System.nanoTime();
    ranges
        .values()
        .removeIf(
            range -> {
              boolean over = range.sweep(now);
              if (over && range.group().remove(range)) {
                marks.forget(range.what().board());
              }
              return over;
            });
    memory.release(ranges::containsKey);
  }

  // ---- what ranges need

  /** How much each may remember for those who come back. */
  int recentBytes() {
    return memory.recentBytes(ranges.size());
  }

  @Nullable Board board(long id) {
    return directory.find(id);
  }

  Rankings rankings() {
    return rankings;
  }

  long epoch() {
    return epoch.getAsLong();
  }

  void failed(Throwable why) {
    onFailure.accept(why);
  }

  void execute(Runnable task) {
    try {
      thread.execute(() -> Failures.survive(task, onFailure));
    } catch (RejectedExecutionException e) {
      // Nobody watches a hub that is closed.
    }
  }

  void schedule(Runnable task, long nanos) {
    try {
      var _ = thread.schedule(() -> execute(task), nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The same.
    }
  }

  /** Whoever watches is left to the server that holds the connections. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
