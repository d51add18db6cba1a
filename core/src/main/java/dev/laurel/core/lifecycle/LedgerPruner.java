package dev.laurel.core.lifecycle;

import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import java.util.List;
import java.util.function.BooleanSupplier;

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
  private final OneByOne<Integer> each;

  /**
   * @param each goes through shards
   */
  public LedgerPruner(Store store, OneByOne<Integer> each) {
    this.store = store;
    this.each = each;
  }

  /**
   * Does what can be done. Blocks.
   *
   * @param stop asked between chunks
   */
  public void turn(BooleanSupplier stop) {
    int shards = store.read(tx -> tx.lastLines().length);
    for (int shard = 0; shard < shards && !stop.getAsBoolean(); shard++) {
      int number = shard;
      each.run(number, () -> turn(number, stop));
    }
  }

  private void turn(int shard, BooleanSupplier stop) {
    // Under no lock first: mostly there is nothing to do.
    while (!stop.getAsBoolean()
        && store.read(tx -> !prunable(tx, shard, 1).isEmpty())
        && store.<Integer>write(tx -> prune(tx, shard)) == CHUNK) {}
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
    LineSeasons seasons = new LineSeasons(tx);
    int count = 0;
    while (count < lines.size() && isPrunable(lines.get(count), seasons)) {
      count++;
    }
    return lines.subList(0, count);
  }

  private static boolean isPrunable(LedgerLine line, LineSeasons seasons) {
    for (long rest = line.windows(); rest != 0; rest &= rest - 1) {
      Season season = seasons.of(line, Long.numberOfTrailingZeros(rest));
      if (season == null || season.status() != SeasonStatus.PURGED) {
        return false;
      }
    }
    return true;
  }
}
