package dev.laurel.core.lifecycle;

import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes the oldest lines of the ledger, as far as all seasons that they reached are in the
 * archive only. A shard's lines go from the front, so that those that stay have no gap: the first
 * line that somebody may still need ends it, and a board with a season that never ends keeps all
 * that came after its own first line in its shard. Event ids are kept elsewhere, so a retry of a
 * pruned event still counts once.
 */
public final class LedgerPruner {
  private static final int CHUNK = 1000;

  private final Store store;

  public LedgerPruner(Store store) {
    this.store = store;
  }

  /**
   * Does what can be done. Blocks.
   *
   * @param stop asked between chunks
   */
  public void turn(BooleanSupplier stop) {
    int shards = store.read(tx -> tx.lastLines().length);
    for (int shard = 0; shard < shards; shard++) {
      int each = shard;
      // Under no lock first: mostly there is nothing to do.
      while (!stop.getAsBoolean()
          && store.read(tx -> !prunable(tx, each, 1).isEmpty())
          && store.<Integer>write(tx -> prune(tx, each)) == CHUNK) {}
    }
  }

  private static int prune(WriteTransaction tx, int shard) {
    tx.lockShard(shard);
    List<LedgerLine> lines = prunable(tx, shard, CHUNK);
    if (!lines.isEmpty()) {
      tx.prune(shard, lines);
    }
    return lines.size();
  }

  /** The first lines there are, as long as nobody needs them. */
  private static List<LedgerLine> prunable(ReadTransaction tx, int shard, int limit) {
    List<LedgerLine> lines = tx.lines(shard, 0, Long.MAX_VALUE, limit);
    Map<Long, Season> seen = new HashMap<>();
    int count = 0;
    while (count < lines.size() && isPrunable(tx, lines.get(count), seen)) {
      count++;
    }
    return lines.subList(0, count);
  }

  private static boolean isPrunable(ReadTransaction tx, LedgerLine line, Map<Long, Season> seen) {
    for (long rest = line.windows(); rest != 0; rest &= rest - 1) {
      Season season = season(tx, line, Long.numberOfTrailingZeros(rest), seen);
      if (season == null || season.status() != SeasonStatus.PURGED) {
        return false;
      }
    }
    return true;
  }

  /** Neighbours are mostly of the same season. */
  private static @Nullable Season season(
      ReadTransaction tx, LedgerLine line, int window, Map<Long, Season> seen) {
    Long key = line.board() * Long.SIZE + window;
    Season last = seen.get(key);
    if (last != null && last.covers(line.at())) {
      return last;
    }
    Season found = tx.seasonAt(line.board(), window, line.at());
    if (found != null) {
      seen.put(key, found);
    }
    return found;
  }
}
