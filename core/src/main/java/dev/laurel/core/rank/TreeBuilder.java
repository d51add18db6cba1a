package dev.laurel.core.rank;

/**
 * Makes a {@link RankTree} of rows in any order, at once.
 *
 * <p>For one thread.
 */
final class TreeBuilder {
  /*
   * A merge sort that moves the rows themselves, three arrays in step: reads and writes run
   * through memory in order, where sorting indexes would miss the cache at every comparison. Rows
   * that come sorted, as they do from an ordered query, cost one comparison a run.
   */
  private static final int RUN = 16;

  private final IdOrder ids;
  private final long owner;
  private final int count;
  private long[] keys;
  private long[] reached;
  private int[] users;

  /** Takes the first {@code count} rows of the arrays, and the arrays themselves. */
  TreeBuilder(long[] keys, long[] reached, int[] users, int count, IdOrder ids, long owner) {
    this.keys = keys;
    this.reached = reached;
    this.users = users;
    this.count = count;
    this.ids = ids;
    this.owner = owner;
  }

  RankTree build() {
    if (count == 0) {
      return RankTree.EMPTY;
    }
    sort();
    int nodes = nodesFor(count, 0);
    Object[] level = new Object[nodes];
    for (int n = 0; n < nodes; n++) {
      level[n] = leaf(share(count, n, nodes), share(count, n + 1, nodes));
    }
    int height = 0;
    while (level.length > 1) {
      height++;
      level = parents(level, height);
    }
    return new RankTree(level[0], height);
  }

  private static int nodesFor(int slots, int level) {
    int comfortable = InnerNode.comfortable(level);
    return (slots + comfortable - 1) / comfortable;
  }

  /** Where the n-th of so many even parts begins: none is left underfull. */
  private static int share(int total, int n, int parts) {
    return (int) ((long) total * n / parts);
  }

  private long[] leaf(int from, int to) {
    long[] leaf = Rows.allocate(to - from, owner);
    for (int i = from; i < to; i++) {
      Rows.set(leaf, i - from, keys[i], reached[i], users[i]);
    }
    Rows.count(leaf, to - from, Rows.distinct(leaf, to - from));
    return leaf;
  }

  private Object[] parents(Object[] level, int height) {
    int nodes = nodesFor(level.length, height);
    Object[] parents = new Object[nodes];
    for (int n = 0; n < nodes; n++) {
      InnerNode parent = InnerNode.empty(height == 1, owner);
      for (int c = share(level.length, n, nodes); c < share(level.length, n + 1, nodes); c++) {
        parent.append(level[c]);
      }
      parents[n] = parent;
    }
    return parents;
  }

  private void sort() {
    for (int from = 0; from < count; from += RUN) {
      insertionSort(from, Math.min(from + RUN, count));
    }
    long[] otherKeys = new long[count];
    long[] otherReached = new long[count];
    int[] otherUsers = new int[count];
    for (int run = RUN; run < count; run *= 2) {
      for (int from = 0; from < count; from += 2 * run) {
        int middle = Math.min(from + run, count);
        merge(from, middle, Math.min(middle + run, count), otherKeys, otherReached, otherUsers);
      }
      long[] sortedKeys = otherKeys;
      long[] sortedReached = otherReached;
      int[] sortedUsers = otherUsers;
      otherKeys = keys;
      otherReached = reached;
      otherUsers = users;
      keys = sortedKeys;
      reached = sortedReached;
      users = sortedUsers;
    }
  }

  private void insertionSort(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long key = keys[i];
      long time = reached[i];
      int user = users[i];
      int at = i;
      for (; at > from && isBefore(key, time, user, at - 1); at--) {
        keys[at] = keys[at - 1];
        reached[at] = reached[at - 1];
        users[at] = users[at - 1];
      }
      keys[at] = key;
      reached[at] = time;
      users[at] = user;
    }
  }

  private void merge(int from, int middle, int to, long[] toKeys, long[] toReached, int[] toUsers) {
    int left = from;
    int right = middle;
    int at = from;
    if (middle < to && isBefore(keys[middle], reached[middle], users[middle], middle - 1)) {
      while (left < middle && right < to) {
        int next = isBefore(keys[right], reached[right], users[right], left) ? right++ : left++;
        toKeys[at] = keys[next];
        toReached[at] = reached[next];
        toUsers[at++] = users[next];
      }
    }
    copy(left, middle, at, toKeys, toReached, toUsers);
    copy(right, to, at + middle - left, toKeys, toReached, toUsers);
  }

  private void copy(int from, int to, int at, long[] toKeys, long[] toReached, int[] toUsers) {
    System.arraycopy(keys, from, toKeys, at, to - from);
    System.arraycopy(reached, from, toReached, at, to - from);
    System.arraycopy(users, from, toUsers, at, to - from);
  }

  /** Whether this row comes before the one at {@code i}. */
  private boolean isBefore(long key, long time, int user, int i) {
    if (key != keys[i]) {
      return key < keys[i];
    }
    if (time != reached[i]) {
      return time < reached[i];
    }
    return ids.compare(user, users[i]) < 0;
  }
}
