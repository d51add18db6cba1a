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
   * A node is two arrays, words and kids. This object only holds them together while somebody
   * works with the node, and at the root: a parent refers to the arrays themselves. So one who
   * comes from the parent can wait for both at the same time, and not first for an object that
   * says where they are. With ten million users these nodes are in no cache.
   *
   * The words are Rows, the first row of each child, then before, then last. The kids are the
   * children's words (a leaf is nothing else), and above the lowest level, from MAX on, their kids.
   *
   * A size is two numbers in one long: rows in the upper half, distinct keys in the lower. Sizes
   * add and subtract as plain longs, since neither half can overflow (users have int numbers).
   *
   * before(c) is the size of all children before c taken as one run, so a rank needs one read a
   * level, not a sum. A key that ends one child and begins the next is one key: c counts for its
   * own size less one then (see continues). Thus ownSize(c) = before(c + 1) - before(c) +
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

  /** Where the words of {@link #before} begin: one a child, and the size of all. */
  private static final int BEFORE = Rows.end(MAX);

  /** Where the last keys of the children begin. */
  private static final int LAST = BEFORE + MAX + 1;

  final long[] words;
  final Object[] kids;

  InnerNode(long[] words, Object[] kids) {
    this.words = words;
    this.kids = kids;
  }

  /** Without children; its children will be leaves, or inner nodes. */
  static InnerNode empty(boolean ofLeaves, long owner) {
    long[] words = Rows.allocate(MAX, MAX + 1 + MAX, owner);
    return new InnerNode(words, new Object[ofLeaves ? MAX : 2 * MAX]);
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

  /** The child where this place is. */
  static int childOf(long[] words, long key, long reached, int user, IdOrder ids) {
    return Math.max(0, Rows.upTo(words, key, reached, user, ids) - 1);
  }

  /** The last child that begins with a smaller key, or the first. */
  static int childBelow(long[] words, long key) {
    return Math.max(0, Rows.below(words, key) - 1);
  }

  /** The child that holds the row at this position. */
  static int childAt(long[] words, long position) {
    int low = 0;
    // The first page is what most ask for.
    int high = words[BEFORE + 1] >>> 32 > position ? 0 : Rows.count(words) - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (words[BEFORE + middle] >>> 32 <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The size of what stands before the child; a key that continues in it is counted. */
  static long before(long[] words, int c) {
    return words[BEFORE + c];
  }

  /** Whether the last key of the child before is this one's first key. */
  static boolean continues(long[] words, int c) {
    return c > 0 && words[LAST + c - 1] == Rows.key(words, c);
  }

  /** This node if the owner may change it, or its copy. */
  InnerNode ownedBy(long owner) {
    if (Rows.owner(words) == owner) {
      return this;
    }
    InnerNode copy = new InnerNode(words.clone(), kids.clone());
    Rows.owner(copy.words, owner);
    return copy;
  }

  int count() {
    return Rows.count(words);
  }

  Object child(int c) {
    return isAboveLeaves() ? kids[c] : new InnerNode((long[]) kids[c], (Object[]) kids[MAX + c]);
  }

  private boolean isAboveLeaves() {
    return kids.length == MAX;
  }

  /** Rows in the upper half, distinct keys in the lower. */
  long size() {
    return words[BEFORE + count()];
  }

  long lastKey() {
    return words[LAST + count() - 1];
  }

  /** Puts a changed child in the place of what it was. */
  void replace(int c, Object child) {
    boolean follows = c + 1 < count();
    long next = follows ? ownSize(c + 1) : 0;
    long[] head = wordsOf(child);
    kids[c] = head;
    if (child instanceof InnerNode inner) {
      kids[MAX + c] = inner.kids;
    }
    Rows.set(words, c, Rows.key(head, 0), Rows.reached(head, 0), Rows.user(head, 0));
    words[LAST + c] = lastKeyOf(child);
    int at = BEFORE + c;
    words[at + 1] = words[at] + sizeOf(child) - (continues(words, c) ? 1 : 0);
    if (follows) {
      long change = words[at + 1] + next - (continues(words, c + 1) ? 1 : 0) - words[at + 2];
      for (int i = at + 2, end = BEFORE + count(); i <= end; i++) {
        words[i] += change;
      }
    }
  }

  private long ownSize(int c) {
    return before(words, c + 1) - before(words, c) + (continues(words, c) ? 1 : 0);
  }

  /** Adds a child after all others; the node is the caller's own and has room. */
  void append(Object child) {
    insert(count(), child);
  }

  /** Adds a child, never before the first; the node is the caller's own and has room. */
  void insert(int c, Object child) {
    int count = count();
    Rows.open(words, c);
    move(kids, c, c + 1, count - c);
    if (!isAboveLeaves()) {
      move(kids, MAX + c, MAX + c + 1, count - c);
    }
    move(words, LAST + c, LAST + c + 1, count - c);
    move(words, BEFORE + c, BEFORE + c + 1, count + 1 - c);
    if (c > 0) {
      // For a moment an empty child that leaves what follows as it was.
      words[LAST + c] = words[LAST + c - 1];
    }
    Rows.count(words, count + 1, 0);
    replace(c, child);
  }

  /** Takes out the child after {@code c}, whose rows are now in {@code merged} at c's place. */
  void merge(int c, Object merged) {
    int count = count();
    Rows.close(words, c + 1);
    move(kids, c + 2, c + 1, count - c - 2);
    kids[count - 1] = Rows.EMPTY;
    if (!isAboveLeaves()) {
      move(kids, MAX + c + 2, MAX + c + 1, count - c - 2);
      kids[MAX + count - 1] = Rows.EMPTY;
    }
    move(words, LAST + c + 1, LAST + c, count - c - 1);
    move(words, BEFORE + c + 2, BEFORE + c + 1, count - c - 1);
    Rows.count(words, count - 1, 0);
    replace(c, merged);
  }

  private static void move(Object array, int from, int to, int length) {
    System.arraycopy(array, from, array, to, length);
  }

  /** The children {@code from..to} of two neighbours taken as one run. */
  static InnerNode slice(InnerNode left, InnerNode right, int from, int to, long owner) {
    InnerNode slice = empty(left.isAboveLeaves(), owner);
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

  /** A leaf's rows, or an inner node's words, which begin with the first rows of its children. */
  static long[] wordsOf(Object node) {
    return node instanceof long[] rows ? rows : ((InnerNode) node).words;
  }

  static long lastKeyOf(Object node) {
    return node instanceof long[] rows ? Rows.lastKey(rows) : ((InnerNode) node).lastKey();
  }
}
