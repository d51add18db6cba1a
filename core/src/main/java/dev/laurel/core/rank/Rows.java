package dev.laurel.core.rank;

/**
 * Up to 64 rows in the one order, in one {@code long[]}: a leaf of the {@link RankTree}, and the
 * first rows of the children of an inner node.
 *
 * <p>A run that was published never changes; only the editor whose number it carries may write to
 * it.
 */
final class Rows {
  /*
   * The words: a header, then the keys, then the times, then the users, two a word. One array and
   * not an object with three: a leaf is one cache miss away, not three, and 20 bytes a row are all
   * there is besides 24 bytes a leaf. The keys come first because they alone decide most searches.
   *
   * The header is the editor's number (48 bits: at a million edits a second they last nine years),
   * the number of distinct keys, and the number of rows. The capacity follows from the length; it
   * goes in steps, so that a half-full leaf is not half empty.
   */
  static final int MAX = 64;

  private static final int STEP = 8;
  private static final int STEP_WORDS = 2 * STEP + STEP / 2;
  private static final int HEADER = 1;

  /** Of no editor, so nobody writes to it. */
  static final long[] EMPTY = allocate(1, 0);

  private Rows() {}

  static long[] allocate(int capacity, long owner) {
    long[] rows = new long[HEADER + (capacity + STEP - 1) / STEP * STEP_WORDS];
    rows[0] = owner << 16;
    return rows;
  }

  static int count(long[] rows) {
    return (int) rows[0] & 0xff;
  }

  static int distinct(long[] rows) {
    return (int) (rows[0] >>> 8) & 0xff;
  }

  static long owner(long[] rows) {
    return rows[0] >>> 16;
  }

  static long key(long[] rows, int i) {
    return rows[HEADER + i];
  }

  static long reached(long[] rows, int i) {
    return rows[HEADER + capacity(rows) + i];
  }

  static int user(long[] rows, int i) {
    return (int) (rows[HEADER + 2 * capacity(rows) + (i >> 1)] >>> (i << 5));
  }

  static long lastKey(long[] rows) {
    return rows[count(rows)];
  }

  private static int capacity(long[] rows) {
    return rows.length / STEP_WORDS * STEP;
  }

  /** How many rows have a smaller key. */
  static int below(long[] rows, long key) {
    // The last key of every eight first, all of them: the processor fetches their cache lines side
    // by side, guesses no branch wrong, and then needs one line more at most. A binary search
    // would wait for each line before it knew the next.
    int count = count(rows);
    int below = 0;
    for (int i = HEADER + STEP - 1; i <= count; i += STEP) {
      below += rows[i] < key ? STEP : 0;
    }
    return belowFrom(rows, below, key);
  }

  /** The same, if it is known that {@code low} rows have a smaller key, and less than 8 more do. */
  static int belowFrom(long[] rows, int low, long key) {
    int below = low;
    int end = Math.min(low + STEP, count(rows));
    for (int i = low; i < end; i++) {
      below += rows[HEADER + i] < key ? 1 : 0;
    }
    return below;
  }

  /** One step of a binary search: {@code width} further if all rows up to there are smaller. */
  static int skip(long[] rows, int low, int width, long key) {
    return low + width <= count(rows) && rows[HEADER + low + width - 1] < key ? low + width : low;
  }

  /** How many distinct keys the first {@code end} rows have. */
  static int distinct(long[] rows, int end) {
    int distinct = end == 0 ? 0 : 1;
    for (int i = 1; i < end; i++) {
      if (rows[HEADER + i] != rows[HEADER + i - 1]) {
        distinct++;
      }
    }
    return distinct;
  }

