package dev.laurel.core.rank;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What each user's row in a season is, by the user's number: an immutable trie of two levels.
 * {@link Editor} makes the next one.
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
   *
   * Up to 256 pages are a node, and one directory has all nodes: two steps to a page, however many
   * users there are, and both mostly in the cache. A batch copies the directory, 5 KB at ten million
   * users. Nodes are arrays of arrays and not objects with an array: half as many steps.
   */
  private static final int BITS = 5;
  private static final int WIDTH = 1 << BITS;
  private static final int HEADER = 2;
  private static final int NODE_BITS = 8;
  private static final int NODE_WIDTH = 1 << NODE_BITS;

  /** A node without pages: only the place of its owner. */
  private static final long[] @Nullable [] NO_PAGES = {null};

  private static final long[][] @Nullable [] NO_NODES = {};

  static final UserTable EMPTY = new UserTable(NO_NODES);

  /** By user number over 8192, nodes: their owner's mark, then pages by user number over 32. */
  private final long[][] @Nullable [] nodes;

  private UserTable(long[][] @Nullable [] nodes) {
    this.nodes = nodes;
  }

  /** The page that may have the user; null if there is none. */
  long @Nullable [] page(int user) {
    return page(nodes, user);
  }

  private static long @Nullable [] page(long[][] @Nullable [] nodes, int user) {
    int index = user >>> (BITS + NODE_BITS);
    if (index >= nodes.length) {
      return null;
    }
    long[] @Nullable [] node = nodes[index];
    int at = inNode(user);
    return at < node.length ? node[at] : null;
  }

  private static int inNode(int user) {
    return 1 + (user >>> BITS & (NODE_WIDTH - 1));
  }

  private static long owner(long[] @Nullable [] node) {
    long[] mark = node[0];
    return mark == null ? 0 : mark[0];
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

  /** Edits pages and nodes of its own in place, and copies all others first. */
  static final class Editor {
    private final long owner;

    /** What the editor's own nodes begin with: its number. */
    private final long[] mark;

    private long[][] @Nullable [] nodes;
    private boolean ownsNodes;

    Editor(UserTable table, long owner) {
      this.nodes = table.nodes;
      this.owner = owner;
      this.mark = new long[] {owner};
    }

    UserTable table() {
      return new UserTable(nodes);
    }

    long @Nullable [] page(int user) {
      return UserTable.page(nodes, user);
    }

    void put(int user, long score, long reached, boolean hasMetadata) {
      long[] @Nullable [] node = ownNode(user);
      int at = inNode(user);
      node[at] = put(node[at], user, score, reached, hasMetadata);
    }

    /** Takes out a user who is there. */
    void remove(int user) {
      long[] @Nullable [] node = ownNode(user);
      int at = inNode(user);
      node[at] = remove(node[at], user);
    }

    /** The node that has the user's page, the editor's own and with a place for the page. */
    private long[] @Nullable [] ownNode(int user) {
      int index = user >>> (BITS + NODE_BITS);
      if (index >= nodes.length || !ownsNodes) {
        int known = nodes.length;
        nodes = Arrays.copyOf(nodes, Math.max(known, index + 1));
        Arrays.fill(nodes, known, nodes.length, NO_PAGES);
        ownsNodes = true;
      }
      long[] @Nullable [] node = nodes[index];
      int at = inNode(user);
      if (at >= node.length || owner(node) != owner) {
        // Small seasons have small nodes; a node that grows once more soon has its full length.
        int length = at < node.length ? node.length : Math.min(2 * at + 3, 1 + NODE_WIDTH);
        node = Arrays.copyOf(node, length);
        node[0] = mark;
        nodes[index] = node;
      }
      return node;
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
