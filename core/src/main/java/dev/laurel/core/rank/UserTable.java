package dev.laurel.core.rank;

import org.jspecify.annotations.Nullable;

/**
 * What each user's row in a season is, by the user's number: an immutable radix trie. {@link
 * Editor} makes the next one.
 *
 * <p>Immutable, so safe for any number of threads.
 */
final class UserTable {
  /*
   * Persistent like the tree, because a table that is changed in place runs ahead of the snapshot
   * a reader holds: the score it gives would not be in that reader's tree any more.
   *
   * 32 users share a page, one long[]: the editor's number; who is present (upper half) and who has
   * metadata (lower half), a bit a user; then score and time of those who are present. A season
   * that has few of a tenant's users has small pages. Numbers are dense in a tenant, so a trie needs
   * no hashing and no probing, and at 17 bytes a user nothing is wasted.
   */
  static final UserTable EMPTY = new UserTable(null, 0);

  private static final int BITS = 5;
  private static final int WIDTH = 1 << BITS;
  private static final int HEADER = 2;

  /** A page if the height is 0, otherwise a node. */
  private final @Nullable Object root;

  private final int height;

  private UserTable(@Nullable Object root, int height) {
    this.root = root;
    this.height = height;
  }

  private static final class Node {
    final long owner;
    final @Nullable Object[] children;

    Node(long owner, @Nullable Object[] children) {
      this.owner = owner;
      this.children = children;
    }
  }

  /** The page that may have the user; null if there is none. */
  long @Nullable [] page(int user) {
    int index = user >>> BITS;
    Object node = root;
    if (index >>> (BITS * height) != 0) {
      return null;
    }
    for (int shift = BITS * (height - 1); shift >= 0 && node != null; shift -= BITS) {
      node = ((Node) node).children[(index >>> shift) & (WIDTH - 1)];
    }
    return (long[]) node;
  }

  /** The pages of many users, level by level, so that their cache misses overlap. */
  void pages(int[] users, int from, int count, @Nullable Object[] pages) {
    for (int i = 0; i < count; i++) {
      pages[i] = users[from + i] >>> BITS >>> (BITS * height) == 0 ? root : null;
    }
    for (int shift = BITS * (height - 1); shift >= 0; shift -= BITS) {
      for (int i = 0; i < count; i++) {
        Object node = pages[i];
        if (node != null) {
          int index = users[from + i] >>> BITS;
          pages[i] = ((Node) node).children[(index >>> shift) & (WIDTH - 1)];
        }
      }
    }
  }

  /** Where the user's score is in the page, the time reached right after it; -1 if nowhere. */
  static int slot(long @Nullable [] page, int user) {
    if (page == null) {
      return -1;
    }
    int present = present(page);
    if (present == -1) {
      // Full pages are the rule, and here the processor need not wait for the mask to go on.
      return HEADER + 2 * (user & (WIDTH - 1));
    }
    int bit = 1 << user;
    return (present & bit) == 0 ? -1 : HEADER + 2 * Integer.bitCount(present & (bit - 1));
  }

  static boolean hasMetadata(long[] page, int user) {
    return (page[1] & (1L << (user & (WIDTH - 1)))) != 0;
  }

  private static int present(long[] page) {
    return (int) (page[1] >>> 32);
  }

  /** Edits pages and nodes with its own number in place, and copies all others first. */
  static final class Editor {
    private final long owner;
    private @Nullable Object root;
    private int height;

    Editor(UserTable table, long owner) {
      this.root = table.root;
      this.height = table.height;
      this.owner = owner;
    }

    UserTable table() {
      return new UserTable(root, height);
    }

    long @Nullable [] page(int user) {
      return table().page(user);
    }

    void put(int user, long score, long reached, boolean hasMetadata) {
      int index = user >>> BITS;
      while (index >>> (BITS * height) != 0) {
        Object below = root;
        if (below != null) {
          Node node = new Node(owner, new @Nullable Object[WIDTH]);
          node.children[0] = below;
          root = node;
        }
        height++;
      }
      if (height == 0) {
        root = put((long[]) root, user, score, reached, hasMetadata);
        return;
      }
      Node node = bottom(index);
      int at = index & (WIDTH - 1);
      node.children[at] = put((long[]) node.children[at], user, score, reached, hasMetadata);
    }

    /** Takes out a user who is there. */
    void remove(int user) {
      if (height == 0) {
        root = remove((long[]) root, user);
        return;
      }
      int index = user >>> BITS;
      Node node = bottom(index);
      int at = index & (WIDTH - 1);
      node.children[at] = remove((long[]) node.children[at], user);
    }

    /** The node above the page, with all nodes on the way to it the editor's own. */
    private Node bottom(int index) {
      Node node = own(root);
      root = node;
      for (int shift = BITS * (height - 1); shift > 0; shift -= BITS) {
        int at = (index >>> shift) & (WIDTH - 1);
        Node child = own(node.children[at]);
        node.children[at] = child;
        node = child;
      }
      return node;
    }

    private Node own(@Nullable Object node) {
      if (node == null) {
        return new Node(owner, new @Nullable Object[WIDTH]);
      }
      Node known = (Node) node;
      return known.owner == owner ? known : new Node(owner, known.children.clone());
    }

    private long[] put(
        long @Nullable [] page, int user, long score, long reached, boolean hasMetadata) {
      int at = slot(page, user);
      int present = page == null ? 0 : present(page);
      int metadata = page == null ? 0 : (int) page[1];
      int bit = 1 << user;
      long[] to;
      if (page == null) {
        to = new long[length(1)];
        at = HEADER;
      } else if (at >= 0) {
        to = page[0] == owner ? page : page.clone();
      } else {
        at = HEADER + 2 * Integer.bitCount(present & (bit - 1));
        int users = Integer.bitCount(present);
        int end = HEADER + 2 * users;
        to = page[0] == owner && end < page.length ? page : new long[length(users + 1)];
        System.arraycopy(page, at, to, at + 2, end - at);
        System.arraycopy(page, HEADER, to, HEADER, at - HEADER);
      }
      to[0] = owner;
      to[1] = masks(present | bit, hasMetadata ? metadata | bit : metadata & ~bit);
      to[at] = score;
      to[at + 1] = reached;
      return to;
    }

    private long @Nullable [] remove(long @Nullable [] page, int user) {
      int at = slot(page, user);
      if (page == null || at < 0) {
        throw new IllegalStateException("user " + user + " has no entry");
      }
      int bit = 1 << user;
      int left = present(page) & ~bit;
      if (left == 0) {
        return null;
      }
      int end = HEADER + 2 * Integer.bitCount(left);
      long[] to = page[0] == owner ? page : new long[length(Integer.bitCount(left))];
      System.arraycopy(page, at + 2, to, at, end - at);
      System.arraycopy(page, HEADER, to, HEADER, at - HEADER);
      to[0] = owner;
      to[1] = masks(left, (int) page[1] & ~bit);
      return to;
    }

    private static long masks(int present, int metadata) {
      return (long) present << 32 | (metadata & 0xffffffffL);
    }

    /** The length of a page for so many users: exact for a few, then in steps of four. */
    private static int length(int users) {
      return HEADER + 2 * (users <= 2 ? users : (users + 3) & ~3);
    }
  }
}
