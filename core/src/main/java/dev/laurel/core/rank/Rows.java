package dev.laurel.core.rank;

import java.util.Arrays;

/**
 * Up to 64 rows in the one order, in one {@code long[]}: a leaf of the {@link RankTree}, and the
 * first rows of the children of an inner node.
 *
 * <p>A run that was published never changes; only the editor whose number it carries may write to
 * it.
 */
final class Rows {
  /*
   * The words: a header, then the users, two a word, then the keys, then the times. One array and
   * not an object with three: a leaf is one cache miss away, not three, and 20 bytes a row are all
   * there is besides 24 bytes a leaf. The users come first: where a known user's row is in its leaf
   * they alone say, in four or five cache lines that are fetched side by side. (Keys would be
   * twice as many, and among equal ones the user would still have to be looked for.)
   *
   * The header is the editor's number (44 bits: at twenty thousand edits a second they last 27
   * years), the capacity in steps, the number of distinct keys, and the number of rows. The
   * capacity goes in steps, so that a half-full leaf is not half empty; after it an inner node has
   * words of its own.
   *
   * Places that are free have the greatest key and user 0, so that a search needs no count and no
   * branch that depends on what it reads: one that is guessed wrong after a cache miss throws away
   * what the processor had begun of the next steps.
   */
  static final int MAX = 64;

  private static final int STEP = 8;
  private static final int STEP_WORDS = 2 * STEP + STEP / 2;
  private static final int HEADER = 1;
  private static final int OWNER_SHIFT = 20;
  private static final long EACH_HALF = 0x0000000100000001L;

  /** Of no editor, so nobody writes to it. */
  static final long[] EMPTY = allocate(1, 0);

  private Rows() {}

  static long[] allocate(int capacity, long owner) {
    return allocate(capacity, 0, owner);
  }

  /** With words for the caller's own use after the rows, from {@link #end} on. */
  static long[] allocate(int capacity, int more, long owner) {
    int steps = (capacity + STEP - 1) / STEP;
    long[] rows = new long[end(steps * STEP) + more];
    rows[0] = owner << OWNER_SHIFT | (long) steps << 16;
    Arrays.fill(rows, keys(rows), times(rows), Long.MAX_VALUE);
    return rows;
  }

  /** The first word after so many rows, a multiple of 8. */
  static int end(int capacity) {
    return HEADER + capacity / STEP * STEP_WORDS;
  }

  static int count(long[] rows) {
    return (int) rows[0] & 0xff;
  }

  static int distinct(long[] rows) {
    return (int) rows[0] >>> 8 & 0xff;
  }

  static long owner(long[] rows) {
    return rows[0] >>> OWNER_SHIFT;
  }

  static long key(long[] rows, int i) {
    return rows[keys(rows) + i];
  }

  static long reached(long[] rows, int i) {
    return rows[times(rows) + i];
  }

  static int user(long[] rows, int i) {
    return (int) (rows[HEADER + (i >> 1)] >>> (i << 5));
  }

  static long lastKey(long[] rows) {
    return key(rows, count(rows) - 1);
  }

  private static int capacity(long[] rows) {
    return ((int) rows[0] >>> 16 & 0xf) * STEP;
  }

  /** Where the keys begin. */
  static int keys(long[] rows) {
    return HEADER + capacity(rows) / 2;
  }

  /** Where the times begin. */
  static int times(long[] rows) {
    return HEADER + capacity(rows) / 2 + capacity(rows);
  }

  /** How many rows have a smaller key. */
  static int below(long[] rows, long key) {
    // The last key of every eight first, all of them: the processor fetches their cache lines side
    // by side, and then needs one line more at most. A binary search would wait for each line
    // before it knew the next.
    int keys = keys(rows);
    int end = times(rows);
    int below = 0;
    for (int i = keys + STEP - 1; i < end - STEP; i += STEP) {
      below += rows[i] < key ? STEP : 0;
    }
    return belowFrom(rows, below, key);
  }

  /** The same, if it is known that {@code low} rows have a smaller key, and at most 8 more do. */
  static int belowFrom(long[] rows, int low, long key) {
    int below = low;
    int from = keys(rows) + low;
    for (int i = from; i < from + STEP; i++) {
      below += rows[i] < key ? 1 : 0;
    }
    return below;
  }

