package dev.laurel.core.lifecycle;

import dev.laurel.core.store.LedgerMark;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.WriteTransaction;
import java.util.List;

/**
 * How old a shard's lines are. A line has only the time of its event, which its sender chose; so
 * the shard's last line is marked with the time now and then. Immutable.
 *
 * @param keep milliseconds after which a line is old; {@link Long#MAX_VALUE} for never
 */
public record LedgerAge(long keep) {
  public static final LedgerAge NEVER = new LedgerAge(Long.MAX_VALUE);

  /** So many marks there are at most of lines that are not old. */
  private static final int MARKS = 50;

  /** The last line that is old; 0 if none is. */
  long lastOld(ReadTransaction tx, int shard) {
    if (keep == Long.MAX_VALUE) {
      return 0;
    }
    long before = tx.now() - keep;
    long last = 0;
    for (LedgerMark mark : tx.marks(shard)) {
      last = mark.at() <= before ? mark.line() : last;
    }
    return last;
  }

  /** Whether there is something to mark. */
  boolean isDue(ReadTransaction tx, int shard) {
    return keep != Long.MAX_VALUE && isDue(tx, shard, tx.lastLines()[shard]);
  }

  private boolean isDue(ReadTransaction tx, int shard, long line) {
    List<LedgerMark> marks = tx.marks(shard);
    return marks.isEmpty()
        ? line > 0
        : line > marks.getLast().line() && tx.now() - marks.getLast().at() >= keep / MARKS;
  }

  /** Another node may have done so meanwhile. */
  boolean mark(WriteTransaction tx, int shard) {
    long line = tx.lockShard(shard);
    if (isDue(tx, shard, line)) {
      tx.putMark(new LedgerMark(shard, line, tx.now()));
    }
    return true;
  }
}
