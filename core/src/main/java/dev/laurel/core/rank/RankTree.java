package dev.laurel.core.rank;

import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;

/**
 * All rows of a season in the one order: an immutable counted B+ tree, ascending by (key, reached,
 * user id), where the key is {@link Order#key}. {@link TreeEditor} makes the next one, {@link
 * TreeBuilder} the first.
 *
 * <p>Immutable, so safe for any number of threads.
 */
final class RankTree {
  /*
   * What is slow here is memory: 100 to 170 ns a miss that the next step depends on. So nodes are
   * wide, leaves are one array each, and a million rows are three inner levels, of which the upper
   * two stay in the cache. A prototype with a skiplist needed 2.2 µs a rank.
   *
   * No operation allocates. Paging goes down from the root once a leaf instead of keeping a stack:
   * some 30 ns for up to 64 rows.
   */
  private static final Object[] NO_KIDS = {};

  static final RankTree EMPTY = new RankTree(Rows.EMPTY, 0);

  /** The root's words: a leaf's if the height is 0, otherwise an inner node's. */
  final long[] words;

  /** The root's kids; none if the height is 0. */
  final Object[] kids;

  final int height;

  RankTree(Object root, int height) {
    this.words = InnerNode.wordsOf(root);
    this.kids = root instanceof InnerNode inner ? inner.kids : NO_KIDS;
    this.height = height;
  }

  /** A leaf if the height is 0, otherwise an inner node. */
  Object root() {
    return height == 0 ? words : new InnerNode(words, kids);
  }

  /** The kids of the child, whose parent at this level has these. */
  static Object[] kidsOf(Object[] kids, int c, int level) {
    return level == 1 ? NO_KIDS : (Object[]) kids[InnerNode.MAX + c];
  }

  long size() {
    return InnerNode.sizeOf(root()) >>> 32;
  }

  /** How many rows stand before a row that is in the tree. */
  long before(long key, long reached, int user, IdOrder ids) {
    long[] node = words;
    Object[] below = kids;
    long before = 0;
    for (int level = height; level > 0; level--) {
      int c = InnerNode.childOf(node, key, reached, user, ids);
      before += InnerNode.before(node, c) >>> 32;
      node = (long[]) below[c];
      below = kidsOf(below, c, level);
    }
    return before + Rows.indexOf(node, user);
  }

  /** How many rows stand before this place or on it. */
  long upTo(long key, long reached, int user, IdOrder ids) {
    long[] node = words;
    Object[] below = kids;
    long before = 0;
    for (int level = height; level > 0; level--) {
      int c = InnerNode.childOf(node, key, reached, user, ids);
      before += InnerNode.before(node, c) >>> 32;
      node = (long[]) below[c];
      below = kidsOf(below, c, level);
    }
    return before + Rows.upTo(node, key, reached, user, ids);
  }

  /** How many rows have a smaller key. */
  long below(long key) {
    long[] node = words;
    Object[] below = kids;
    long rows = 0;
    for (int level = height; level > 0; level--) {
      int c = InnerNode.childBelow(node, key);
      rows += InnerNode.before(node, c) >>> 32;
      node = (long[]) below[c];
      below = kidsOf(below, c, level);
    }
    return rows + Rows.below(node, key);
  }

  /** How many distinct keys are smaller. */
  long distinctBelow(long key) {
    long[] node = words;
    Object[] below = kids;
    long distinct = 0;
    for (int level = height; level > 0; level--) {
      int c = InnerNode.childBelow(node, key);
      // The child counts a key that began before it once more.
      distinct += (int) InnerNode.before(node, c) - (InnerNode.continues(node, c) ? 1 : 0);
      node = (long[]) below[c];
      below = kidsOf(below, c, level);
    }
    return distinct + Rows.distinct(node, Rows.below(node, key));
  }

