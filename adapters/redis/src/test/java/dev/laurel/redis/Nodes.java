package dev.laurel.redis;

import dev.laurel.core.rank.CatchUpObserver;
import dev.laurel.core.rank.DividedRankIndex;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.rank.SharedIndexObserver;
import dev.laurel.core.rank.StandInRankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.Store;
import dev.laurel.testkit.Harness;
import java.time.Duration;

/** Nodes with their ranks in Redis. */
final class Nodes {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private Nodes() {}

  /** Nodes that turn to the store as soon as those of an installation do, and only to it. */
  static Harness.IndexSource indexes(String url, String prefix) {
    return indexes(url, prefix, RedisLink.SHORT, FOR_EVER);
  }

  /** Nodes whose memory stands in for Redis at once. */
  static Harness.IndexSource withStandIns(String url, String prefix) {
    return indexes(url, prefix, RedisLink.SHORT, Duration.ZERO);
  }

  /**
   * Nodes that wait for Redis, however busy the machine is, for tests in which it does not fail.
   */
  static Harness.IndexSource patient(String url, String prefix) {
    return indexes(url, prefix, Duration.ofMinutes(1), FOR_EVER);
  }

  private static Harness.IndexSource indexes(
      String url, String prefix, Duration patience, Duration untilStandIn) {
    return (store, users, bytes, observer) -> {
      LocalRankIndex memory = new LocalRankIndex(store, users, bytes, observer);
      return new DividedRankIndex(
          new StandInRankIndex(
              index(store, users, url, prefix, patience, observer),
              memory,
              untilStandIn,
              System::nanoTime),
          memory);
    };
  }

  static RedisRankIndex index(
      Store store,
      Users users,
      String url,
      String prefix,
      Duration patience,
      CatchUpObserver observer) {
    return new RedisRankIndex(
        store,
        users,
        RedisAddress.parse(url),
        prefix,
        patience,
        new SharedIndexObserver() {},
        observer);
  }
}
