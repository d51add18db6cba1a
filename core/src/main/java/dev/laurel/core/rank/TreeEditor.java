package dev.laurel.core.rank;

import org.jspecify.annotations.Nullable;

/**
 * Makes the next {@link RankTree} out of one, row by row.
 *
 * <p>For one thread. The tree it began with is not changed.
 */
final class TreeEditor {
  /*
   * Every node carries the number of the editor that made it. A node with another number is shared
   * with published trees and is copied at the first touch; one with this number is edited in
   * place. So a batch of a thousand copies the upper nodes once, not a thousand times. Numbers are
   * never used twice, which is what makes a published node immutable for ever.
   *
   * All nodes but the root are at least three eighths full. That is well below a half: rows that go
   * to and fro do not split and merge a node each time.
   */
  private final long owner;
  private final IdOrder ids;
  private Object root;
  private int height;

  /** The right half of the node that was just split; its parent takes it. */
  private @Nullable Object sibling;

  TreeEditor(RankTree tree, IdOrder ids, long owner) {
    this.root = tree.root();
    this.height = tree.height;
    this.ids = ids;
    this.owner = owner;
  }

  RankTree tree() {
    return new RankTree(root, height);
  }

  long size() {
    return InnerNode.sizeOf(root) >>> 32;
  }

  /** Adds a row that is not there. */
  void insert(long key, long reached, int user) {
    Object left = insert(root, height, key, reached, user);
    root = left;
    Object right = sibling;
    if (right != null) {
      sibling = null;
      InnerNode top = InnerNode.empty(height == 0, owner);
      top.append(left);
      top.append(right);
      root = top;
      height++;
    }
  }

  private Object insert(Object node, int level, long key, long reached, int user) {
    if (level == 0) {
      return insertIntoLeaf((long[]) node, key, reached, user);
    }
    InnerNode inner = ((InnerNode) node).ownedBy(owner);
    int c = InnerNode.childOf(inner.words, key, reached, user, ids);
    inner.replace(c, insert(inner.child(c), level - 1, key, reached, user));
    Object right = sibling;
    if (right == null) {
      return inner;
    }
    sibling = null;
    return insertChild(inner, c + 1, right);
  }

  private long[] insertIntoLeaf(long[] leaf, long key, long reached, int user) {
    int at = Rows.before(leaf, key, reached, user, ids);
    int count = Rows.count(leaf);
    if (count < Rows.MAX) {
      return Rows.insert(leaf, at, key, reached, user, owner);
    }
    int half = count / 2;
    long[] left = Rows.slice(leaf, Rows.EMPTY, 0, half, owner);
    long[] right = Rows.slice(leaf, Rows.EMPTY, half, count, owner);
    if (at <= half) {
      left = Rows.insert(left, at, key, reached, user, owner);
    } else {
      right = Rows.insert(right, at - half, key, reached, user, owner);
    }
    sibling = right;
    return left;
  }

  private InnerNode insertChild(InnerNode inner, int c, Object child) {
    int count = inner.count();
    if (count < InnerNode.MAX) {
      inner.insert(c, child);
      return inner;
    }
    int half = count / 2;
    InnerNode left = InnerNode.slice(inner, inner, 0, half, owner);
    InnerNode right = InnerNode.slice(inner, inner, half, count, owner);
    if (c <= half) {
      left.insert(c, child);
    } else {
      right.insert(c - half, child);
    }
    sibling = right;
    return left;
  }

  /** Takes out a row that is there. */
  void remove(long key, long reached, int user) {
    root = remove(root, height, key, reached, user);
    while (height > 0 && ((InnerNode) root).count() == 1) {
      root = ((InnerNode) root).child(0);
      height--;
    }
  }

  private Object remove(Object node, int level, long key, long reached, int user) {
    if (level == 0) {
      long[] leaf = (long[]) node;
      int at = Rows.indexOf(leaf, user);
      if (!Rows.holds(leaf, at, key, reached, user)) {
        throw new IllegalStateException(
            "user " + user + " is not at key " + key + ", reached " + reached);
      }
      return Rows.remove(leaf, at, owner);
    }
    InnerNode inner = ((InnerNode) node).ownedBy(owner);
    int c = InnerNode.childOf(inner.words, key, reached, user, ids);
    Object child = remove(inner.child(c), level - 1, key, reached, user);
    inner.replace(c, child);
    if (Rows.count(InnerNode.wordsOf(child)) < InnerNode.min(level - 1)) {
      rebalance(inner, Math.max(0, c - 1), level - 1);
    }
    return inner;
  }

  /** Makes one node, or two of the same size, of a child and the one after it. */
  private void rebalance(InnerNode parent, int c, int level) {
    Object left = parent.child(c);
    Object right = parent.child(c + 1);
    int count = Rows.count(InnerNode.wordsOf(left)) + Rows.count(InnerNode.wordsOf(right));
    if (count <= InnerNode.comfortable(level)) {
      parent.merge(c, slice(left, right, 0, count, level));
    } else {
      parent.replace(c, slice(left, right, 0, count / 2, level));
      parent.replace(c + 1, slice(left, right, count / 2, count, level));
    }
  }

  private Object slice(Object left, Object right, int from, int to, int level) {
    return level == 0
        ? Rows.slice((long[]) left, (long[]) right, from, to, owner)
        : InnerNode.slice((InnerNode) left, (InnerNode) right, from, to, owner);
  }
}
