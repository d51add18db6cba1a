package dev.laurel.core.rank;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Collection;

/**
 * The users of one tenant, id to number and back. Numbers start at 1, have no gaps, and never
 * change: everything else in memory refers to a user by number. An id changes only when a user is
 * erased.
 *
 * <p>Thread-safe. {@link #append} is synchronized; everything else is wait-free and may run beside
 * it. A number that a reader got from here, or from a snapshot that was published after the number
 * was appended, is always readable.
 */
public final class UserDictionary extends NumberedIds {
  /*
   * The hash table holds numbers only. A number is smaller than the table, so the bits of a slot
   * above the table's mask are free: they carry bits of the hash, and a probe that meets another
   * user nearly never has to fetch that user's id. A look-up compares four slots at once without a
   * branch: which of them it is cannot be guessed, and a wrong guess is known only after the cache
   * miss.
   *
   * Readers: the writer fills pages first and publishes the slot with release; a reader takes the
   * slot with acquire, so the pages it reads afterwards hold the id. Tables are replaced, never
   * moved; one who still holds an old table just does not see what came later.
   */
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);

  /** An id of so many bytes takes no room beside its two longs. */
  public static final int INLINE_BYTES = IdBytes.INLINE;

  private static final int MAX_SLOTS = 1 << 30;
  private static final int GROUP = 64;
  private static final int PROBES = 4;

  private volatile int[] slots = new int[64];

  /** Slots that lead nowhere. Guarded by this. */
  private int renamed;

  /** How ids sort today. */
  private volatile IdOrder order = new IdOrder(this);

  /** How often a user has got another id. */
  private volatile int renames;

  /** Another number when a user has got another id. */
  public int renames() {
    return renames;
  }

  /** What it takes in memory, as it is allocated. Never blocks. */
  @Override
  long bytes() {
    return super.bytes() + 4L * slots.length;
  }

  /** How much more it would take with these users, who are not in it. */
  long bytesFor(Collection<String> ids) {
    long longIds = 0;
    for (String id : ids) {
      byte[] utf8 = IdBytes.encode(id);
      longIds += utf8 == null || utf8.length <= IdBytes.INLINE ? 0 : utf8.length;
    }
    long table = Math.max(0, slotsFor((long) size + ids.size()) - slots.length);
    return (long) BYTES_PER_USER * ids.size() + longIds + 4 * table;
  }

  /**
   * What a dictionary of so many users takes.
   *
   * @param longIds bytes of those ids that have more than {@link #INLINE_BYTES}
   */
  static long bytesOf(long users, long longIds) {
    return BYTES_PER_USER * users + longIds + 4 * slotsFor(users);
  }

  private static long slotsFor(long users) {
    long length = 64;
    while (users >= length / 10 * 7) {
      length *= 2;
    }
    return length;
  }

  IdOrder order() {
    return order;
  }

  /** The user's number, 0 if unknown. */
  public int find(String id) {
    byte[] utf8 = IdBytes.encode(id);
    return utf8 == null ? 0 : find(utf8, 0, utf8.length);
  }

  /**
   * The numbers of many users, 0 for the unknown, in less time than one by one: the look-ups wait
   * for memory together. (Ids beyond 15 bytes are looked up one by one.)
   */
  public void find(String[] ids, int count, int[] numbers) {
    long[] heads = new long[Math.min(GROUP, count)];
    long[] tails = new long[heads.length];
    long[] hashes = new long[heads.length];
    for (int from = 0; from < count; from += GROUP) {
      int length = Math.min(GROUP, count - from);
      for (int i = 0; i < length; i++) {
        byte[] utf8 = IdBytes.encode(ids[from + i]);
        if (utf8 != null && utf8.length <= IdBytes.INLINE) {
          heads[i] = IdBytes.head(utf8, 0, utf8.length);
          tails[i] = IdBytes.tail(utf8, 0, utf8.length);
        } else {
          // What no user has: this one goes the ordinary way below.
          tails[i] = -1;
        }
        hashes[i] = IdHash.of(heads[i], tails[i]);
      }
      int[] table = slots;
      for (int i = 0; i < length; i++) {
        numbers[from + i] = likely(table, hashes[i]);
      }
      long[][] all = pages;
      for (int i = 0; i < length; i++) {
        int number = numbers[from + i];
        if (!equalsInline(all, number, heads[i], tails[i]) || number == 0) {
          numbers[from + i] = find(ids[from + i]);
        }
      }
    }
  }

  /** The number of the user with this id in UTF-8, 0 if unknown. */
  public int find(byte[] utf8, int from, int length) {
    long head = IdBytes.head(utf8, from, length);
    if (length <= IdBytes.INLINE) {
      return find(head, IdBytes.tail(utf8, from, length));
    }
    long hash = IdHash.of(utf8, from, length);
    int[] table = slots;
    int number = likely(table, hash);
    if (number != 0 && equalsLong(number, head, utf8, from, length)) {
      return number;
    }
    int mask = table.length - 1;
    for (int i = (int) (hash >>> 32) & mask; ; i = (i + 1) & mask) {
      int slot = (int) SLOT.getAcquire(table, i);
      if (slot == 0) {
        return 0;
      }
      if (((slot ^ (int) hash) & ~mask) == 0 && equalsLong(slot & mask, head, utf8, from, length)) {
        return slot & mask;
      }
    }
  }

  private int find(long head, long tail) {
    long hash = IdHash.of(head, tail);
    int[] table = slots;
    int number = likely(table, hash);
    if (number != 0 && equalsInline(pages, number, head, tail)) {
      return number;
    }
    int mask = table.length - 1;
    for (int i = (int) (hash >>> 32) & mask; ; i = (i + 1) & mask) {
      int slot = (int) SLOT.getAcquire(table, i);
      if (slot == 0) {
        return 0;
      }
      if (((slot ^ (int) hash) & ~mask) == 0 && equalsInline(pages, slot & mask, head, tail)) {
        return slot & mask;
      }
    }
  }

  /** The first of four slots with the right bits of the hash: nearly always the one, if any. */
  private static int likely(int[] table, long hash) {
    int mask = table.length - 1;
    int start = (int) (hash >>> 32);
    int found = 0;
    for (int i = PROBES - 1; i >= 0; i--) {
      int slot = (int) SLOT.getAcquire(table, (start + i) & mask);
      found = ((slot ^ (int) hash) & ~mask) == 0 ? slot : found;
    }
    return found & mask;
  }

  /**
   * Adds the next user. One who is already there under the same number changes nothing, so that a
   * list of users can be read again. An id that another user had is the new one's: the store gives
   * one away again only if its user was erased.
   *
   * @throws IllegalArgumentException if the number belongs to another user, or the id cannot be
   *     written in UTF-8
   * @throws IllegalStateException if numbers before this one are missing
   */
  public synchronized void append(int number, String id) {
    byte[] utf8 = IdBytes.encode(id);
    if (utf8 == null || utf8.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "id of user " + number + " (expected: at most " + MAX_BYTES + " bytes of UTF-8)");
    }
    int known = find(utf8, 0, utf8.length);
    if (known != 0 && known == number) {
      return;
    }
    if (known != 0 && number == size + 1) {
      // Another node has erased that user, and this one has not heard of it yet. No id looks so.
      rename(known, "\u0000" + known);
    }
    if (number <= size) {
      throw new IllegalArgumentException(
          "number of user " + id + ": " + number + " (expected: " + (size + 1) + ")");
    }
    if (number != size + 1) {
      throw new IllegalStateException("number: " + number + " (expected: " + (size + 1) + ")");
    }
    if (number + renamed >= slots.length / 10 * 7) {
      grow();
    }
    add(number, utf8);
    publish(slots, number, hashOf(number));
    size = number;
  }

  /** The same for a list that others read too: what they have added, or renamed since, stays. */
  synchronized void appendIfNext(int number, String id) {
    if (number > size) {
      append(number, id);
    }
  }

  /**
   * Gives a user another id. Whoever looks meanwhile finds the old one or the new one; the old
   * one's slot stays until the table grows, and leads to an id that is another.
   */
  public synchronized void rename(int number, String id) {
    byte[] utf8 = IdBytes.encode(id);
    if (utf8 == null || utf8.length > MAX_BYTES) {
      throw new IllegalArgumentException("id of user " + number + " (expected: UTF-8)");
    }
    if (Arrays.equals(utf8, bytes(number))) {
      return;
    }
    // First of all: whoever has sorted by the old id goes on with it.
    order = order.rename(number);
    replace(number, utf8);
    renames = renames + 1;
    if (find(utf8, 0, utf8.length) == 0) {
      renamed++;
      if (size + renamed >= slots.length / 10 * 7) {
        grow();
      } else {
        publish(slots, number, hashOf(number));
      }
    }
  }

  private static void publish(int[] table, int number, long hash) {
    int mask = table.length - 1;
    int i = (int) (hash >>> 32) & mask;
    while (table[i] != 0) {
      i = (i + 1) & mask;
    }
    SLOT.setRelease(table, i, ((int) hash & ~mask) | number);
  }

  private void grow() {
    if (slots.length == MAX_SLOTS) {
      throw new IllegalStateException("users: " + size + " (expected: fewer)");
    }
    int[] table = new int[2 * slots.length];
    for (int number = 1; number <= size; number++) {
      publish(table, number, hashOf(number));
    }
    slots = table;
    renamed = 0;
  }
}
