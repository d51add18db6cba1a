package dev.laurel.redis;

import java.nio.charset.StandardCharsets;

/**
 * The keys of one season. All carry its hash tag, so that a cluster keeps them together and one
 * function may use them.
 */
final class SeasonKeys {
  /** The season itself: sorted set, hash of users, where it stands. */
  final byte[][] season;

  /** Who builds it. */
  final byte[] lease;

  private final String tag;

  SeasonKeys(String prefix, long season) {
    tag = prefix + ":{" + prefix + "-" + season + "}:";
    this.season = new byte[][] {key("z"), key("u"), key("m")};
    lease = key("lease");
  }

  /** What is built beside it, by whom. */
  Staging staging(String token) {
    return new Staging(key("z:" + token), key("u:" + token));
  }

  /** A season that nobody reads yet. */
  record Staging(byte[] set, byte[] users) {}

  private byte[] key(String name) {
    return bytes(tag + name);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] bytes(long number) {
    return bytes(Long.toString(number));
  }
}
