package dev.laurel.core.lifecycle;

import dev.laurel.core.board.BoardDirectory;
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
 * Removes the oldest lines of the ledger: those whose seasons are all in the archive only, and
 * those that are old. A shard's lines go from the front, so that those that stay have no gap: the
 * first line that somebody may still need ends it. Of old lines that reached other seasons, such as
 * one that never ends, it is kept what they had made of their users' entries ({@link
 * PrunedEntries}): later lines can still be reverted. Event ids are kept elsewhere, so a retry of a
 * pruned event still counts once.
 */
public final class LedgerPruner {
  private static final int CHUNK = 1000;

  private final Store store;
  private final LedgerAge age;
  private final PrunedEntries entries;
  private final OneByOne<Integer> each;

  /**
   * @param age says which lines are old
   * @param each goes through shards
   */
  public LedgerPruner(
      Store store, BoardDirectory directory, LedgerAge age, OneByOne<Integer> each) {
    this.store = store;
    this.age = age;
    this.entries = new PrunedEntries(store, directory);
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

  /** What there is to do in a shard. */
  private record Look(boolean mark, boolean prune, boolean old) {}

  private void turn(int shard, BooleanSupplier stop) {
    while (!stop.getAsBoolean()) {
      // Under no lock first: mostly there is nothing to do.
      Look look = store.read(tx -> look(tx, shard));
      if (look.mark) {
        store.<Boolean>write(tx -> age.mark(tx, shard));
      }
      if (look.old) {
        entries.note(shard, stop);
      }
      if (!look.prune
          || stop.getAsBoolean()
          || store.<Integer>write(tx -> prune(tx, shard)) < CHUNK) {
        return;
      }
    }
  }

  private Look look(ReadTransaction tx, int shard) {
    List<LedgerLine> first = prunable(tx, shard, 1);
    boolean old = !first.isEmpty() && first.getFirst().line() <= age.lastOld(tx, shard);
    return new Look(age.isDue(tx, shard), !first.isEmpty(), old);
  }

  private int prune(WriteTransaction tx, int shard) {
    tx.lockShard(shard);
    List<LedgerLine> lines = prunable(tx, shard, CHUNK);
    if (!lines.isEmpty()) {
      entries.keep(tx, shard, lines);
      tx.prune(shard, lines);
    }
    return lines.size();
  }

  /** The first lines there are, as long as nobody needs them. */
  private List<LedgerLine> prunable(ReadTransaction tx, int shard, int limit) {
    List<LedgerLine> lines = tx.lines(shard, 0, Long.MAX_VALUE, limit);
    long lastOld = age.lastOld(tx, shard);
    LineSeasons seasons = new LineSeasons(tx);
    int count = 0;
    while (count < lines.size()
        && (lines.get(count).line() <= lastOld || isPrunable(lines.get(count), seasons))) {
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
