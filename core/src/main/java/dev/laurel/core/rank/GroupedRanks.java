package dev.laurel.core.rank;

import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the ranks of many users at once.
 *
 * <p>Stateless; safe for any number of threads.
 */
final class GroupedRanks {
  /*
   * One look-up is a chain of cache misses, each of which has to end before the next begins. Many
   * look-ups are many chains: taking all users one step before any takes the next lets the
   * processor wait for a dozen misses at the same time. The steps have to be small, or few of them
   * are in flight at once: so a leaf is searched by halves here, a pass a step, which also fetches
   * half as many lines as Rows.below does. At a million users, on a busy machine, that took 250 ns a
   * rank, and one pass over the leaf 360.
   */
  private static final int GROUP = 64;

  private GroupedRanks() {}

  static void ranks(
      RankTree tree,
      UserTable table,
      IdOrder ids,
      Order order,
      Ties ties,
      int[] users,
      int count,
      long[] rank,
      long[] score,
      long[] reached) {
    long[] @Nullable [] nodes = new long[Math.min(GROUP, count)][];
    Object[][] kids = new Object[nodes.length][];
    int[] low = new int[nodes.length];
    for (int from = 0; from < count; from += GROUP) {
      int length = Math.min(GROUP, count - from);
      for (int i = 0; i < length; i++) {
        nodes[i] = table.page(users[from + i]);
      }
      for (int i = 0; i < length; i++) {
        long[] page = nodes[i];
        int at = UserTable.slot(page, users[from + i]);
        rank[from + i] = 0;
        if (page != null && at >= 0) {
          score[from + i] = page[at];
          reached[from + i] = page[at + 1];
          nodes[i] = tree.words;
          kids[i] = tree.kids;
        } else {
          nodes[i] = null;
        }
      }
      for (int level = tree.height; level > 0; level--) {
        for (int i = 0; i < length; i++) {
          long[] node = nodes[i];
          if (node == null) {
            continue;
          }
          long key = order.key(score[from + i]);
          int c =
              ties == Ties.EARLIEST_FIRST
                  ? InnerNode.childOf(node, key, reached[from + i], users[from + i], ids)
                  : InnerNode.childBelow(node, key);
          rank[from + i] +=
              ties == Ties.DENSE
                  ? (int) InnerNode.before(node, c) - (InnerNode.continues(node, c) ? 1 : 0)
                  : InnerNode.before(node, c) >>> 32;
          nodes[i] = (long[]) kids[i][c];
          kids[i] = RankTree.kidsOf(kids[i], c, level);
        }
      }
      Arrays.fill(low, 0);
      for (int width = Rows.MAX / 2; width >= 8; width /= 2) {
        for (int i = 0; i < length; i++) {
          long[] leaf = nodes[i];
          if (leaf != null) {
            low[i] = Rows.skip(leaf, low[i], width, order.key(score[from + i]));
          }
        }
      }
      for (int i = 0; i < length; i++) {
        long[] leaf = nodes[i];
        if (leaf != null) {
          low[i] = Rows.belowFrom(leaf, low[i], order.key(score[from + i]));
        }
      }
      for (int i = 0; i < length; i++) {
        long[] leaf = nodes[i];
        if (leaf == null) {
          continue;
        }
        rank[from + i] +=
            1
                + switch (ties) {
                  case EARLIEST_FIRST -> Rows.indexFrom(leaf, low[i], users[from + i]);
                  case SHARED -> low[i];
                  case DENSE -> Rows.distinct(leaf, low[i]);
                };
      }
    }
  }
}