  /** The rank, under these ties, of a row that is in the tree. */
  long rank(Ties ties, long key, long reached, int user, IdOrder ids) {
    return 1
        + switch (ties) {
          case EARLIEST_FIRST -> before(key, reached, user, ids);
          case SHARED -> below(key);
          case DENSE -> distinctBelow(key);
        };
  }

  /** The rows from a position on, with their ranks. */
  void page(long offset, int limit, Order order, Ties ties, Ranking.RowSink sink) {
    long position = offset;
    long end = offset + Math.min(limit, size() - offset);
    long rank = 0;
    long lastKey = 0;
    while (position < end) {
      long[] leaf = words;
      Object[] below = kids;
      long at = position;
      for (int level = height; level > 0; level--) {
        int c = InnerNode.childAt(leaf, at);
        at -= InnerNode.before(leaf, c) >>> 32;
        leaf = (long[]) below[c];
        below = kidsOf(below, c, level);
      }
      int stop = (int) Math.min(Rows.count(leaf), at + end - position);
      int keys = Rows.keys(leaf);
      int times = Rows.times(leaf);
      for (int i = (int) at; i < stop; i++, position++) {
        long key = leaf[keys + i];
        if (rank == 0) {
          // The page may begin in the middle of a tie.
          rank =
              switch (ties) {
                case EARLIEST_FIRST -> position + 1;
                case SHARED -> below(key) + 1;
                case DENSE -> distinctBelow(key) + 1;
              };
        } else if (ties == Ties.EARLIEST_FIRST) {
          rank++;
        } else if (key != lastKey) {
          rank = ties == Ties.SHARED ? position + 1 : rank + 1;
        }
        lastKey = key;
        sink.accept(rank, Rows.user(leaf, i), order.score(key), leaf[times + i]);
      }
    }
  }

  /** Throws if anything in the tree does not fit together. For tests. */
  void checkInvariants(IdOrder ids) {
    check(root(), height, true, ids);
  }

  private static void check(Object node, int level, boolean isRoot, IdOrder ids) {
    long[] rows = InnerNode.wordsOf(node);
    int count = Rows.count(rows);
    expect(isRoot || count >= InnerNode.min(level), "fill", count);
    expect(count <= InnerNode.max(level), "fill", count);
    expect(Rows.isPadded(rows), "padding after", count);
    for (int i = 1; i < count; i++) {
      boolean ascends =
          Rows.isBefore(
              rows, i - 1, Rows.key(rows, i), Rows.reached(rows, i), Rows.user(rows, i), ids);
      expect(ascends, "order at", i);
    }
    if (level == 0) {
      expect(node instanceof long[], "leaf", level);
      expect(Rows.distinct(rows) == Rows.distinct(rows, count), "distinct", Rows.distinct(rows));
      return;
    }
    InnerNode inner = (InnerNode) node;
    expect(!isRoot || count > 1, "children of the root", count);
    expect(
        InnerNode.before(inner.words, 0) == 0,
        "before the first",
        InnerNode.before(inner.words, 0));
    for (int c = 0; c < count; c++) {
      Object child = inner.child(c);
      check(child, level - 1, false, ids);
      long[] head = InnerNode.wordsOf(child);
      expect(
          Rows.holds(inner.words, c, Rows.key(head, 0), Rows.reached(head, 0), Rows.user(head, 0)),
          "first row of child",
          c);
      boolean continues = c > 0 && InnerNode.lastKeyOf(inner.child(c - 1)) == Rows.key(head, 0);
      expect(InnerNode.continues(inner.words, c) == continues, "continued key of child", c);
      long after = InnerNode.before(inner.words, c) + InnerNode.sizeOf(child) - (continues ? 1 : 0);
      expect(
          InnerNode.before(inner.words, c + 1) == after,
          "size up to child " + c,
          InnerNode.before(inner.words, c + 1));
    }
    expect(inner.lastKey() == InnerNode.lastKeyOf(inner.child(count - 1)), "last key", count);
  }

  private static void expect(boolean holds, String what, long found) {
    if (!holds) {
      throw new AssertionError(what + ": " + found);
    }
  }
}
