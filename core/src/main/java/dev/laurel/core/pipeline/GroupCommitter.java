package dev.laurel.core.pipeline;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.guard.Watch;
import dev.laurel.core.lifecycle.SeasonKeeper;
import dev.laurel.core.live.ChangeListener;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.ByteBudget;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.TransactionLostException;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.vital.Failures;
import dev.laurel.core.vital.Vital;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread that commits what waits. There is no delay to wait for company: a batch is what
 * arrived while the last one was committed, so it is small when there is little to do and large
 * when there is much. {@link #offer} is thread-safe.
 *
 * <p>Whatever is thrown, and wherever, the thread goes on and everyone gets an answer: what failed
 * before the commit was not applied, and after it nothing fails. If the thread ends all the same,
 * everyone is refused, and {@link #lost} says so.
 */
final class GroupCommitter implements AutoCloseable, Vital {
  private static final int DECISION_ATTEMPTS = 5;

  /** How often a batch is tried that lost against another node or its connection. */
  private static final int COMMIT_ATTEMPTS = 3;

  /**
   * Which part of the bytes that may wait one transaction takes at most: it makes copies of them.
   */
  private static final int BATCH_SHARE = 4;

  private static final String UNCONFIRMED =
      "the store did not confirm the commit; retry with the same id or key";

  private final Store store;
  private final BoardDirectory directory;
  private final Users users;
  private final RankIndex index;
  private final Calendars calendars;
  private final SeasonKeeper seasons;
  private final Scorers scorers;
  private final Watch watch;
  private final InstantSource clock;
  private final List<ChangeListener> listeners;
  private final PipelineObserver observer;
  private final ScorePipeline.Limits limits;

  /** Of what waits and of what is being committed. */
  private final ByteBudget bytes;

  private final ConcurrentLinkedQueue<Pending> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Thread thread;
  private final ExecutorService drafter;
  private volatile boolean idle;
  private volatile boolean closed;

  /** Nobody takes from the queue any more. */
  private volatile boolean ended;

  /** What the thread has taken from the queue, until each of them is answered. */
  private final List<Pending> taken = new ArrayList<>();

  /** What became of a batch whose commit was not confirmed. */
  private enum Fate {
    COMMITTED,
    NOT_COMMITTED,
    UNKNOWN
  }

  GroupCommitter(
      int lane,
      Store store,
      BoardDirectory directory,
      Users users,
      RankIndex index,
      Calendars calendars,
      SeasonKeeper seasons,
      Scorers scorers,
      Watch watch,
      InstantSource clock,
      List<ChangeListener> listeners,
      PipelineObserver observer,
      ScorePipeline.Limits limits) {
    this.store = store;
    this.directory = directory;
    this.users = users;
    this.index = index;
    this.calendars = calendars;
    this.seasons = seasons;
    this.scorers = scorers;
    this.watch = watch;
    this.clock = clock;
    this.listeners = listeners;
    this.observer = observer;
    this.limits = limits;
    this.bytes = new ByteBudget(limits.queueBytes());
    this.drafter =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("laurel-draft-" + lane).factory());
    // A platform thread: SQLite's native calls would pin the carrier of a virtual one.
    this.thread = Thread.ofPlatform().name("laurel-commit-" + lane).start(this::run);
  }

  /** Parks the request for the next commit, or refuses it at once if too much waits already. */
  void offer(Pending pending) {
    if (closed) {
      refuse(pending, ErrorCode.SHUTTING_DOWN, "the server is shutting down");
      return;
    }
    int before = waiting.getAndAdd(pending.weight());
    // An empty queue takes any request: one that is larger than the queue would never get in.
    if (before > 0 && before + pending.weight() > limits.queueLines()) {
      waiting.addAndGet(-pending.weight());
      refuse(
          pending,
          ErrorCode.OVERLOADED,
          "queue: full (expected: at most " + limits.queueLines() + " waiting lines)");
      return;
    }
    if (!bytes.take(pending.bytes)) {
      waiting.addAndGet(-pending.weight());
      refuse(
          pending,
          ErrorCode.OVERLOADED,
          "queue: full (expected: at most " + bytes.limit() + " waiting bytes)");
      return;
    }
    queue.add(pending);
    if (ended) {
      refuseWaiting();
    } else if (idle) {
      LockSupport.unpark(thread);
    }
  }

  int waiting() {
    return waiting.get();
  }

  ByteBudget bytes() {
    return bytes;
  }

  private void run() {
    try {
      while (turn()) {}
    } finally {
      ended = true;
      refuseWaiting();
    }
  }

  /** False at the end. */
  private boolean turn() {
    try {
      take();
      if (!taken.isEmpty()) {
        commit(taken, 1);
      } else if (closed) {
        return false;
      } else {
        idle = true;
        if (queue.isEmpty() && !closed) {
          LockSupport.park(this);
        }
        idle = false;
      }
    } catch (Throwable e) {
      failed(taken.size(), e);
    }
    for (Pending pending : taken) {
      if (!pending.reply.isDone()) {
        refuse(pending, ErrorCode.STORE_UNAVAILABLE, UNCONFIRMED);
      }
    }
    bytes.give(sizeOf(taken));
    taken.clear();
    return true;
  }

  private void take() {
    int lines = 0;
    long size = 0;
    Pending next;
    try {
      while ((next = queue.peek()) != null
          && (taken.isEmpty()
              || (lines + next.weight() <= limits.batchLines()
                  && size + next.bytes <= bytes.limit() / BATCH_SHARE))) {
        taken.add(next);
        queue.remove();
        lines += next.weight();
        size += next.bytes;
      }
    } finally {
      waiting.addAndGet(-lines);
    }
  }

  private static long sizeOf(List<Pending> batch) {
    long size = 0;
    for (Pending pending : batch) {
      size += pending.bytes;
    }
    return size;
  }

  private void commit(List<Pending> requests) {
    commit(requests, 1);
  }

  private void commit(List<Pending> requests, int attempt) {
    long start = System.nanoTime();
    CommitBatch batch = batch(requests);
    try {
      openSeasons(requests);
      assignUsers(requests);
      store.write(
          tx -> {
            batch.run(tx);
            return true;
          });
    } catch (Throwable e) {
      failed(requests.size(), e);
      if (!isCommitted(batch, requests, e, attempt)) {
        return;
      }
    }
    batch.publish(listeners, e -> failed(0, e));
    Failures.survive(
        () -> observer.committed(requests.size(), batch.lines(), System.nanoTime() - start),
        e -> {});
  }

  private CommitBatch batch(List<Pending> requests) {
    return new CommitBatch(
        requests,
        directory,
        users,
        new BatchDrafts(index, drafter),
        calendars,
        scorers,
        watch,
        clock,
        ThreadLocalRandom.current().nextLong());
  }

  /** Whether it is committed in spite of the failure; if it is not, its requests are seen to. */
  private boolean isCommitted(
      CommitBatch batch, List<Pending> requests, Throwable failure, int attempt) {
    if (failure instanceof StoreUnavailableException) {
      if (failure instanceof TransactionLostException && attempt < COMMIT_ATTEMPTS) {
        commit(requests, attempt + 1);
      } else {
        refuse(requests, unavailable());
      }
      return false;
    }
    boolean unknown = failure instanceof CommitUnknownException;
    // Whatever else was thrown when the work was done may have come after the commit.
    Fate fate = unknown || batch.isComplete() ? fate(batch) : Fate.NOT_COMMITTED;
    if (fate == Fate.UNKNOWN || (unknown && fate == Fate.NOT_COMMITTED)) {
      refuse(requests, Rejection.of(ErrorCode.STORE_UNAVAILABLE, UNCONFIRMED));
    } else if (fate == Fate.NOT_COMMITTED) {
      split(requests);
    }
    return fate == Fate.COMMITTED;
  }

  private void failed(int requests, Throwable cause) {
    Failures.tell(e -> observer.failed(requests, e), cause);
  }

  /** Something in the batch cannot be stored: halve it until the culprit is alone. */
  private void split(List<Pending> requests) {
    if (requests.size() == 1) {
      refuse(requests.getFirst(), ErrorCode.INTERNAL_ERROR, "the request could not be stored");
      return;
    }
    int half = requests.size() / 2;
    commit(requests.subList(0, half));
    commit(requests.subList(half, requests.size()));
  }

  /**
   * Looks every user up once; those whom nobody knows get a number, if they have a score that is
   * going to be taken. A number is for ever: what is refused must not cost one. Whoever is to be
   * deleted or corrected has one, which another node may have given.
   */
  private void assignUsers(List<Pending> requests) {
    Map<Long, List<String>> unknown = new HashMap<>();
    Set<Long> unheard = new HashSet<>();
    long now = clock.millis();
    for (Pending pending : requests) {
      long tenant = pending.request.board().tenant();
      if (findUsers(pending, users.of(tenant))) {
        List<String> ids = unknown.computeIfAbsent(tenant, t -> new ArrayList<>());
        for (int i = 0; i < pending.users.length; i++) {
          if (pending.users[i] == 0
              && pending.commands.get(i) instanceof Validation.Valid valid
              && valid.kind() == LedgerLine.Kind.SCORE
              && mayBeTaken(pending.request.board(), valid, now)) {
            ids.add(valid.userId());
          } else if (pending.users[i] == 0) {
            unheard.add(tenant);
          }
        }
      }
    }
    if (!unknown.isEmpty()) {
      unheard.forEach(users::all);
      unknown.forEach(users::assign);
      for (Pending pending : requests) {
        findUsers(pending, users.of(pending.request.board().tenant()));
      }
    }
  }

  /** As far as this node knows: the transaction decides, see {@link BatchScores#decide}. */
  private boolean mayBeTaken(Board asked, Validation.Valid valid, long now) {
    Board board = directory.find(asked.id());
    return board != null
        && board.status() == BoardStatus.ACTIVE
        && BatchIds.tooOld(board, valid, directory.forgotten()) == null
        && Newcomers.refusal(board, calendars, watch.isGuarded(board), valid, now) == null;
  }

  /** Whether some were not found. */
  private static boolean findUsers(Pending pending, UserDictionary dictionary) {
    boolean missing = false;
    for (int i = 0; i < pending.users.length; i++) {
      if (pending.users[i] == 0 && !(pending.commands.get(i) instanceof Validation.Invalid)) {
        pending.users[i] = dictionary.find(pending.request.commands().get(i).userId());
        missing |= pending.users[i] == 0;
      }
    }
    return missing;
  }

  /**
   * The scheduler makes seasons ahead of time; but it may be late, as after a laptop's sleep, and
   * an event must not miss one of its windows for that.
   */
  private void openSeasons(List<Pending> requests) {
    long now = clock.millis();
    for (Pending pending : requests) {
      Board board = directory.find(pending.request.board().id());
      if (board != null && board.status() == BoardStatus.ACTIVE && lacks(board, pending, now)) {
        seasons.advance(board);
      }
    }
  }

  private boolean lacks(Board board, Pending pending, long now) {
    for (Validation.Checked checked : pending.commands) {
      if (checked instanceof Validation.Valid valid && valid.kind() == LedgerLine.Kind.SCORE) {
        Long at = valid.at();
        if (!calendars.unopened(board, at == null ? now : at, now).isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the batch's first lines carry its stamp, read under the locks that it held. */
  private Fate fate(CommitBatch batch) {
    for (int attempt = 0; attempt < DECISION_ATTEMPTS; attempt++) {
      try {
        return store.write(tx -> hasLines(tx, batch)) ? Fate.COMMITTED : Fate.NOT_COMMITTED;
      } catch (Throwable e) {
        failed(0, e);
        LockSupport.parkNanos(100_000_000L << attempt);
      }
    }
    return Fate.UNKNOWN;
  }

  private static boolean hasLines(WriteTransaction tx, CommitBatch batch) {
    if (batch.firstLines().isEmpty()) {
      return false; // nothing tells, and nothing was counted: it can be done again
    }
    for (Map.Entry<Integer, Long> first : batch.firstLines().entrySet()) {
      tx.lockShard(first.getKey());
      List<LedgerLine> lines = tx.lines(first.getKey(), first.getValue() - 1, first.getValue(), 1);
      if (lines.isEmpty() || lines.getFirst().stamp() != batch.stamp()) {
        return false;
      }
    }
    return true;
  }

  static Rejection unavailable() {
    return Rejection.of(
        ErrorCode.STORE_UNAVAILABLE, "the store cannot be written now; nothing was applied");
  }

  private static void refuse(Pending pending, ErrorCode code, String message) {
    pending.reply.complete(new Reply.Refused(Rejection.of(code, message)));
  }

  private static void refuse(List<Pending> requests, Rejection why) {
    for (Pending pending : requests) {
      pending.reply.complete(new Reply.Refused(why));
    }
  }

  /** Whoever offered between the last look and the end, or after it. */
  private void refuseWaiting() {
    Pending late;
    while ((late = queue.poll()) != null) {
      waiting.addAndGet(-late.weight());
      bytes.give(late.bytes);
      if (closed) {
        refuse(late, ErrorCode.SHUTTING_DOWN, "the server is shutting down");
      } else {
        refuse(late, ErrorCode.STORE_UNAVAILABLE, "this node stores nothing any more");
      }
    }
  }

  @Override
  public @Nullable String lost() {
    return Vital.lost(thread, closed);
  }

  /** Takes nothing more, commits what waits, and ends. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    drafter.shutdown();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
