package dev.laurel.core.rank;

/**
 * An inner node of the {@link RankTree}: up to 32 children, leaves ({@code long[]}, see {@link
 * Rows}) or inner nodes, with their first rows, their last keys and what stands before each.
 *
 * <p>A node that was published never changes; only the editor whose number it carries may write to
 * it.
 */
final class InnerNode {
  /*
   * A size is two numbers in one long: rows in the upper half, distinct keys in the lower. Sizes
   * add and subtract as plain longs, since neither half can overflow (users have int numbers).
   *
   * before[c] is the size of all children before c taken as one run, so a rank needs one read a
   * level, not a sum. A key that ends one child and begins the next is one key: c counts for its
   * own size less one then (see continues). Thus ownSize(c) = before[c + 1] - before[c] +
   * (continues(c) ? 1 : 0), always, and every change below keeps that true for the neighbours it
   * does not touch.
   *
   * 32 children, not 64: a batch of one copies every node on two paths, and half as wide is half
   * the copying, while a million rows are three inner levels either way.
   *
   * Splits and merges rebuild nodes child by child. That reads every child, but happens once in
   * about a thousand changes; being right by construction is worth more.
   */

  static final int MAX = 32;

  /** The first row of each child; its header is the node's. */
  final long[] first;

  private final long[] last;
  private final long[] before;
  private final Object[] children;

  InnerNode(long owner) {
    first = Rows.allocate(MAX, owner);
    last = new long[MAX];
    before = new long[MAX + 1];
    children = new Object[MAX];
  }

  private InnerNode(InnerNode other, long owner) {
    first = other.first.clone();
    last = other.last.clone();
    before = other.before.clone();
    children = other.children.clone();
    first[0] = (first[0] & 0xffff) | owner << 16;
  }

  /** What a node of the level may hold; leaves are level 0. */
  static int max(int level) {
    return level == 0 ? Rows.MAX : MAX;
  }

  /** Below this a node gets rows from a neighbour, or goes into it. */
  static int min(int level) {
    return max(level) * 3 / 8;
  }

  /** What a node is filled to in bulk, and the most that two may have to become one. */
  static int comfortable(int level) {
    return max(level) * 7 / 8;
  }

  /** This node if the owner may change it, or its copy. */
  InnerNode ownedBy(long owner) {
    return Rows.owner(first) == owner ? this : new InnerNode(this, owner);
  }

  int count() {
    return Rows.count(first);
  }

  Object child(int c) {
    return children[c];
  }

  /** Rows in the upper half, distinct keys in the lower. */
  long size() {
    return before[count()];
  }

  /** The size of what stands before the child; a key that continues in it is counted. */
  long before(int c) {
    return before[c];
  }

  long lastKey() {
    return last[count() - 1];
  }

  /** Whether the last key of the child before is this one's first key. */
  boolean continues(int c) {
    return c > 0 && last[c - 1] == Rows.key(first, c);
  }

  /** The child where this place is. */
  int childOf(long key, long reached, int user, UserDictionary ids) {
    return Math.max(0, Rows.upTo(first, key, reached, user, ids) - 1);
  }

  /** The last child that begins with a smaller key, or the first. */
  int childBelow(long key) {
    return Math.max(0, Rows.below(first, key) - 1);
  }

  /** The child that holds the row at this position. */
  int childAt(long position) {
    int low = 0;
    int high = count() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (before[middle] >>> 32 <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Puts a changed child in the place of what it was. */
  void replace(int c, Object child) {
    boolean follows = c + 1 < count();
    long next = follows ? ownSize(c + 1) : 0;
    long[] head = firstRows(child);
    children[c] = child;
    Rows.set(first, c, Rows.key(head, 0), Rows.reached(head, 0), Rows.user(head, 0));
    last[c] = lastKeyOf(child);
    before[c + 1] = before[c] + sizeOf(child) - (continues(c) ? 1 : 0);
    if (follows) {
      long change = before[c + 1] + next - (continues(c + 1) ? 1 : 0) - before[c + 2];
      for (int i = c + 2, end = count(); i <= end; i++) {
        before[i] += change;
      }
    }
  }

  private long ownSize(int c) {
    return before[c + 1] - before[c] + (continues(c) ? 1 : 0);
  }

  /** Adds a child after all others; the node is the caller's own and has room. */
  void append(Object child) {
    insert(count(), child);
  }

  /** Adds a child, never before the first; the node is the caller's own and has room. */
  void insert(int c, Object child) {
    int count = count();
    Rows.open(first, c);
    System.arraycopy(children, c, children, c + 1, count - c);
    System.arraycopy(last, c, last, c + 1, count - c);
    System.arraycopy(before, c, before, c + 1, count + 1 - c);
    if (c > 0) {
      // For a moment an empty child that leaves what follows as it was.
      last[c] = last[c - 1];
    }
    Rows.count(first, count + 1, 0);
    replace(c, child);
  }

  /** Takes out the child after {@code c}, whose rows are now in {@code merged} at c's place. */
  void merge(int c, Object merged) {
    int count = count();
    Rows.close(first, c + 1);
    System.arraycopy(children, c + 2, children, c + 1, count - c - 2);
    System.arraycopy(last, c + 1, last, c, count - c - 1);
    System.arraycopy(before, c + 2, before, c + 1, count - c - 1);
    children[count - 1] = Rows.EMPTY;
    Rows.count(first, count - 1, 0);
    replace(c, merged);
  }

  /** The children {@code from..to} of two neighbours taken as one run. */
  static InnerNode slice(InnerNode left, InnerNode right, int from, int to, long owner) {
    InnerNode slice = new InnerNode(owner);
    int middle = left.count();
    for (int c = from; c < to; c++) {
      slice.append(c < middle ? left.child(c) : right.child(c - middle));
    }
    return slice;
  }

  static long sizeOf(Object node) {
    return node instanceof long[] rows
        ? (long) Rows.count(rows) << 32 | Rows.distinct(rows)
        : ((InnerNode) node).size();
  }

  /** A leaf's rows, or the first rows of an inner node's children. */
  static long[] firstRows(Object node) {
    return node instanceof long[] rows ? rows : ((InnerNode) node).first;
  }

  static long lastKeyOf(Object node) {
    return node instanceof long[] rows ? Rows.lastKey(rows) : ((InnerNode) node).lastKey();
  }
}
