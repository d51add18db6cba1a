package dev.laurel.core.pipeline;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.guard.Watch;
import dev.laurel.core.lifecycle.SeasonKeeper;
import dev.laurel.core.live.ChangeListener;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.ByteBudget;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.FairShares;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.StoreBusyException;
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
import java.util.concurrent.TimeUnit;
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

  /** The same where the store went into another epoch, perhaps more than once. */
  private static final int EPOCH_ATTEMPTS = 5;

  /**
   * Which part of the bytes that may wait one transaction takes at most: it makes copies of them.
   */
  private static final int BATCH_SHARE = 4;

  /** How often to look for a shard that is free before queueing for one. */
  private static final int PATIENCE = 4;

  private static final long PAUSE_NANOS = 100_000;

  /** A node that stands still holds its shards for ten seconds at most. */
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final String UNCONFIRMED =
      "the store did not confirm the commit; retry with the same id or key";

  private final RememberedStore store;
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

  /** Lines that wait, by tenant: whoever sends more than is stored keeps nobody else out. */
  private final FairShares waiting;

  private final Thread thread;
  private final ExecutorService drafter;
  private volatile boolean idle;
  private volatile boolean closed;

  /** Nobody takes from the queue any more. */
  private volatile boolean ended;

  /** What the thread has taken from the queue, until each of them is answered. */
  private final List<Pending> taken = new ArrayList<>();

  /** What the last transactions left out, as other nodes had its shards. The thread's own. */
  private final List<Pending> deferred = new ArrayList<>();

  /** How many transactions in a row found none of their shards free. */
  private int vain;

  /** What became of a batch whose commit was not confirmed. */
  private enum Fate {
    COMMITTED,
    NOT_COMMITTED,
    UNKNOWN
  }

  GroupCommitter(
      int lane,
      RememberedStore store,
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
    this.waiting = new FairShares(limits.queueLines());
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
    // An empty queue takes any request: one that is larger than the queue would never get in.
    if (!waiting.take(pending.tenant(), pending.weight())) {
      refuse(
          pending,
          ErrorCode.OVERLOADED,
          "queue: full (expected: at most "
              + limits.queueLines()
              + " waiting lines, a part of them of one tenant)");
      return;
    }
    if (!bytes.take(pending.bytes)) {
      waiting.give(pending.tenant(), pending.weight());
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
    return (int) waiting.used();
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
        commitAll();
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

  /** In as many transactions as it takes to get all the shards, which other nodes want too. */
  private void commitAll() {
    vain = 0;
    deferred.clear();
    commit(taken, 1);
    long since = System.nanoTime();
    while (!deferred.isEmpty()) {
      List<Pending> next = new ArrayList<>(deferred);
      deferred.clear();
      if (vain == 0) {
        since = System.nanoTime();
      } else if (System.nanoTime() - since > GIVE_UP_NANOS) {
        refuse(next, unavailable());
        return;
      } else {
        LockSupport.parkNanos(PAUSE_NANOS << Math.min(vain, PATIENCE));
        // What has come meanwhile may be of other shards.
        int before = taken.size();
        if (next.size() < limits.batchLines()) {
          take();
        }
        next.addAll(taken.subList(before, taken.size()));
      }
      commit(next, 1);
    }
  }

  private void take() {
    int before = taken.size();
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
      giveBack(taken.subList(before, taken.size()));
    }
  }

  /** In few steps: whoever offers meanwhile counts in the same places. */
  private void giveBack(List<Pending> requests) {
    int from = 0;
    while (from < requests.size()) {
      long tenant = requests.get(from).tenant();
      long lines = 0;
      int to = from;
      while (to < requests.size() && requests.get(to).tenant() == tenant) {
        lines += requests.get(to++).weight();
      }
      waiting.give(tenant, lines);
      from = to;
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

  private void commit(List<Pending> given, int attempt) {
    long start = System.nanoTime();
    RememberedStore.Era era = store.era();
    List<Pending> requests = ofEra(given, era);
    if (requests.isEmpty()) {
      return;
    }
    CommitBatch batch = batch(requests, era);
    try {
      openSeasons(requests);
      assignUsers(requests);
      store.require(era);
      store.write(
          tx -> {
            batch.run(tx, vain >= PATIENCE);
            return true;
          });
    } catch (Throwable e) {
      failed(requests.size(), e);
      if (!isCommitted(batch, requests, e, attempt)) {
        return;
      }
    }
    List<Pending> left = batch.deferred();
    deferred.addAll(left);
    int done = requests.size() - left.size();
    vain = done == 0 ? vain + 1 : 0;
    if (done == 0) {
      return;
    }
    batch.publish(listeners, e -> failed(0, e));
    Failures.survive(
        () -> {
          observer.committed(done, batch.lines(), System.nanoTime() - start);
          batch.linesByBoard().forEach(observer::wrote);
        },
        e -> {});
  }

  /**
   * Those that can be committed in the era; the others get the answer that they would get if they
   * came now.
   */
  private List<Pending> ofEra(List<Pending> requests, RememberedStore.Era era) {
    long epoch = era.epoch();
    return requests.stream().allMatch(pending -> pending.request.board().epoch() == epoch)
        ? requests
        : requests.stream().filter(pending -> isOfEra(pending, epoch)).toList();
  }

  private boolean isOfEra(Pending pending, long epoch) {
    Board before = pending.request.board();
    if (before.epoch() == epoch) {
      return true;
    }
    Board found = directory.findInternal(before.leaderboardId());
    if (pending.request.isOfOneEpoch()) {
      refuse(List.of(pending), unavailable());
      return false;
    }
    if (found == null) {
      refuse(List.of(pending), Boards.notFound(before.uuid()).rejection());
      return false;
    }
    pending.begin(found, scorers, clock.millis());
    return true;
  }

  private CommitBatch batch(List<Pending> requests, RememberedStore.Era era) {
    return new CommitBatch(
        requests,
        era,
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
    if (failure instanceof NewEpochException) {
      commitInNewEra(requests, attempt);
      return false;
    }
    if (failure instanceof StoreUnavailableException) {
      if (failure instanceof TransactionLostException && attempt < COMMIT_ATTEMPTS) {
        commit(requests, attempt + 1);
      } else {
        refuse(requests, unavailable());
      }
      return false;
    }
    if (failure instanceof StoreBusyException) {
      refuse(requests, Rejection.of(ErrorCode.OVERLOADED, "the store is busy: try again"));
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

  /** Nothing was applied. Everything is looked up again, in the history that there is now. */
  private void commitInNewEra(List<Pending> requests, int attempt) {
    if (attempt < EPOCH_ATTEMPTS && Failures.survive(store::enter, e -> failed(0, e))) {
      commit(requests, attempt + 1);
    } else {
      refuse(requests, unavailable());
    }
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
    List<Pending> rest = notBefore(deferred, requests.subList(half, requests.size()));
    if (!rest.isEmpty()) {
      commit(rest);
    }
  }

  /** Those that do not overtake others of their shard, which are done later; they are as well. */
  private List<Pending> notBefore(List<Pending> later, List<Pending> requests) {
    Set<Integer> shards = new HashSet<>();
    later.forEach(pending -> shards.add(pending.request.board().shard()));
    List<Pending> now = new ArrayList<>();
    for (Pending pending : requests) {
      (shards.contains(pending.request.board().shard()) ? deferred : now).add(pending);
    }
    return now;
  }

  /**
   * Looks every user up once; those whom nobody knows get a number, if they have a score that is
   * going to be taken. A number is for ever: what is refused must not cost one. Whoever is to be
   * deleted or corrected has one; if another node gave it, the transaction finds it.
   */
  private void assignUsers(List<Pending> requests) {
    Map<Long, List<String>> unknown = new HashMap<>();
    long now = clock.millis();
    for (Pending pending : requests) {
      long tenant = pending.request.board().tenant();
      // Also those of an attempt before: somebody may have been erased since.
      pending.forgetUsers(users.renames());
      if (pending.findUsers(users.toWrite(tenant))) {
        List<String> ids = unknown.computeIfAbsent(tenant, t -> new ArrayList<>());
        for (int i = 0; i < pending.users.length; i++) {
          if (isNewcomer(pending, i, now)) {
            ids.add(pending.request.commands().get(i).userId());
          }
        }
      }
    }
    if (!unknown.isEmpty()) {
      Map<Long, Rejection> refusals = new HashMap<>();
      unknown.forEach(
          (tenant, ids) -> {
            try {
              users.assign(tenant, ids);
            } catch (RejectedException e) {
              refusals.put(tenant, e.rejection());
            }
          });
      for (Pending pending : requests) {
        long tenant = pending.request.board().tenant();
        Rejection why = refusals.get(tenant);
        if (pending.findUsers(users.toWrite(tenant)) && why != null) {
          refuseNewcomers(pending, why, now);
        }
      }
    }
  }

  /** There is no memory for them; those who are known go on, also in the same request. */
  private void refuseNewcomers(Pending pending, Rejection why, long now) {
    List<Validation.Checked> checked = new ArrayList<>(pending.commands);
    for (int i = 0; i < pending.users.length; i++) {
      if (isNewcomer(pending, i, now)) {
        checked.set(i, new Validation.Invalid(why));
      }
    }
    pending.commands = checked;
  }

  /** Whether a command needs a user whom nobody knows. */
  private boolean isNewcomer(Pending pending, int i, long now) {
    return pending.users[i] == 0
        && pending.commands.get(i) instanceof Validation.Valid valid
        && valid.kind() == LedgerLine.Kind.SCORE
        && mayBeTaken(pending.request.board(), valid, now);
  }

  /** As far as this node knows: the transaction decides, see {@link BatchScores#decide}. */
  private boolean mayBeTaken(Board asked, Validation.Valid valid, long now) {
    Board board = directory.find(asked.id());
    return board != null
        && board.status() == BoardStatus.ACTIVE
        && BatchIds.tooOld(board, valid, directory.forgotten()) == null
        && Newcomers.refusal(board, calendars, watch.isGuarded(board), valid, now) == null;
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
      waiting.give(late.tenant(), late.weight());
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
