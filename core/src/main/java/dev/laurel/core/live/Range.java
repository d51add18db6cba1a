package dev.laurel.core.live;

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
          "a" + window + "-" + Integer.toHexString(userId.hashCode());
    };
  }
}