  /** How many rows stand before this place. */
  static int before(long[] rows, long key, long reached, int user, UserDictionary ids) {
    int low = below(rows, key);
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

  /** Where the user's row is, which has this key, if so many rows have a smaller one. */
  static int indexOf(long[] rows, int below, long key, int user) {
    // A key nobody shares says all; among equal keys the user's number does. The times are on
    // other cache lines, and the ids of the others on others again: not touched.
    int count = count(rows);
    int i = below;
    if (i + 1 < count && key(rows, i + 1) == key) {
      while (i < count && user(rows, i) != user) {
        i++;
      }
    }
    return i;
  }

  /** How many rows stand before this place or on it. */
  static int upTo(long[] rows, long key, long reached, int user, UserDictionary ids) {
    int before = before(rows, key, reached, user, ids);
    return holds(rows, before, key, reached, user) ? before + 1 : before;
  }

  static boolean holds(long[] rows, int i, long key, long reached, int user) {
    return i < count(rows)
        && key(rows, i) == key
        && reached(rows, i) == reached
        && user(rows, i) == user;
  }

  /** Whether the row at {@code i} stands before this place. */
  static boolean isBefore(
      long[] rows, int i, long key, long reached, int user, UserDictionary ids) {
    if (key(rows, i) != key) {
      return key(rows, i) < key;
    }
    if (reached(rows, i) != reached) {
      return reached(rows, i) < reached;
    }
    return ids.compare(user(rows, i), user) < 0;
  }

  static void set(long[] rows, int i, long key, long reached, int user) {
    int capacity = capacity(rows);
    rows[HEADER + i] = key;
    rows[HEADER + capacity + i] = reached;
    setUser(rows, capacity, i, user);
  }

  static void count(long[] rows, int count, int distinct) {
    rows[0] = owner(rows) << 16 | (long) distinct << 8 | count;
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
    copy[0] = owner << 16 | (rows[0] & 0xffff);
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
    int capacity = capacity(rows);
    int target = capacity(to);
    System.arraycopy(rows, HEADER + from, to, HEADER + at, end - from);
    System.arraycopy(rows, HEADER + capacity + from, to, HEADER + target + at, end - from);
    if (((from | at) & 1) == 0) {
      // An odd end copies half a word too much: what comes after the last row is nobody's.
      System.arraycopy(
          rows,
          HEADER + 2 * capacity + (from >> 1),
          to,
          HEADER + 2 * target + (at >> 1),
          (end - from + 1) >> 1);
      return;
    }
    for (int i = from; i < end; i++) {
      setUser(to, target, at + i - from, user(rows, i));
    }
  }

  private static void setUser(long[] rows, int capacity, int i, int user) {
    int word = HEADER + 2 * capacity + (i >> 1);
    int shift = (i & 1) << 5;
    rows[word] = (rows[word] & ~(0xffffffffL << shift)) | (user & 0xffffffffL) << shift;
  }

  /** Moves the rows from {@code at} on up by one. */
  static void open(long[] rows, int at) {
    int capacity = capacity(rows);
    int count = count(rows);
    System.arraycopy(rows, HEADER + at, rows, HEADER + at + 1, count - at);
    System.arraycopy(rows, HEADER + capacity + at, rows, HEADER + capacity + at + 1, count - at);
    int first = HEADER + 2 * capacity + (at >> 1);
    for (int word = HEADER + 2 * capacity + (count >> 1); word > first; word--) {
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
    int capacity = capacity(rows);
    int count = count(rows);
    System.arraycopy(rows, HEADER + at + 1, rows, HEADER + at, count - at - 1);
    System.arraycopy(
        rows, HEADER + capacity + at + 1, rows, HEADER + capacity + at, count - at - 1);
    int first = HEADER + 2 * capacity + (at >> 1);
    int last = HEADER + 2 * capacity + ((count - 1) >> 1);
    for (int word = first; word <= last; word++) {
      long next = word < last ? rows[word + 1] << 32 : 0;
      long own = word == first && (at & 1) == 1 ? rows[word] & 0xffffffffL : rows[word] >>> 32;
      rows[word] = own | next;
    }
  }
}
