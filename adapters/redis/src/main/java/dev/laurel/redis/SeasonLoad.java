package dev.laurel.redis;

import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.ReadTransaction;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A whole season on its way into Redis: in chunks, beside the one that is read; then what was
 * committed meanwhile; then in the place of the other at once. Others work on Redis between two
 * chunks. Belongs to one thread.
 */
final class SeasonLoad {
  private static final int CHUNK = 500;

  /** So that Redis does not wait for the next; what others ask of it waits for so many at most. */
  private static final int UNDER_WAY = 4;

  /** What is left of a load that broke off goes by itself. */
  private static final byte[] STAGING_TTL = SeasonKeys.bytes(600_000);

  final RedisSeason season;
  private final RedisLink link;
  private final UserDictionary users;
  private final long renames;
  private final String token;
  private final SeasonKeys.Staging staging;
  private final long epoch;
  private final Deque<CompletableFuture<Long>> underWay = new ArrayDeque<>();
  private final List<byte[]> words = new ArrayList<>();

  /** Where it stands, and the stamp of that line; 0 if it is not known. */
  private long line;

  private long stamp;
  private long size;

  /** What was built is gone, or another node builds it: all of it is done again. */
  static final class BrokenOffException extends RuntimeException {
    BrokenOffException() {
      super(null, null, false, false);
    }
  }

  /**
   * @param at where the transaction is that it is copied from
   */
  SeasonLoad(
      RedisSeason season,
      RedisLink link,
      UserDictionary users,
      String token,
      RedisSeason.Floor at,
      long stamp) {
    this.season = season;
    this.link = link;
    this.users = users;
    this.renames = users.renames();
    this.token = token;
    this.staging = season.keys.staging(token);
    this.epoch = at.epoch();
    this.line = at.line();
    this.stamp = stamp;
  }

  long epoch() {
    return epoch;
  }

  long line() {
    return line;
  }

  /** Members are made of ids: with one that has become another it would hold a user twice. */
  boolean isNamedBy(UserDictionary now) {
    return now == users && now.renames() == renames;
  }

  /** Copies all entries that the transaction sees. */
  void copy(ReadTransaction tx) {
    begin(true);
    int[] waiting = {0};
    tx.entries(
        season.season.id(),
        (user, score, reached, hasMetadata) -> {
          words.add(Members.id(users, user));
          words.add(Members.value(season.board.order(), score, reached, hasMetadata));
          if (++waiting[0] == CHUNK) {
            sendCopies(CHUNK);
            waiting[0] = 0;
          }
        });
    sendCopies(waiting[0]);
    while (!underWay.isEmpty()) {
      join(underWay.remove());
    }
  }

  /** What became of some users since the line it stands at. */
  void put(List<RankIndex.Change> changes) {
    for (int from = 0; from < changes.size(); from += CHUNK) {
      begin(false);
      for (RankIndex.Change change :
          changes.subList(from, Math.min(changes.size(), from + CHUNK))) {
        words.add(Members.id(users, change.user()));
        words.add(Members.value(season.board.order(), change));
      }
      size = join(send());
    }
  }

  /** All that happened up to this line was put in. */
  void reached(long newLine, long newStamp) {
    line = newLine;
    stamp = newStamp;
  }

  private void begin(boolean copy) {
    words.clear();
    words.add(STAGING_TTL);
    words.add(SeasonKeys.bytes(token));
    words.add(CatchUp.LEASE_MILLIS);
    words.add(SeasonKeys.bytes(size));
    words.add(SeasonKeys.bytes(copy ? 1 : 0));
  }

  private void sendCopies(int count) {
    if (underWay.size() == UNDER_WAY) {
      join(underWay.remove());
    }
    underWay.add(send());
    size += count;
    begin(true);
  }

  private CompletableFuture<Long> send() {
    byte[][] keys = {staging.set(), staging.users(), season.keys.lease};
    return link.call(
        Functions.Name.STAGE,
        ScriptOutputType.INTEGER,
        RedisLink.LONG,
        keys,
        words.toArray(byte[][]::new));
  }

  private static long join(CompletableFuture<Long> sent) {
    long users = sent.join();
    if (users < 0) {
      throw new BrokenOffException();
    }
    return users;
  }

  /**
   * Whether the season stands at the line, or further, by now.
   *
   * @param always also in the place of a state that is as far
   */
  boolean swap(boolean always) {
    byte[][] own = season.keys.season;
    byte[][] keys = {own[0], own[1], own[2], staging.set(), staging.users(), season.keys.lease};
    byte[][] args = {
      SeasonKeys.bytes(epoch),
      SeasonKeys.bytes(line),
      SeasonKeys.bytes(size),
      RedisRankIndex.TTL,
      SeasonKeys.bytes(always ? 1 : 0),
      SeasonKeys.bytes(stamp),
      SeasonKeys.bytes(token)
    };
    long swapped =
        link.<Long>call(Functions.Name.SWAP, ScriptOutputType.INTEGER, RedisLink.LONG, keys, args)
            .join();
    season.sized(size);
    return swapped == 1;
  }
}
