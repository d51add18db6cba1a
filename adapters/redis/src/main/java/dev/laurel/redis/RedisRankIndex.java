package dev.laurel.redis;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.CatchUpObserver;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.SharedIndexObserver;
import dev.laurel.core.rank.SharedRankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.vital.Failures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The index that nodes share, in Redis or Valkey. Thread-safe.
 *
 * <p>A commit moves its season there from one line to the next, if it stands where the commit
 * began; whoever finds it elsewhere brings it to where the store is ({@link CatchUp}). Redis is not
 * trusted: every read says how far the season must be at least ({@link RedisSeason}), and a season
 * that is not, or is not whole, does not answer. So a flush, a restart with an old dump, a failover
 * that lost writes and an eviction are all the same: the season is behind, its reads come from
 * elsewhere ({@link dev.laurel.core.rank.StandInRankIndex}), and it catches up.
 *
 * <p>Dense ranks would have to count different scores, which a sorted set cannot: their boards are
 * left to an index in memory ({@link dev.laurel.core.rank.DividedRankIndex}).
 */
public final class RedisRankIndex implements SharedRankIndex {
  /** Seasons that nobody has used for two days leave Redis; the next read brings them back. */
  static final byte[] TTL = SeasonKeys.bytes(TimeUnit.DAYS.toMillis(2));

  private static final long RETRY_MILLIS = 100;
  private static final long BROKEN_RETRY_MILLIS = 500;

  /** Between attempts to bring a season there; one attempt takes what it takes. */
  private static final long LONGEST_WAIT = TimeUnit.MINUTES.toNanos(1);

  /** So that a node that nobody calls finds out too. */
  private static final long LOOK_MILLIS = 1000;

  private final Users users;
  private final String prefix;
  private final SharedIndexObserver redis;
  private final CatchUpObserver observer;
  private final RedisLink link;
  private final CatchUp catchUp;
  private final ConcurrentHashMap<Long, RedisSeason> seasons = new ConcurrentHashMap<>();
  private final ScheduledExecutorService follower;
  private volatile long epoch;

  /**
   * @param prefix begins every key, so that two installations may share one Redis
   * @param redis told how Redis does
   * @param observer told how catch-ups end; while Redis is away with a CompletionException
   */
  public RedisRankIndex(
      Store store,
      Users users,
      RedisAddress address,
      String prefix,
      SharedIndexObserver redis,
      CatchUpObserver observer) {
    this(store, users, address, prefix, RedisLink.SHORT, redis, observer);
  }

