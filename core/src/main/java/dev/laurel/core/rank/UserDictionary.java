package dev.laurel.core.rank;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The users of one tenant, id to number and back. Numbers start at 1, have no gaps, and never
 * change: everything else in memory refers to a user by number. An id changes only when a user is
 * erased.
 *
 * <p>Thread-safe. {@link #append} is synchronized; everything else is wait-free and may run beside
 * it. A number that a reader got from here, or from a snapshot that was published after the number
 * was appended, is always readable.
 */
public final class UserDictionary {
  /*
   * A user has two longs: the first 15 bytes of the id, big-endian, zero padded, and in the last
   * byte the length. Compared as one unsigned 128-bit number they order as unsigned bytes do, and
   * a prefix comes before what it begins. Inline ids save a cache miss a look-up (66 against 159
   * ns) and are most ids. A longer id keeps its first 8 bytes in the first long, LONG in the last
   * byte, and between them where it is in the arena and how long it is.
   *
   * The hash table holds numbers only. A number is smaller than the table, so the bits of a slot
   * above the table's mask are free: they carry bits of the hash, and a probe that meets another
   * user nearly never has to fetch that user's id. A look-up compares four slots at once without a
   * branch: which of them it is cannot be guessed, and a wrong guess is known only after the cache
   * miss.
   *
   * Readers: the writer fills pages first and publishes the slot with release; a reader takes the
   * slot with acquire, so the pages it reads afterwards hold the id. Tables and page directories
   * are replaced, never moved; one who still holds an old table just does not see what came later.
   */
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int INLINE = 15;
  private static final int LONG = 0xff;
  private static final int PAGE_BITS = 10;
  private static final int PAGE_USERS = 1 << PAGE_BITS;
  private static final int FIRST_PAGE_USERS = 32;
  private static final int ARENA_BITS = 14;
  private static final int ARENA_PAGE = 1 << ARENA_BITS;
  private static final int MAX_SLOTS = 1 << 30;
  private static final int GROUP = 64;
  private static final int PROBES = 4;
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long QUESTION_MARKS = '?' * ONES;

  /** What an archive's row is about whose user was erased. */
  private static final String NOBODY = "erased";

  private volatile int[] slots = new int[64];

  /** Two longs a user; the user's number is the index, so the first pair of the first is unused. */
  private volatile long[][] pages = {new long[2 * FIRST_PAGE_USERS]};

  private volatile byte[][] arena = {};
  private volatile int size;

  /** Guarded by this. */
  private long arenaEnd;

  /** Slots that lead nowhere. Guarded by this. */
  private int renamed;

  /** How many users there are, which is also the last number. */
  public int size() {
    return size;
  }

  /** The user's number, 0 if unknown. */
  public int find(String id) {
    byte[] utf8 = encode(id);
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
        byte[] utf8 = encode(ids[from + i]);
        if (utf8 != null && utf8.length <= INLINE) {
          heads[i] = head(utf8, 0, utf8.length);
          tails[i] = tail(utf8, 0, utf8.length);
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
        long[] page = all[number >>> PAGE_BITS];
        int at = at(number);
        if (page[at] != heads[i] || page[at + 1] != tails[i] || number == 0) {
          numbers[from + i] = find(ids[from + i]);
        }
      }
    }
  }

  /** The number of the user with this id in UTF-8, 0 if unknown. */
  public int find(byte[] utf8, int from, int length) {
    long head = head(utf8, from, length);
    if (length <= INLINE) {
      return find(head, tail(utf8, from, length));
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
    if (number != 0 && equalsInline(number, head, tail)) {
      return number;
    }
    int mask = table.length - 1;
    for (int i = (int) (hash >>> 32) & mask; ; i = (i + 1) & mask) {
      int slot = (int) SLOT.getAcquire(table, i);
      if (slot == 0) {
        return 0;
      }
      if (((slot ^ (int) hash) & ~mask) == 0 && equalsInline(slot & mask, head, tail)) {
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

  private boolean equalsInline(int number, long head, long tail) {
    long[] page = pages[number >>> PAGE_BITS];
    int at = at(number);
    return page[at] == head && page[at + 1] == tail;
  }

  private boolean equalsLong(int number, long head, byte[] utf8, int from, int length) {
    long[] page = pages[number >>> PAGE_BITS];
    long tail = page[at(number) + 1];
    if (page[at(number)] != head || !isLong(tail) || length(tail) != length) {
      return false;
    }
    int start = arenaAt(tail);
    return Arrays.equals(arenaPage(tail), start, start + length, utf8, from, from + length);
  }

  /** 0 is somebody who was erased, and was known by the id only. */
  public String id(int number) {
    if (number == 0) {
      return NOBODY;
    }
    long[] page = page(number);
    byte[] utf8 = new byte[length(page[at(number) + 1])];
    copyId(page, number, utf8, 0);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /** How many bytes the id has in UTF-8. */
  public int length(int number) {
    return length(tail(number));
  }

  /** Writes the id in UTF-8 to the target, and says how many bytes that were. */
  public int copyId(int number, byte[] target, int at) {
    return copyId(page(number), number, target, at);
  }

  /** From one page: beside it the id may change, in a copy. */
  private int copyId(long[] page, int number, byte[] target, int at) {
    long tail = page[at(number) + 1];
    int length = length(tail);
    if (isLong(tail)) {
      System.arraycopy(arenaPage(tail), arenaAt(tail), target, at, length);
      return length;
    }
    long head = page[at(number)];
    int i = 0;
    if (length >= 8) {
      WORD.set(target, at, head);
      head = tail;
      i = 8;
    }
    for (; i < length; i++, head <<= 8) {
      target[at + i] = (byte) (head >>> 56);
    }
    return length;
  }

  /** The order of two users' ids as unsigned UTF-8 bytes. */
  public int compare(int a, int b) {
    if (a == b) {
      return 0;
    }
    long tailA = tail(a);
    long tailB = tail(b);
    long[][] all = pages;
    int heads = Long.compareUnsigned(all[a >>> PAGE_BITS][at(a)], all[b >>> PAGE_BITS][at(b)]);
    if (heads != 0) {
      return heads;
    }
    if (!isLong(tailA) && !isLong(tailB)) {
      return Long.compareUnsigned(tailA, tailB);
    }
    int end = Math.min(length(tailA), length(tailB));
    for (int i = 8; i < end; i++) {
      int difference = (byteAt(tailA, i) & 0xff) - (byteAt(tailB, i) & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return length(tailA) - length(tailB);
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
    byte[] utf8 = encode(id);
    if (utf8 == null || utf8.length > ARENA_PAGE) {
      throw new IllegalArgumentException(
          "id of user " + number + " (expected: at most " + ARENA_PAGE + " bytes of UTF-8)");
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
    long[] page = pageFor(number);
    page[at(number)] = head(utf8, 0, utf8.length);
    page[at(number) + 1] = utf8.length <= INLINE ? tail(utf8, 0, utf8.length) : store(utf8);
    publish(slots, number, hashOf(number));
    size = number;
  }

  /**
   * Gives a user another id. Whoever looks meanwhile finds the old one or the new one; the old
   * one's slot stays until the table grows, and leads to an id that is another.
   */
  public synchronized void rename(int number, String id) {
    byte[] utf8 = encode(id);
    if (utf8 == null || utf8.length > ARENA_PAGE) {
      throw new IllegalArgumentException("id of user " + number + " (expected: UTF-8)");
    }
    long[][] all = pages.clone();
    long[] page = page(number).clone();
    page[at(number)] = head(utf8, 0, utf8.length);
    page[at(number) + 1] = utf8.length <= INLINE ? tail(utf8, 0, utf8.length) : store(utf8);
    all[number >>> PAGE_BITS] = page;
    pages = all;
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

  /** The first page starts small and is copied as it grows: most tenants have few users. */
  private long[] pageFor(int number) {
    long[][] all = pages;
    int index = number >>> PAGE_BITS;
    if (index == 0) {
      if (at(number) == all[0].length) {
        pages = new long[][] {Arrays.copyOf(all[0], 2 * all[0].length)};
      }
    } else if ((number & (PAGE_USERS - 1)) == 0) {
      long[][] more = Arrays.copyOf(all, index + 1);
      more[index] = new long[2 * PAGE_USERS];
      pages = more;
    }
    return pages[index];
  }

  /** Puts a long id into the arena, inside one page, and returns its second long. */
  private long store(byte[] utf8) {
    byte[][] all = arena;
    long start = arenaEnd;
    if ((start & (ARENA_PAGE - 1)) + utf8.length > ARENA_PAGE
        || start >> ARENA_BITS == all.length) {
      all = Arrays.copyOf(all, all.length + 1);
      all[all.length - 1] = new byte[ARENA_PAGE];
      start = (long) (all.length - 1) << ARENA_BITS;
      arena = all;
    }
    System.arraycopy(
        utf8, 0, all[(int) (start >> ARENA_BITS)], (int) start & (ARENA_PAGE - 1), utf8.length);
    arenaEnd = start + utf8.length;
    return start << 24 | (long) utf8.length << 8 | LONG;
  }

  private static int at(int number) {
    return (number & (PAGE_USERS - 1)) << 1;
  }

  private long tail(int number) {
    return page(number)[at(number) + 1];
  }

  private long[] page(int number) {
    // The read of size is what makes the pages of a number from elsewhere visible.
    if (number < 1 || number > size) {
      throw new IllegalArgumentException("user: " + number + " (expected: 1.." + size + ")");
    }
    return pages[number >>> PAGE_BITS];
  }

  private static boolean isLong(long tail) {
    return (tail & 0xff) == LONG;
  }

  private static int length(long tail) {
    return isLong(tail) ? (int) (tail >>> 8) & 0xffff : (int) tail & 0xff;
  }

  private byte[] arenaPage(long tail) {
    return arena[(int) (tail >>> (24 + ARENA_BITS))];
  }

  private static int arenaAt(long tail) {
    return (int) (tail >>> 24) & (ARENA_PAGE - 1);
  }

  /** The byte at an index from 8 on. */
  private byte byteAt(long tail, int i) {
    return isLong(tail) ? arenaPage(tail)[arenaAt(tail) + i] : (byte) (tail >>> (120 - 8 * i));
  }

  private static long head(byte[] utf8, int from, int length) {
    if (length >= 8) {
      return (long) WORD.get(utf8, from);
    }
    long head = 0;
    for (int i = 0; i < length; i++) {
      head |= (utf8[from + i] & 0xffL) << (56 - 8 * i);
    }
    return head;
  }

  private static long tail(byte[] utf8, int from, int length) {
    if (length <= 8) {
      return length;
    }
    // The last eight bytes, without those that the head has.
    return (long) WORD.get(utf8, from + length - 8) << (8 * (16 - length)) | length;
  }

  private long hashOf(int number) {
    long[] page = pages[number >>> PAGE_BITS];
    long tail = page[at(number) + 1];
    return isLong(tail)
        ? IdHash.of(arenaPage(tail), arenaAt(tail), length(tail))
        : IdHash.of(page[at(number)], tail);
  }

  /** Null for a lone surrogate: UTF-8 has no form for it, and it would become a question mark. */
  private static byte @Nullable [] encode(String id) {
    // The JDK's own loops check and copy many characters at once; one of ours, character by
    // character, took longer than the cache miss that follows.
    byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
    return hasQuestionMark(utf8) && !new String(utf8, StandardCharsets.UTF_8).equals(id)
        ? null
        : utf8;
  }

  private static boolean hasQuestionMark(byte[] utf8) {
    int length = utf8.length;
    if (length < 8) {
      for (byte each : utf8) {
        if (each == '?') {
          return true;
        }
      }
      return false;
    }
    // A byte is zero where the sum borrows; a borrow that runs on finds too much, never too little.
    long any = 0;
    for (int i = 0; i < length; i += 8) {
      long word = (long) WORD.get(utf8, Math.min(i, length - 8)) ^ QUESTION_MARKS;
      any |= (word - ONES) & ~word;
    }
    return (any & HIGH_BITS) != 0;
  }
}
