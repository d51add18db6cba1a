package dev.laurel.core.live;

import dev.laurel.core.store.Digest;

/** Which rows of a season somebody watches. */
public sealed interface Range {
  /** The first of the board. */
  record Top(int count) implements Range {}

  /** A user, and so many on each side. */
  record Around(String userId, int window) implements Range {}

  /** Short and without odd characters, for the ids of events. */
  default String tag() {
    return switch (this) {
      case Top(int count) -> "t" + count;
      case Around(String userId, int window) ->
          "a"
              + window
              + "-"
              // Of two users only one: 32 bits would take one for another now and then.
              + Long.toUnsignedString(Digest.of("user", userId).high(), Character.MAX_RADIX);
    };
  }
}
