package dev.laurel.core.rank;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How users sort by their ids, as it was when this order began: an id that becomes another one, by
 * an erasure, begins the next order and is the old one here for as long as somebody holds this. So
 * a tree that was made in this order can be searched and edited in it whatever happens to ids
 * meanwhile, and goes over to the next order when it suits ({@link RankSnapshot#reordered}).
 *
 * <p>Thread-safe; comparing is wait-free.
 */
final class IdOrder {
  private final UserDictionary ids;

  /** Whose id the next order has another of, and what it is here; written before {@link #next}. */
  private int renamed;

  private byte[] former = {};

  private volatile @Nullable IdOrder next;

  IdOrder(UserDictionary ids) {
    this.ids = ids;
  }

  int size() {
    return ids.size();
  }

  /** The order of two users' ids as unsigned UTF-8 bytes. */
  int compare(int a, int b) {
    int order = ids.compare(a, b);
    // Asked after the ids were read: whoever saw one of a later order sees that there is one.
    return next == null ? order : Arrays.compareUnsigned(bytes(a), bytes(b));
  }

  private byte[] bytes(int user) {
    IdOrder at = this;
    while (true) {
      IdOrder later = at.next;
      if (later == null) {
        byte[] id = ids.bytes(user);
        if (at.next == null) {
          return id;
        }
      } else if (at.renamed == user) {
        return at.former;
      } else {
        at = later;
      }
    }
  }

  /** Begins the next order. Called under the dictionary's lock, before the id is another one. */
  IdOrder rename(int user) {
    IdOrder after = new IdOrder(ids);
    renamed = user;
    former = ids.bytes(user);
    next = after;
    return after;
  }

  /** Whether ids are today what they are here. */
  boolean isLatest() {
    return next == null;
  }

  IdOrder latest() {
    IdOrder at = this;
    for (IdOrder later = at.next; later != null; later = at.next) {
      at = later;
    }
    return at;
  }

  /** Whose ids differ from those of a later order. */
  int[] renamedUntil(IdOrder later) {
    int[] users = new int[4];
    int count = 0;
    for (IdOrder at = this; at != later; ) {
      IdOrder after = at.next;
      if (after == null) {
        throw new IllegalArgumentException("not a later order of the same ids");
      }
      if (count == users.length) {
        users = Arrays.copyOf(users, 2 * count);
      }
      users[count++] = at.renamed;
      at = after;
    }
    return Arrays.stream(users, 0, count).distinct().toArray();
  }
}
