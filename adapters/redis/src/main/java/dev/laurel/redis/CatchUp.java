package dev.laurel.redis;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Brings a season in Redis to where the store is: by the ledger if it stands not far behind, else
 * by building it beside what is there. What is built follows the ledger until it is near, and only
 * then takes its place: so it gets there however many write meanwhile. The rest is left to the next
 * commit, which holds the lock that everyone who writes needs ({@link #bridge}). Any number of
 * nodes may do this at once; a lease only saves them the work. Thread-safe.
 *
 * <p>A new epoch does not mean that Redis is wrong, only that it may be: a season whose line is in
 * the store's ledger, with the same random stamp, is of the same history so far, and goes on. One
 * that is ahead of the store proves the opposite, also in the same epoch.
 */
final class CatchUp {
  /** How long a node that died keeps the others from loading; every chunk renews it. */
  static final byte[] LEASE_MILLIS = SeasonKeys.bytes(10_000);

  /** More changes are not put into a season that others read, in one call. */
  private static final int REPLAY = 10_000;

  /** So few lines are read in so short a time that what comes meanwhile is fewer. */
  private static final int NEAR = 1_000;

  /** Everyone who writes waits while a commit reads them. */
  private static final int BRIDGE = 2_000;

  private final Store store;
  private final Users users;
  private final RedisLink link;
  private final AtomicLong loads = new AtomicLong();

  CatchUp(Store store, Users users, RedisLink link) {
    this.store = store;
    this.users = users;
    this.link = link;
  }

  long loads() {
    return loads.get();
  }

  /**
   * Where Redis stands.
   *
   * @param stamp of the line; 0 if it is not known
   */
  private record State(long epoch, long line, long size, long stamp) {}

  /**
   * What the store says is to be done.
   *
   * @param stamp of the line at the position; 0 if nobody needs it
   * @param wrong whether Redis holds what never was, or is no more
   * @param changes since where Redis stands; null if it has to be built
   */
  private record Plan(
      UserDictionary users,
      long epoch,
      long position,
      long stamp,
      boolean wrong,
      @Nullable List<RankIndex.Change> changes) {}

  /** One step; false if it did not get there and another step is needed later. Blocks. */
  boolean step(RedisSeason season) {
    State state = state(season);
    season.stands(state == null ? null : new RedisSeason.Floor(state.epoch, state.line));
    Plan plan = store.read(Store.Reading.LONG, tx -> plan(tx, season, state));
    if (plan.wrong) {
      // Also what it has told this node; another step brings on what is committed meanwhile.
      season.restart(plan.epoch);
      if (build(season, state, true)) {
        season.trust();
      }
      return false;
    }
    season.learn(plan.epoch, plan.position);
    List<RankIndex.Change> changes = plan.changes;
    if (state == null || changes == null) {
      return build(season, state, false) && season.isCurrent();
    }
    if ((state.epoch == plan.epoch || adopt(season, state, plan.epoch))
        && (state.line == plan.position || replay(season, plan, state.line, changes))) {
      return season.reached(plan.epoch, plan.position);
    }
    return false;
  }

  /** Whether Redis has all of it. Blocks. */
  boolean isHeld(RedisSeason season) {
    return state(season) != null;
  }

  /** Removes what Redis has of it; whoever reads it next builds it. Blocks. */
  void drop(SeasonKeys keys) {
    link.<Long>call(Functions.Name.DROP, ScriptOutputType.INTEGER, keys.season, new byte[0][])
        .join();
  }

  /** Builds it whatever is there; false if another node does, or it was disturbed. Blocks. */
  boolean rebuild(RedisSeason season) {
    return build(season, null, true);
  }

  /**
   * @param seen where Redis stood when it turned out to be due
   * @param always also in the place of a state that is as far
   * @return whether the season is the one that was built, or one as far; it may be behind
   */
  private boolean build(RedisSeason season, @Nullable State seen, boolean always) {
    String token = newToken();
    if (!lease(season, token)) {
      return false;
    }
    try {
      if (!always && !Objects.equals(state(season), seen)) {
        return false; // somebody has done it a moment ago
      }
      loads.incrementAndGet();
      SeasonLoad load = store.read(Store.Reading.LONG, tx -> copy(tx, season, token));
      while (store.read(Store.Reading.LONG, tx -> follow(tx, load)) > NEAR) {
        if (Thread.currentThread().isInterrupted()) {
          return false;
        }
      }
      season.learn(load.epoch(), load.line());
      if (!load.isNamedBy(users.of(season.board.tenant())) || !load.swap(always)) {
        return false;
      }
      if (!season.reached(load.epoch(), load.line())) {
        season.behind(); // by the little that was written since; another step or commit ends it
      }
      return true;
    } catch (SeasonLoad.BrokenOffException e) {
      return false;
    } finally {
      release(season, token);
    }
  }

  private SeasonLoad copy(ReadTransaction tx, RedisSeason season, String token) {
    NewEpochException.unless(tx, season.board.epoch());
    // In this transaction, so that everyone whom the entries name is known.
    UserDictionary dictionary = users.follow(tx, season.board.tenant());
    long position = tx.position(season.season.id());
    // Before the copy, which may take so long that nothing may be asked after it.
    long stamp = stamp(tx, season.board.shard(), position);
    RedisSeason.Floor at = new RedisSeason.Floor(tx.epoch(), position);
    SeasonLoad load = new SeasonLoad(season, link, dictionary, token, at, stamp);
    load.copy(tx);
    return load;
  }

  /** Brings what is built to where the store is, by the ledger; tells by how many lines. */
  private long follow(ReadTransaction tx, SeasonLoad load) {
    RedisSeason season = load.season;
    int shard = season.board.shard();
    long position = tx.position(season.season.id());
    if (!load.isNamedBy(users.follow(tx, season.board.tenant()))
        || tx.epoch() != load.epoch()
        || position < load.line()
        || tx.firstLine(shard) > load.line() + 1) {
      throw new SeasonLoad.BrokenOffException();
    }
    long lines = position - load.line();
    if (lines > 0) {
      int[] changed = tx.changedUsers(shard, season.board.id(), load.line(), position);
      long stamp = stamp(tx, shard, position);
      for (int from = 0; from < changed.length; from += REPLAY) {
        int[] some = Arrays.copyOfRange(changed, from, Math.min(changed.length, from + REPLAY));
        load.put(changes(tx, season.season.id(), some));
      }
      load.reached(position, stamp);
    }
    return lines;
  }

  /**
   * In a commit's transaction, which holds the shard's lock: what happened between where Redis
   * stands and where the commit begins, if that is little. The commit takes it along, and whatever
   * others have written the season is where the store is. Without it, one commit after the other
   * would come too early for a season that stands one commit behind.
   */
  void bridge(ReadTransaction tx, RedisSeason season, long line) {
    RedisSeason.Floor stands = season.stands();
    season.bridge(null);
    if (season.isCurrent()
        || stands == null
        || stands.line() < 1
        || stands.line() >= line
        || line - stands.line() > BRIDGE
        || stands.epoch() != tx.epoch()
        || tx.firstLine(season.board.shard()) > stands.line() + 1) {
      return;
    }
    users.follow(tx, season.board.tenant());
    int[] changed = tx.changedUsers(season.board.shard(), season.board.id(), stands.line(), line);
    season.bridge(
        new RedisSeason.Bridge(stands.line(), line, changes(tx, season.season.id(), changed)));
  }

  /** The store's ledger has the line that Redis stands at: so it is right in the new epoch too. */
  private boolean adopt(RedisSeason season, State state, long epoch) {
    byte[][] args = {
      SeasonKeys.bytes(state.epoch),
      SeasonKeys.bytes(state.line),
      SeasonKeys.bytes(state.stamp),
      SeasonKeys.bytes(epoch),
      RedisRankIndex.TTL
    };
    return link.<Long>call(
                Functions.Name.ADOPT,
                ScriptOutputType.INTEGER,
                RedisLink.SHORT,
                season.keys.season,
                args)
            .join()
        == 1;
  }

  private static String newToken() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  private boolean replay(RedisSeason season, Plan plan, long from, List<RankIndex.Change> changes) {
    RankIndex.Step step = new RankIndex.Step(plan.epoch, from, plan.position, plan.stamp);
    return RedisDraft.apply(link, season, plan.users, step, changes).join() == 1;
  }

  private @Nullable State state(RedisSeason season) {
    List<Object> reply =
        link.<List<Object>>call(
                Functions.Name.STATE, ScriptOutputType.MULTI, season.keys.season, new byte[0][])
            .join();
    if (reply.isEmpty()) {
      return null;
    }
    State state =
        new State(
            number(reply.get(0)), (long) reply.get(1), (long) reply.get(2), number(reply.get(3)));
    season.sized(state.size);
    return state;
  }

  /** Too large for a number of Lua: a text. */
  private static long number(Object text) {
    return Long.parseLong(new String((byte[]) text, StandardCharsets.US_ASCII));
  }

  /** On one snapshot of the store. */
  private Plan plan(ReadTransaction tx, RedisSeason season, @Nullable State state) {
    Board board = season.board;
    NewEpochException.unless(tx, board.epoch());
    // In this transaction, so that everyone whom the entries name is known.
    UserDictionary dictionary = users.follow(tx, board.tenant());
    long epoch = tx.epoch();
    long position = tx.position(season.season.id());
    boolean wrong =
        season.isDistrusted()
            // Redis was asked before this transaction began, and is told after a commit.
            || (state != null && state.epoch == epoch && state.line > position);
    if (state != null && !wrong && goesOn(tx, board.shard(), state, epoch, position)) {
      if (state.line == position) {
        return new Plan(dictionary, epoch, position, 0, false, List.of());
      }
      int[] changed = tx.changedUsers(board.shard(), board.id(), state.line, position);
      if (changed.length <= REPLAY) {
        List<RankIndex.Change> changes = changes(tx, season.season.id(), changed);
        long stamp = stamp(tx, board.shard(), position);
        return new Plan(dictionary, epoch, position, stamp, false, changes);
      }
    }
    return new Plan(dictionary, epoch, position, 0, wrong, null);
  }

  /** Whether Redis stands at a line of this history, and not so far back that a load is quicker. */
  private static boolean goesOn(
      ReadTransaction tx, int shard, State state, long epoch, long position) {
    return state.line <= position
        && position - state.line <= Math.max(state.size, REPLAY)
        && tx.firstLine(shard) <= state.line + 1
        && (state.epoch == epoch
            || (state.stamp != 0 && state.stamp == stamp(tx, shard, state.line)));
  }

  /** 0 if there is no such line. */
  private static long stamp(ReadTransaction tx, int shard, long line) {
    List<LedgerLine> found = line == 0 ? List.of() : tx.lines(shard, line - 1, line, 1);
    return found.isEmpty() ? 0 : found.getFirst().stamp();
  }

  private static List<RankIndex.Change> changes(ReadTransaction tx, long season, int[] changed) {
    List<@Nullable Entry> entries = tx.entries(season, changed);
    List<RankIndex.Change> changes = new ArrayList<>(changed.length);
    for (int i = 0; i < changed.length; i++) {
      Entry entry = entries.get(i);
      changes.add(
          entry == null || entry.deleted()
              ? new RankIndex.Change(changed[i], false, 0, 0, false)
              : new RankIndex.Change(
                  changed[i], true, entry.score(), entry.reached(), entry.metadata() != null));
    }
    return changes;
  }

  private boolean lease(RedisSeason season, String token) {
    byte[][] keys = {season.keys.lease};
    return link.<Long>call(
                Functions.Name.LEASE,
                ScriptOutputType.INTEGER,
                keys,
                new byte[][] {SeasonKeys.bytes(token), LEASE_MILLIS})
            .join()
        == 1;
  }

  /** Nobody waits for it: it ends by itself too. */
  private void release(RedisSeason season, String token) {
    byte[][] keys = {season.keys.lease};
    link.call(
        Functions.Name.RELEASE,
        ScriptOutputType.INTEGER,
        keys,
        new byte[][] {SeasonKeys.bytes(token)});
  }
}
