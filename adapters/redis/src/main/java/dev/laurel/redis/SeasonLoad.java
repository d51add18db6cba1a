package dev.laurel.redis;

import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.ReadTransaction;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A whole season on its way into Redis: in chunks, beside the one that is read, then in the place
 * of it at once. Others work on Redis between two chunks. Belongs to one thread.
 */
final class SeasonLoad {
  private static final int CHUNK = 500;
  private static final int UNDER_WAY = 2;

  /** What is left of a load that broke off goes by itself. */
  private static final byte[] STAGING_TTL = SeasonKeys.bytes(600_000);

  private final RedisSeason season;
  private final RedisLink link;
  private final UserDictionary users;
  private final String token;
  private final SeasonKeys.Staging staging;
  private final Deque<CompletableFuture<Long>> underWay = new ArrayDeque<>();
  private final List<byte[]> words = new ArrayList<>();
  private long size;

  SeasonLoad(RedisSeason season, RedisLink link, UserDictionary users, String token) {
    this.season = season;
    this.link = link;
    this.users = users;
    this.token = token;
    this.staging = season.keys.staging(token);
  }

  /** Copies all entries that the transaction sees. */
  void copy(ReadTransaction tx) {
    begin();
    tx.entries(
        season.season.id(),
        (user, score, reached, hasMetadata) -> {
          words.add(Members.id(users, user));
          words.add(Members.value(season.board.order(), score, reached, hasMetadata));
          size++;
          if (size % CHUNK == 0) {
            send();
          }
        });
    send();
    while (!underWay.isEmpty()) {
      underWay.remove().join();
    }
  }

  private void begin() {
    words.clear();
    words.add(STAGING_TTL);
    words.add(SeasonKeys.bytes(token));
    words.add(CatchUp.LEASE_MILLIS);
  }

  private void send() {
    if (underWay.size() == UNDER_WAY) {
      underWay.remove().join();
    }
    byte[][] keys = {staging.set(), staging.users(), season.keys.lease};
    underWay.add(
        link.call(
            Functions.Name.STAGE,
            ScriptOutputType.INTEGER,
            RedisLink.LONG,
            keys,
            words.toArray(byte[][]::new)));
    begin();
  }

  /**
   * Whether the season stands at the line, or further, by now.
   *
   * @param stamp of the line; 0 if it is not known
   * @param always also in the place of a state that is as far
   */
  boolean swap(long epoch, long line, long stamp, boolean always) {
    byte[][] own = season.keys.season;
    byte[][] keys = {own[0], own[1], own[2], staging.set(), staging.users()};
    byte[][] args = {
      SeasonKeys.bytes(epoch),
      SeasonKeys.bytes(line),
      SeasonKeys.bytes(size),
      RedisRankIndex.TTL,
      SeasonKeys.bytes(always ? 1 : 0),
      SeasonKeys.bytes(stamp)
    };
    long swapped =
        link.<Long>call(Functions.Name.SWAP, ScriptOutputType.INTEGER, RedisLink.LONG, keys, args)
            .join();
    season.sized(size);
    return swapped == 1;
  }
}