  /** The same with another patience, for tests on a machine that is busy. */
  RedisRankIndex(
      Store store,
      Users users,
      RedisAddress address,
      String prefix,
      Duration patience,
      SharedIndexObserver redis,
      CatchUpObserver observer) {
    this.users = users;
    this.prefix = prefix;
    this.observer = observer;
    this.epoch = store.read(tx -> tx.epoch());
    this.redis = redis;
    this.link = new RedisLink(new RedisConnections(address, patience), patience, redis);
    this.catchUp = new CatchUp(store, users, link);
    this.follower =
        Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().name("laurel-follower-", 0).daemon().factory());
    var _ =
        follower.scheduleWithFixedDelay(
            link::ping, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public @Nullable Ranking ranking(Board board, Season season) {
    if (board.epoch() != epoch) {
      return null;
    }
    RedisSeason shared = season(board, season);
    if (!shared.isCurrent() || users.ifLoaded(board.tenant()) == null) {
      requestCatchUp(shared);
      return null;
    }
    return new RedisRanking(shared, shared.top());
  }

  @Override
  public @Nullable Ranking original(Board board, Season season) {
    if (ranking(board, season) == null) {
      return null;
    }
    RedisSeason shared = season(board, season);
    shared.forgetTop();
    return new RedisRanking(shared, null);
  }

  @Override
  public Draft draft(Board board, Season season, Step step, List<Change> changes) {
    return new RedisDraft(
        () -> season(board, season),
        season.capacity(),
        link,
        users.of(board.tenant()),
        step,
        changes,
        redis::wrote);
  }

  /**
   * Whoever committed those lines has brought them to Redis, or a catch-up will; the commit only
   * closes a small gap ({@link CatchUp#bridge}).
   */
  @Override
  public void prepare(ReadTransaction tx, Board board, Season season, long line) {
    RedisSeason shared = seasons.get(season.id());
    if (shared != null) {
      catchUp.bridge(tx, shared, line);
    }
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public void enter(long now) {
    if (now != epoch) {
      epoch = now;
      // With what is known of their boards. Commits that are under way announce nothing here.
      seasons.clear();
    }
  }

  /**
   * The store is asked, in the background. What this node has copied is not shown any more: Redis
   * may be away, and the store not tell for as long how far the season is.
   */
  @Override
  public void follow(Board board, Season season, long line) {
    RedisSeason shared = seasons.get(season.id());
    if (shared != null && board.epoch() == epoch && shared.floor().line() < line) {
      shared.forgetTop();
      requestCatchUp(shared);
    }
  }

  @Override
  public void catchUp(Board board, Season season) {
    await(season(board, season));
  }

  @Override
  public void missed(Board board, Season season, long line) {
    if (board.epoch() != epoch) {
      return;
    }
    RedisSeason shared = season(board, season);
    shared.announce(line);
    shared.behind();
  }

  /**
   * The new state takes the place of one that may be further: then reads come from the store for
   * the moment until it has caught up.
   */
  @Override
  public void rebuild(Board board, Season season) {
    RedisSeason shared = season(board, season);
    long begin = System.nanoTime();
    while (!catchUp.rebuild(shared)) {
      pause(begin); // another node loads it
    }
    shared.forgetTop();
    await(shared);
  }

  /**
   * Members are made of ids, and all nodes share them. A season that its board does not list is not
   * read from here: what may be left of it goes.
   */
  @Override
  public void renamed(Board board, Season season) {
    boolean listed = board.seasons().stream().anyMatch(each -> each.id() == season.id());
    if (listed && catchUp.isHeld(season(board, season))) {
      rebuild(board, season);
      return;
    }
    if (!listed) {
      seasons.remove(season.id());
    }
    catchUp.drop(new SeasonKeys(prefix, season.id()));
  }

  private void await(RedisSeason season) {
    long begin = System.nanoTime();
    while (!isThere(season)) {
      pause(begin);
    }
    observer.succeeded(season.season);
  }

  /** Takes a step. Commits that go on meanwhile can bring it there as well. */
  private boolean isThere(RedisSeason season) {
    return catchUp.step(season) || season.isCurrent();
  }

  /** Before the next attempt; whoever asked may hold a lock, so there is an end to it. */
  private void pause(long begin) {
    if (follower.isShutdown()) {
      throw new CancellationException("the index is closed");
    }
    if (System.nanoTime() - begin > LONGEST_WAIT) {
      throw new IllegalStateException("the season did not get to where the store is in a minute");
    }
    LockSupport.parkNanos(10_000_000);
  }

  private void requestCatchUp(RedisSeason season) {
    requestCatchUp(season, 0);
  }

  private void requestCatchUp(RedisSeason season, long delayMillis) {
    if (!season.catchUpRequested.compareAndSet(false, true)) {
      return;
    }
    try {
      follower.schedule(() -> catchUp(season), delayMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // Closed meanwhile: nobody reads any more.
    } catch (Throwable e) {
      // Nobody took it, so the next one may ask again.
      season.catchUpRequested.set(false);
      throw e;
    }
  }

  private void catchUp(RedisSeason season) {
    season.catchUpRequested.set(false);
    if (seasons.get(season.season.id()) != season) {
      return; // forgotten: nobody reads it
    }
    boolean there = false;
    redis.retried();
    try {
      there = isThere(season);
      if (there) {
        observer.succeeded(season.season);
      }
    } catch (Throwable e) {
      Failures.tell(why -> observer.failed(season.board, season.season, why), e);
    }
    if (!there) {
      requestCatchUp(season, link.isBroken() ? BROKEN_RETRY_MILLIS : RETRY_MILLIS);
    }
  }

  /** As with {@link dev.laurel.core.rank.LocalRankIndex}: a commit publishes to what is there. */
  @Override
  public void keepOnly(LongPredicate listed) {
    seasons.keySet().removeIf(id -> !listed.test(id));
  }

  private RedisSeason season(Board board, Season season) {
    RedisSeason known = seasons.get(season.id());
    return known != null && known.board.epoch() == board.epoch()
        ? known
        : seasons.compute(season.id(), (id, last) -> made(board, season, last));
  }

  /** What is known of a season in the store's epoch stays; somebody who is late gets it too. */
  private RedisSeason made(Board board, Season season, @Nullable RedisSeason last) {
    return last != null && (last.board.epoch() == board.epoch() || board.epoch() != epoch)
        ? last
        : new RedisSeason(
            board,
            season,
            new SeasonKeys(prefix, season.id()),
            link,
            users,
            board.epoch(),
            this::requestCatchUp);
  }

  @Override
  public boolean lacks(Season season, Duration atLeast) {
    RedisSeason shared = seasons.get(season.id());
    long away = shared == null ? 0 : shared.awayNanos();
    return away > 0 && away >= atLeast.toNanos();
  }

  @Override
  public long heardOf(Season season) {
    RedisSeason shared = seasons.get(season.id());
    return shared == null ? 0 : Math.max(0, shared.floor().line());
  }

  @Override
  public void check() {
    link.ping().join();
  }

  @Override
  public boolean isDown() {
    return link.isBroken();
  }

  @Override
  public boolean isLoaded(Season season) {
    return seasons.containsKey(season.id());
  }

  @Override
  public int seasons() {
    return seasons.size();
  }

  @Override
  public long behind() {
    return seasons.values().stream().filter(season -> !season.isCurrent()).count();
  }

  @Override
  public long loads() {
    return catchUp.loads();
  }

  @Override
  public long size(Season season) {
    RedisSeason shared = seasons.get(season.id());
    return shared == null ? 0 : shared.size();
  }

  @Override
  public long size() {
    return seasons.values().stream().mapToLong(RedisSeason::size).sum();
  }

  @Override
  public void close() {
    follower.shutdownNow();
    link.close();
  }
}
