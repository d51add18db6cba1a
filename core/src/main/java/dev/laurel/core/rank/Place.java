package dev.laurel.core.rank;

/**
 * A place in the one order, whether somebody stands there or not.
 *
 * @param key of the score, by {@link dev.laurel.core.model.Order#key}
 */
public record Place(long key, long reached, int user) {
  /** Whether the other place comes after this one, by the ids of today. */
  public boolean isBefore(long otherKey, long otherReached, int otherUser, UserDictionary ids) {
    return isBefore(otherKey, otherReached, otherUser, ids.order());
  }

  boolean isBefore(long otherKey, long otherReached, int otherUser, IdOrder ids) {
    if (key != otherKey) {
      return key < otherKey;
    }
    return reached != otherReached
        ? reached < otherReached
        : user != otherUser && ids.compare(user, otherUser) < 0;
  }
}
