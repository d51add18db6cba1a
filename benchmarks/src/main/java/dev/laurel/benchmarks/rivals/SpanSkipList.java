package dev.laurel.benchmarks.rivals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of Redis' sorted sets, in Java: a skip list whose links know how many entries they
 * jump over, so that a rank is the sum of the spans on the way. As t_zset.c has it: 32 levels, each
 * with a quarter of the one below. Pugh, "Skip Lists: A Probabilistic Alternative to Balanced
 * Trees", 1990, and "A Skip List Cookbook" for the spans.
 *
 * <p>Ordered by (key, reached, user), all ascending, as Laurel's tree. For one thread.
 */
public final class SpanSkipList {
  private static final int MAX_LEVEL = 32;

  /** An entry; also what Redis' dictionary of members would hold. */
  public static final class Node {
    public final long key;
    public final long reached;
    public final int user;
    private final @Nullable Node[] next;
    private final int[] span;

    private Node(long key, long reached, int user, int levels) {
      this.key = key;
      this.reached = reached;
      this.user = user;
      this.next = new Node[levels];
      this.span = new int[levels];
    }

    private boolean isBefore(long otherKey, long otherReached, int otherUser) {
      return key != otherKey
          ? key < otherKey
          : reached != otherReached ? reached < otherReached : user < otherUser;
    }
  }

  /** Sees the rows of a page. */
  public interface Sink {
    void row(long rank, Node node);
  }

  private final Node head = new Node(0, 0, 0, MAX_LEVEL);
  private final Node[] path = new Node[MAX_LEVEL];
  private final int[] passed = new int[MAX_LEVEL];
  private final SplittableRandom random;
  private int levels = 1;
  private int size;

  public SpanSkipList(long seed) {
    random = new SplittableRandom(seed);
  }

  public int size() {
    return size;
  }

  public Node insert(long key, long reached, int user) {
    Node at = head;
    for (int level = levels - 1; level >= 0; level--) {
      passed[level] = level == levels - 1 ? 0 : passed[level + 1];
      for (Node next = at.next[level];
          next != null && next.isBefore(key, reached, user);
          next = at.next[level]) {
        passed[level] += at.span[level];
        at = next;
      }
      path[level] = at;
    }
    int height = height();
    for (; levels < height; levels++) {
      passed[levels] = 0;
      path[levels] = head;
      head.span[levels] = size;
    }
    Node node = new Node(key, reached, user, height);
    for (int level = 0; level < height; level++) {
      Node before = path[level];
      int between = passed[0] - passed[level];
      node.next[level] = before.next[level];
      before.next[level] = node;
      node.span[level] = before.span[level] - between;
      before.span[level] = between + 1;
    }
    for (int level = height; level < levels; level++) {
      path[level].span[level]++;
    }
    size++;
    return node;
  }

  /** Takes the entry out; false if there is none with exactly this place. */
  public boolean remove(long key, long reached, int user) {
    Node at = head;
    for (int level = levels - 1; level >= 0; level--) {
      for (Node next = at.next[level];
          next != null && next.isBefore(key, reached, user);
          next = at.next[level]) {
        at = next;
      }
      path[level] = at;
    }
    Node found = at.next[0];
    if (found == null || found.key != key || found.reached != reached || found.user != user) {
      return false;
    }
    for (int level = 0; level < levels; level++) {
      Node before = path[level];
      if (before.next[level] == found) {
        before.span[level] += found.span[level] - 1;
        before.next[level] = found.next[level];
      } else {
        before.span[level]--;
      }
    }
    while (levels > 1 && head.next[levels - 1] == null) {
      levels--;
      head.span[levels] = 0;
    }
    size--;
    Arrays.fill(path, null);
    return true;
  }

  /** The place of an entry, from 1; 0 if there is none with exactly this place. */
  public int rank(long key, long reached, int user) {
    int rank = 0;
    Node at = head;
    for (int level = levels - 1; level >= 0; level--) {
      for (Node next = at.next[level];
          next != null && next.isBefore(key, reached, user);
          next = at.next[level]) {
        rank += at.span[level];
        at = next;
      }
    }
    Node found = at.next[0];
    return found != null && found.key == key && found.reached == reached && found.user == user
        ? rank + 1
        : 0;
  }

  /** Up to {@code limit} rows after the first {@code offset}. */
  public void page(int offset, int limit, Sink sink) {
    int left = offset;
    Node at = head;
    for (int level = levels - 1; level >= 0; level--) {
      for (Node next = at.next[level];
          next != null && at.span[level] <= left;
          next = at.next[level]) {
        left -= at.span[level];
        at = next;
      }
    }
    if (left > 0) {
      return;
    }
    int rank = offset + 1;
    for (Node next = at.next[0]; next != null && rank <= offset + limit; next = next.next[0]) {
      sink.row(rank++, next);
    }
  }

  private int height() {
    // Two zero bits a level: a quarter of the nodes go on.
    return Math.min(MAX_LEVEL, 1 + Long.numberOfTrailingZeros(random.nextLong()) / 2);
  }
}