  /** One step of a binary search: {@code width} further if all rows up to there are smaller. */
  static int skip(long[] rows, int low, int width, long key) {
    return low + width < capacity(rows) && key(rows, low + width - 1) < key ? low + width : low;
  }

  /** How many distinct keys the first {@code end} rows have. */
  static int distinct(long[] rows, int end) {
    int distinct = end == 0 ? 0 : 1;
    int keys = keys(rows);
    for (int i = keys + 1; i < keys + end; i++) {
      if (rows[i] != rows[i - 1]) {
        distinct++;
      }
    }
    return distinct;
  }

  /** How many rows stand before this place. */
  static int before(long[] rows, long key, long reached, int user, IdOrder ids) {
    return before(rows, below(rows, key), key, reached, user, ids);
  }

  /** The same, if it is known how many rows have a smaller key. */
  private static int before(long[] rows, int below, long key, long reached, int user, IdOrder ids) {
    int low = below;
    int high = count(rows);
    if (low == high || !isBefore(rows, low, key, reached, user, ids)) {
      return low;
    }
    low++;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(rows, middle, key, reached, user, ids)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Where the user's row is; the count if nowhere. */
  static int indexOf(long[] rows, int user) {
    long both = (long) user << 32 | user;
    for (int i = HEADER, end = keys(rows); i < end; i++) {
      // Two at once: a half that is zero borrows, and keeps its highest bit.
      long word = rows[i] ^ both;
      if ((word - EACH_HALF & ~word & EACH_HALF << 31) != 0) {
        return 2 * (i - HEADER) + ((int) word == 0 ? 0 : 1);
      }
    }
    return count(rows);
  }

  /** The same, if it is known how many rows have a smaller key than the user's. */
  static int indexFrom(long[] rows, int below, int user) {
    int count = count(rows);
    int i = below;
    while (i < count && user(rows, i) != user) {
      i++;
    }
    return i;
  }

  /** How many rows stand before this place or on it. */
  static int upTo(long[] rows, long key, long reached, int user, IdOrder ids) {
    int below = below(rows, key);
    if (key(rows, below) != key) {
      // The rule. (Without a free place the word read here may be no key; if it is equal, go on.)
      return below;
    }
    int before = before(rows, below, key, reached, user, ids);
    return holds(rows, before, key, reached, user) ? before + 1 : before;
  }

  static boolean holds(long[] rows, int i, long key, long reached, int user) {
    return i < count(rows)
        && key(rows, i) == key
        && reached(rows, i) == reached
        && user(rows, i) == user;
  }

  /** Whether the row at {@code i} stands before this place. */
  static boolean isBefore(long[] rows, int i, long key, long reached, int user, IdOrder ids) {
    if (key(rows, i) != key) {
      return key(rows, i) < key;
    }
    if (reached(rows, i) != reached) {
      return reached(rows, i) < reached;
    }
    return ids.compare(user(rows, i), user) < 0;
  }

  /** Whether the free places have the greatest key and no user. For tests. */
  static boolean isPadded(long[] rows) {
    for (int i = count(rows); i < capacity(rows); i++) {
      if (key(rows, i) != Long.MAX_VALUE || user(rows, i) != 0) {
        return false;
      }
    }
    return true;
  }

  static void set(long[] rows, int i, long key, long reached, int user) {
    rows[keys(rows) + i] = key;
    rows[times(rows) + i] = reached;
    setUser(rows, i, user);
  }

  static void count(long[] rows, int count, int distinct) {
    rows[0] = (rows[0] & ~0xffffL) | distinct << 8 | count;
  }

  static void owner(long[] rows, long owner) {
    rows[0] = owner << OWNER_SHIFT | (rows[0] & ((1L << OWNER_SHIFT) - 1));
  }

  /** With a row more at {@code at}: the same array if the owner may and it has room. */
  static long[] insert(long[] rows, int at, long key, long reached, int user, long owner) {
    int count = count(rows);
    long[] to = owned(rows, count + 1, owner);
    open(to, at);
    boolean known = (at > 0 && key(to, at - 1) == key) || (at < count && key(to, at + 1) == key);
    set(to, at, key, reached, user);
    count(to, count + 1, distinct(rows) + (known ? 0 : 1));
    return to;
  }

  /** Without the row at {@code at}: the same array if the owner may. */
  static long[] remove(long[] rows, int at, long owner) {
    int count = count(rows);
    long key = key(rows, at);
    boolean kept =
        (at > 0 && key(rows, at - 1) == key) || (at + 1 < count && key(rows, at + 1) == key);
    int distinct = distinct(rows) - (kept ? 0 : 1);
    long[] to = owned(rows, count, owner);
    close(to, at);
    count(to, count - 1, distinct);
    return to;
  }

  /** The run itself if the owner may change it and it has room, or its copy. */
  private static long[] owned(long[] rows, int room, long owner) {
    int capacity = capacity(rows);
    boolean fits = room <= capacity && room > capacity - 2 * STEP;
    if (!fits) {
      long[] copy = allocate(room, owner);
      copy(rows, 0, count(rows), copy, 0);
      count(copy, count(rows), distinct(rows));
      return copy;
    }
    if (owner(rows) == owner) {
      return rows;
    }
    // A clone is not zeroed first, as a new array is.
    long[] copy = rows.clone();
    owner(copy, owner);
    return copy;
  }

  /** The rows {@code from..to} of two neighbours taken as one run. */
  static long[] slice(long[] left, long[] right, int from, int to, long owner) {
    long[] slice = allocate(to - from, owner);
    int middle = count(left);
    int fromLeft = Math.max(0, Math.min(to, middle) - from);
    copy(left, from, from + fromLeft, slice, 0);
    copy(right, Math.max(from - middle, 0), Math.max(to - middle, 0), slice, fromLeft);
    count(slice, to - from, distinct(slice, to - from));
    return slice;
  }

  static void copy(long[] rows, int from, int end, long[] to, int at) {
    if (from >= end) {
      return;
    }
    System.arraycopy(rows, keys(rows) + from, to, keys(to) + at, end - from);
    System.arraycopy(rows, times(rows) + from, to, times(to) + at, end - from);
    if (((from | at) & 1) == 0) {
      System.arraycopy(rows, HEADER + (from >> 1), to, HEADER + (at >> 1), (end - from + 1) >> 1);
      if (((end - from) & 1) == 1) {
        // Half a word too much.
        to[HEADER + ((at + end - from) >> 1)] &= 0xffffffffL;
      }
      return;
    }
    for (int i = from; i < end; i++) {
      setUser(to, at + i - from, user(rows, i));
    }
  }

  private static void setUser(long[] rows, int i, int user) {
    int word = HEADER + (i >> 1);
    int shift = (i & 1) << 5;
    rows[word] = (rows[word] & ~(0xffffffffL << shift)) | (user & 0xffffffffL) << shift;
  }

  /** Moves the rows from {@code at} on up by one. */
  static void open(long[] rows, int at) {
    int keys = keys(rows);
    int times = times(rows);
    int count = count(rows);
    System.arraycopy(rows, keys + at, rows, keys + at + 1, count - at);
    System.arraycopy(rows, times + at, rows, times + at + 1, count - at);
    int first = HEADER + (at >> 1);
    for (int word = HEADER + (count >> 1); word > first; word--) {
      rows[word] = rows[word] << 32 | rows[word - 1] >>> 32;
    }
    // At an even place both halves move, and the lower one is about to be set; at an odd one the
    // upper half has moved and the lower one stays.
    if ((at & 1) == 0) {
      rows[first] <<= 32;
    }
  }

  /** Moves the rows after {@code at} down by one. */
  static void close(long[] rows, int at) {
    int keys = keys(rows);
    int times = times(rows);
    int count = count(rows);
    System.arraycopy(rows, keys + at + 1, rows, keys + at, count - at - 1);
    rows[keys + count - 1] = Long.MAX_VALUE;
    System.arraycopy(rows, times + at + 1, rows, times + at, count - at - 1);
    int first = HEADER + (at >> 1);
    int last = HEADER + ((count - 1) >> 1);
    for (int word = first; word <= last; word++) {
      long next = word < last ? rows[word + 1] << 32 : 0;
      long own = word == first && (at & 1) == 1 ? rows[word] & 0xffffffffL : rows[word] >>> 32;
      rows[word] = own | next;
    }
  }
}
