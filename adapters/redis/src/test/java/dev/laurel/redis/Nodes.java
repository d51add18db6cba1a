package dev.laurel.redis;

import dev.laurel.core.rank.DividedRankIndex;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.testkit.Harness;
import java.time.Duration;

/** Nodes with their ranks in Redis. */
final class Nodes {
  private Nodes() {}

  /** Nodes that turn to the store as soon as those of an installation do. */
  static Harness.IndexSource indexes(String url, String prefix) {
    return indexes(url, prefix, RedisLink.SHORT);
  }

  /**
   * Nodes that wait for Redis, however busy the machine is, for tests in which it does not fail.
   */
  static Harness.IndexSource patient(String url, String prefix) {
    return indexes(url, prefix, Duration.ofMinutes(1));
  }

  private static Harness.IndexSource indexes(String url, String prefix, Duration patience) {
    return (store, users, bytes, observer) ->
        new DividedRankIndex(
            new RedisRankIndex(
                store,
                users,
                RedisAddress.parse(url),
                prefix,
                patience,
                nanos -> {},
                e -> {},
                observer),
            new LocalRankIndex(store, users, bytes, observer));
  }
}
