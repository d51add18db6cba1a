package dev.laurel.core.rank;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The half of a {@link UserDictionary} that leads from a number to an id: where ids are kept. It is
 * its superclass and not a part of it, so that a look-up has no pointer more to follow.
 *
 * <p>Reading is wait-free. What writes is called under the dictionary's lock.
 */
abstract sealed class NumberedIds permits UserDictionary {
  /*
   * A user has two longs, those of IdBytes if the id fits. Inline ids save a cache miss a look-up
   * (66 against 159 ns) and are most ids. A longer id keeps its first 8 bytes in the first long,
   * LONG in the last byte, and between them where it is in the arena and how long it is.
   *
   * Page directories are replaced, never changed, so that readers need no lock; and so is a page in
   * which an id becomes another.
   */
  private static final int LONG = 0xff;
  private static final int PAGE_BITS = 10;
  private static final int PAGE_USERS = 1 << PAGE_BITS;
  private static final int FIRST_PAGE_USERS = 32;
  private static final int ARENA_BITS = 14;
  private static final int ARENA_PAGE = 1 << ARENA_BITS;

  /** An id is inside one page of the arena. */
  static final int MAX_BYTES = ARENA_PAGE;

  /** Two longs. */
  static final int BYTES_PER_USER = 16;

  /** Of a page beside what is in it: its header and the reference to it. */
  private static final int PAGE_OVERHEAD = 24;

  /** What an archive's row is about whose user was erased. */
  private static final String NOBODY = "erased";

  /** Two longs a user; the user's number is the index, so the first pair of the first is unused. */
  volatile long[][] pages = {new long[2 * FIRST_PAGE_USERS]};

  private volatile byte[][] arena = {};

  /** The last number. Written after its id: whoever reads it first sees the id. */
  volatile int size;

  /** Guarded by this. */
  private long arenaEnd;

  /** How many users there are, which is also the last number. */
  public final int size() {
    return size;
  }

  /** What the ids take in memory. Never blocks. */
  long bytes() {
    long[][] all = pages;
    return 8L * all[0].length
        + (all.length - 1L) * (BYTES_PER_USER * PAGE_USERS + PAGE_OVERHEAD)
        + (long) arena.length * (ARENA_PAGE + PAGE_OVERHEAD);
  }

  /** 0 is somebody who was erased, and was known by the id only. */
  public final String id(int number) {
    if (number == 0) {
      return NOBODY;
    }
    return new String(bytes(number), StandardCharsets.UTF_8);
  }

  /** The id in UTF-8. */
  final byte[] bytes(int number) {
    long[] page = page(number);
    byte[] utf8 = new byte[length(page[at(number) + 1])];
    copyId(page, number, utf8, 0);
    return utf8;
  }

  /** How many bytes the id has in UTF-8. */
  public final int length(int number) {
    return length(tail(number));
  }

  /** Writes the id in UTF-8 to the target, and says how many bytes that were. */
  public final int copyId(int number, byte[] target, int at) {
    return copyId(page(number), number, target, at);
  }

  /** From one page: beside it the id may change, in a copy. */
  private int copyId(long[] page, int number, byte[] target, int at) {
    long tail = page[at(number) + 1];
    int length = length(tail);
    if (isLong(tail)) {
      System.arraycopy(arenaPage(tail), arenaAt(tail), target, at, length);
    } else {
      IdBytes.copy(page[at(number)], tail, length, target, at);
    }
    return length;
  }

  /** The order of two users' ids as unsigned UTF-8 bytes. */
  public final int compare(int a, int b) {
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

  /** Whether the user has this id, which is in two longs; of 0 it says nothing. */
  static boolean equalsInline(long[][] pages, int number, long head, long tail) {
    long[] page = pages[number >>> PAGE_BITS];
    int at = at(number);
    return page[at] == head && page[at + 1] == tail;
  }

  /** Whether the user has this id, which is too long for two longs. */
  final boolean equalsLong(int number, long head, byte[] utf8, int from, int length) {
    long[] page = pages[number >>> PAGE_BITS];
    long tail = page[at(number) + 1];
    if (page[at(number)] != head || !isLong(tail) || length(tail) != length) {
      return false;
    }
    int start = arenaAt(tail);
    return Arrays.equals(arenaPage(tail), start, start + length, utf8, from, from + length);
  }

  final long hashOf(int number) {
    long[] page = pages[number >>> PAGE_BITS];
    long tail = page[at(number) + 1];
    return isLong(tail)
        ? IdHash.of(arenaPage(tail), arenaAt(tail), length(tail))
        : IdHash.of(page[at(number)], tail);
  }

  /** Writes the id of the next number. */
  final void add(int number, byte[] utf8) {
    write(pageFor(number), number, utf8);
  }

  /** Writes another id for a number, in a copy of its page. */
  final void replace(int number, byte[] utf8) {
    long[][] all = pages.clone();
    long[] page = page(number).clone();
    write(page, number, utf8);
    all[number >>> PAGE_BITS] = page;
    pages = all;
  }

  private void write(long[] page, int number, byte[] utf8) {
    page[at(number)] = IdBytes.head(utf8, 0, utf8.length);
    page[at(number) + 1] =
        utf8.length <= IdBytes.INLINE ? IdBytes.tail(utf8, 0, utf8.length) : store(utf8);
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
}
