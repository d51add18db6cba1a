package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.vital.Failures;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The index in this process's memory. Thread-safe.
 *
 * <p>Every season is a follower of the ledger and there is one way to move it: from the line it
 * stands at to a later one. The committer hands its changes over directly ({@link #draft}); whoever
 * missed something, has just started or was unloaded reads the lines in between and loads the
 * entries they name ({@link #catchUp}); and where there is nothing to start from, or the lines are
 * gone, the season is built anew beside the old state and swapped in. Start-up is no special case:
 * it is a catch-up from nothing.
 */
public final class LocalRankIndex implements RankIndex {
  /** Other nodes wait for the lock; further behind, the season catches up without it. */
  private static final long MAX_LINES_UNDER_LOCK = 10_000;

  /** Each may have some kilobytes of metadata, which come with it. */
  static final int ENTRIES_AT_ONCE = 1000;

  /** How long a load waits for others who have whole seasons in memory. */
  private static final Duration LOAD_PATIENCE = Duration.ofSeconds(30);

  private final Store store;
  private final Users users;
  private final IndexMemory memory;
  private final CatchUpObserver observer;
  private final ConcurrentHashMap<Long, LocalSeason> seasons = new ConcurrentHashMap<>();
  private final ExecutorService follower;
  private final AtomicLong loads = new AtomicLong();
  private final AtomicLong growth = new AtomicLong();
  private volatile long epoch;

  /** Nobody is told when so many bytes are not enough. */
  public LocalRankIndex(Store store, Users users, long bytes, CatchUpObserver observer) {
    this(store, users, new IndexMemory(bytes, (_, _) -> {}), observer);
  }

  /**
   * @param memory where it is not enough, the seasons that were used least recently are unloaded
   * @param observer told how catch-ups end; a season whose failed is tried again at the next read
   */
  public LocalRankIndex(Store store, Users users, IndexMemory memory, CatchUpObserver observer) {
    this.store = store;
    this.users = users;
    this.memory = memory;
    this.observer = observer;
    this.epoch = store.read(tx -> tx.epoch());
    users.onGrowth(this::makeRoomForIds);
    users.onRename(() -> seasons.values().forEach(LocalSeason::reorder));
    this.follower =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("laurel-follower").daemon().factory());
  }

  @Override
  public @Nullable Ranking ranking(Board board, Season season) {
    if (board.epoch() != epoch) {
      return null;
    }
    LocalSeason local = season(season.id());
    RankSnapshot current = local.current();
    if (current == null || current.capacity() != season.capacity()) {
      requestCatchUp(board, season, local);
      return null;
    }
    return current;
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public void enter(long now) {
    if (now != epoch) {
      epoch = now;
      for (LocalSeason season : seasons.values()) {
        season.startEpoch(now);
      }
    }
  }

  @Override
  public void prepare(ReadTransaction tx, Board board, Season season, long line) {
    LocalSeason local = season(season.id());
    RankSnapshot base = local.base(board.epoch());
    if (base != null
        && base.line() < line
        && base.capacity() == season.capacity()
        && line - base.line() <= MAX_LINES_UNDER_LOCK) {
      users.follow(tx, board.tenant());
      RankSnapshot reached = reachable(tx, board, season, base, line);
      if (reached != null) {
        local.install(reached, board.epoch());
      }
    }
  }

  /** Until it has, its readers see what was true a moment ago. */
  @Override
  public void follow(Board board, Season season, long line) {
    LocalSeason local = seasons.get(season.id());
    if (local != null && board.epoch() == epoch && local.isBefore(line)) {
      requestCatchUp(board, season, local);
    }
  }

  @Override
  public void follow(ReadTransaction tx, List<Moved> boards) {
    NewEpochException.unless(tx, epoch);
    new BulkCatchUp(tx, users, seasons, boards)
        .run(
            (season, local, grown) -> grown(local, grown),
            (board, season, local) -> requestCatchUp(board, season, local));
  }

  @Override
  public Draft draft(Board board, Season season, Step step, List<Change> changes) {
    LocalSeason known = season(season.id());
    RankSnapshot loaded = known.current(step.epoch());
    RankSnapshot base =
        loaded == null && step.from() == 0 ? startEmpty(board, season, known, step) : loaded;
    RankSnapshot next = next(base, season, step, changes);
    return new Draft() {
      @Override
      public @Nullable Ranking ranking() {
        return next;
      }

      @Override
      public void publish() {
        // Asked for anew: the one of before may have been forgotten, and readers have another.
        LocalSeason local = season(season.id());
        RankSnapshot start = local.current(step.epoch());
        // It may have been trimmed meanwhile: the same state, in another form.
        RankSnapshot end = start == base ? next : next(start, season, step, changes);
        boolean current = local.replace(start, end, step);
        // A season that nobody reads stays unloaded: writing to it needs no ranks.
        if ((!current && base != null) || (end != null && end.isTooLarge())) {
          requestCatchUp(board, season, local);
        }
        if (end != null && start != null) {
          grown(local, end.size() - start.size());
        }
      }
    };
  }

  /** The state after a commit; null if it cannot be told from this one. */
  private static @Nullable RankSnapshot next(
      @Nullable RankSnapshot base, Season season, Step step, List<Change> changes) {
    if (base == null || base.line() != step.from() || base.capacity() != season.capacity()) {
      return null;
    }
    RankSnapshot next = apply(base, step.to(), changes);
    return next.isShort() ? null : next;
  }

  /** A season that no line has touched needs no loading: it is empty. */
  private @Nullable RankSnapshot startEmpty(
      Board board, Season season, LocalSeason local, Step step) {
    UserDictionary dictionary = users.ifLoaded(board.tenant());
    return dictionary == null
        ? null
        : local.startEmpty(
            RankSnapshot.empty(board.order(), board.ties(), dictionary, season.capacity()),
            step.epoch());
  }

  /** Also trims it if that is due. */
  @Override
  public void catchUp(Board board, Season season) {
    LocalSeason local = season(season.id());
    synchronized (local.catchUpLock) {
      long before = local.size();
      Reached reached;
      do {
        reached = readOn(board, season, local, local::base);
        // Not if the store has moved on since: with other nodes at work it always has.
      } while (!local.install(reached.snapshot, reached.epoch));
      grown(local, local.size() - before);
    }
    observer.succeeded(season);
  }

  @Override
  public void rebuild(Board board, Season season) {
    LocalSeason local = season(season.id());
    synchronized (local.catchUpLock) {
      Reached built = readOn(board, season, local, _ -> null);
      // Commits go on meanwhile, and are handed to the state that is read: follow them.
      while (!local.swap(built.snapshot, built.epoch)) {
        Reached last = built;
        built = readOn(board, season, local, now -> now == last.epoch ? last.snapshot : null);
      }
    }
    observer.succeeded(season);
  }

  private record Reached(RankSnapshot snapshot, long epoch) {}

  /**
   * One step on one snapshot of the store: from where the season stands to where the store is.
   *
   * @param from what to go on from in an epoch; null to build it from its entries
   */
  private Reached readOn(
      Board board, Season season, LocalSeason local, LongFunction<@Nullable RankSnapshot> from) {
    return store.read(
        Store.Reading.LONG,
        tx -> {
          NewEpochException.unless(tx, board.epoch());
          NewEpochException.unless(tx, epoch);
          // In this transaction, so that everyone whom the entries name is known.
          UserDictionary dictionary = users.follow(tx, board.tenant());
          long position = tx.position(season.id());
          long now = tx.epoch();
          RankSnapshot base = from.apply(now);
          if (base != null && base.capacity() == season.capacity()) {
            RankSnapshot reached = reachable(tx, board, season, base, position);
            if (reached != null) {
              return new Reached(reached.isTooLarge() ? reached.trimmed() : reached, now);
            }
          }
          long entries = SeasonLoad.entries(tx, season);
          try (IndexMemory.Beside _ = memory.beside(entries, LOAD_PATIENCE)) {
            makeRoom(local, entries - local.size());
            loads.incrementAndGet();
            RankSnapshot loaded = SeasonLoad.read(tx, board, season, dictionary);
            local.startEpoch(now);
            return new Reached(loaded, now);
          }
        });
  }

  /** Where the store is, from this state; null if the season has to be built anew. */
  private static @Nullable RankSnapshot reachable(
      ReadTransaction tx, Board board, Season season, RankSnapshot base, long position) {
    if (base.line() >= position) {
      return base; // perhaps a commit was handed over since this transaction began
    }
    // Behind by more lines than it has entries, a season is built faster than replayed.
    if (position - base.line() > Math.max(base.size(), 10_000)
        || tx.firstLine(board.shard()) > base.line() + 1) {
      return null;
    }
    RankSnapshot reached = replay(tx, board, season, base, position);
    return reached.isShort() ? null : reached;
  }

  private static RankSnapshot replay(
      ReadTransaction tx, Board board, Season season, RankSnapshot base, long position) {
    int[] changed = tx.changedUsers(board.shard(), board.id(), base.line(), position);
    RankSnapshot.Editor editor = base.edit();
    for (int from = 0; from < changed.length; from += ENTRIES_AT_ONCE) {
      int to = Math.min(changed.length, from + ENTRIES_AT_ONCE);
      int[] some = Arrays.copyOfRange(changed, from, to);
      put(editor, some, tx.entries(season.id(), some));
    }
    return editor.build(position);
  }

  /** What became of the entries of those who were changed. */
  static void put(RankSnapshot.Editor editor, int[] changed, List<@Nullable Entry> entries) {
    for (int i = 0; i < changed.length; i++) {
      Entry entry = entries.get(i);
      if (entry == null || entry.deleted()) {
        editor.remove(changed[i]);
      } else {
        editor.put(changed[i], entry.score(), entry.reached(), entry.metadata() != null);
      }
    }
  }

  private static RankSnapshot apply(RankSnapshot base, long to, List<Change> changes) {
    RankSnapshot.Editor editor = base.edit();
    for (Change change : changes) {
      if (change.present()) {
        editor.put(change.user(), change.score(), change.reached(), change.hasMetadata());
      } else {
        editor.remove(change.user());
      }
    }
    return editor.build(to);
  }

  @Override
  public void missed(Board board, Season season, long line) {
    if (board.epoch() != epoch) {
      return;
    }
    LocalSeason local = season(season.id());
    local.missed(line, board.epoch());
    requestCatchUp(board, season, local);
  }

  /**
   * There is a commit up to this line, and nobody reads the season here now: it is not brought on
   * until somebody does. One that is not held stays so.
   */
  void rest(Board board, Season season, long line) {
    LocalSeason local = seasons.get(season.id());
    if (local != null) {
      local.rest(line, board.epoch());
    }
  }

  private void requestCatchUp(Board board, Season season, LocalSeason local) {
    if ((IndexMemory.mayLoad(local) || local.isLoaded()) && local.claimCatchUp()) {
      try {
        follower.execute(
            () -> {
              local.releaseCatchUp();
              try {
                catchUp(board, season);
              } catch (RejectedException e) {
                // There is no room for it, as others have been told; the store answers.
              } catch (Throwable e) {
                Failures.tell(why -> observer.failed(board, season, why), e);
              }
            });
      } catch (Throwable e) {
        // Nobody took it, so the next one may ask again.
        local.releaseCatchUp();
        throw e;
      }
    }
  }

  /** Looks at the memory again once the seasons have grown by a part of it. */
  private void grown(LocalSeason local, long entries) {
    if (entries > 0 && memory.isMuch(growth.addAndGet(entries)) && growth.getAndSet(0) > 0) {
      follower.execute(() -> makeRoom(local, 0));
    }
  }

  private void makeRoom(LocalSeason keep, long entries) {
    memory.makeRoom(seasons.values(), keep, entries, users.bytes());
  }

  /** What ids take, ranks have no more. */
  private void makeRoomForIds() {
    try {
      follower.execute(() -> memory.makeRoom(seasons.values(), null, 0, users.bytes()));
    } catch (RejectedExecutionException e) {
      // It is closed: there is nothing to unload.
    }
  }

  /**
   * A commit that is under way publishes to whatever is in its place by then. What is made after
   * the commit is read from the store, which has it. So nobody reads an older state.
   */
  @Override
  public void keepOnly(LongPredicate listed) {
    seasons.forEach(
        (id, season) -> {
          if (!listed.test(id) && seasons.remove(id, season)) {
            season.unload();
          }
        });
  }

  private LocalSeason season(long id) {
    LocalSeason season = seasons.get(id);
    return season != null ? season : seasons.computeIfAbsent(id, i -> new LocalSeason(epoch));
  }

  @Override
  public long loads() {
    return loads.get();
  }

  @Override
  public boolean isLoaded(Season season) {
    LocalSeason local = seasons.get(season.id());
    return local != null && local.isLoaded();
  }

  @Override
  public int seasons() {
    return seasons.size();
  }

  @Override
  public long behind() {
    return seasons.values().stream().filter(LocalSeason::isBehind).count();
  }

  /** Does not count as a use. */
  @Override
  public long size(Season season) {
    LocalSeason local = seasons.get(season.id());
    return local == null ? 0 : local.size();
  }

  @Override
  public long size() {
    long size = 0;
    for (LocalSeason season : seasons.values()) {
      size += season.size();
    }
    return size;
  }

  @Override
  public void close() {
    follower.shutdownNow();
  }
}
