package dev.laurel.redis;

import dev.laurel.testkit.Harness;

/** Nodes with their ranks in Redis. */
final class Nodes {
  private Nodes() {}

  static Harness.IndexSource indexes(String url, String prefix) {
    return (store, users, bytes, observer) ->
        new RedisRankIndex(
            store, users, RedisAddress.parse(url), prefix, nanos -> {}, e -> {}, observer);
  }
}
