package dev.laurel.redis;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Brings a season in Redis to where the store is: by the ledger if it stands not far behind, else
 * by loading it. Any number of nodes may do this at once; a lease only saves them the work.
 * Thread-safe.
 */
final class CatchUp {
  /** How long a node that died keeps the others from loading; every chunk renews it. */
  static final byte[] LEASE_MILLIS = SeasonKeys.bytes(10_000);

  private static final int REPLAY = 10_000;

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

  /** Where Redis stands. */
  private record State(long epoch, long line, long size) {}

  /** What the store says is to be done. */
  private record Plan(
      UserDictionary users,
      long epoch,
      long position,
      @Nullable List<RankIndex.Change> changes,
      @Nullable SeasonLoad load) {}

  /** One step; false if it did not get there and another step is needed later. Blocks. */
  boolean step(RedisSeason season) {
    State state = state(season);
    String token = newToken();
    try {
      Plan plan = store.read(Store.Reading.LONG, tx -> plan(tx, season, state, token));
      season.learn(plan.epoch, plan.position);
      List<RankIndex.Change> changes = plan.changes;
      SeasonLoad load = plan.load;
      boolean there;
      if (load != null) {
        loads.incrementAndGet();
        there = load.swap(plan.epoch, plan.position, false);
      } else if (changes == null) {
        return false; // another node loads it
      } else if (state != null && state.line >= plan.position) {
        there = true;
      } else {
        there = replay(season, plan, state == null ? 0 : state.line, changes);
      }
      return there && season.reached(plan.epoch, plan.position);
    } finally {
      release(season, token);
    }
  }

  /** Loads it whatever is there; false if another node is loading it. Blocks. */
  boolean rebuild(RedisSeason season) {
    String token = newToken();
    try {
      Plan plan = store.read(Store.Reading.LONG, tx -> plan(tx, season, null, token));
      SeasonLoad load = plan.load;
      if (load == null) {
        return false;
      }
      loads.incrementAndGet();
      season.learn(plan.epoch, plan.position);
      return load.swap(plan.epoch, plan.position, true);
    } finally {
      release(season, token);
    }
  }

  private static String newToken() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  private boolean replay(RedisSeason season, Plan plan, long from, List<RankIndex.Change> changes) {
    return RedisDraft.apply(link, season, plan.users, plan.epoch, from, plan.position, changes)
            .join()
        == 1;
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
            Long.parseLong(new String((byte[]) reply.get(0), StandardCharsets.US_ASCII)),
            (long) reply.get(1),
            (long) reply.get(2));
    season.sized(state.size);
    return state;
  }

  /** On one snapshot of the store, which a load is copied from. */
  private Plan plan(ReadTransaction tx, RedisSeason season, @Nullable State state, String token) {
    Board board = season.board;
    // In this transaction, so that everyone whom the entries name is known.
    UserDictionary dictionary = users.follow(tx, board.tenant());
    long epoch = tx.epoch();
    long position = tx.position(season.season.id());
    if (state != null
        && state.epoch == epoch
        && position - state.line <= Math.max(state.size, REPLAY)
        && tx.firstLine(board.shard()) <= state.line + 1) {
      int[] changed =
          state.line >= position
              ? new int[0]
              : tx.changedUsers(board.shard(), board.id(), state.line, position);
      if (changed.length <= REPLAY) {
        List<RankIndex.Change> changes = changes(tx, season.season.id(), changed);
        return new Plan(dictionary, epoch, position, changes, null);
      }
    }
    if (!lease(season, token)) {
      return new Plan(dictionary, epoch, position, null, null);
    }
    SeasonLoad load = new SeasonLoad(season, link, dictionary, token);
    load.copy(tx);
    return new Plan(dictionary, epoch, position, null, load);
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
