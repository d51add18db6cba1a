package dev.laurel.core.repair;

import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.LedgerChain;
import dev.laurel.core.store.LedgerCheckpoint;
import dev.laurel.core.store.LedgerHead;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the ledger is what was written: goes through a shard's lines from the first checkpoint
 * on, and compares what comes out at every other one, and at the head. Nobody has to stand still:
 * lines that are there do not change, but for what is erased, which the chain allows for. For one
 * thread.
 */
public final class LedgerCheck {
  private static final int CHUNK = 1_000;

  private final Store store;
  private final LedgerChain chain;

  /**
   * What came out for a shard.
   *
   * @param from the line after which the chain begins
   * @param to the last line
   * @param digest of the head: whoever notes it elsewhere can tell later that it was never put back
   * @param broken stretches that are not what was written, oldest first
   */
  public record Result(int shard, long from, long to, String digest, List<Stretch> broken) {
    public boolean isIntact() {
      return broken.isEmpty();
    }
  }

  /**
   * Lines of which at least one is not what was written.
   *
   * @param after the line before the first of them
   */
  public record Stretch(long after, long upTo, String why) {}

  /** The state to compare with, of one moment. */
  private record Sealed(LedgerHead head, List<LedgerCheckpoint> checkpoints, boolean goesOn) {
    static Sealed of(ReadTransaction tx, int shard) {
      LedgerHead head = tx.head(shard);
      if (head == null) {
        throw new IllegalStateException("the store was opened without the ledger's key");
      }
      boolean more = !tx.lines(shard, head.line(), Long.MAX_VALUE, 1).isEmpty();
      return new Sealed(head, tx.checkpoints(shard), more);
    }
  }

  public LedgerCheck(Store store, LedgerKey key) {
    this.store = store;
    this.chain = new LedgerChain(key);
  }

  /** Goes through all lines of a shard. Blocks. */
  public Result check(int shard, Progress progress) {
    while (true) {
      Sealed sealed = read(shard);
      List<Stretch> broken = walk(sealed, progress);
      // Lines may have been pruned under our eyes; then the chain begins elsewhere by now.
      if (broken.isEmpty() || read(shard).head.from() == sealed.head.from()) {
        LedgerHead head = sealed.head;
        return new Result(shard, head.from(), head.line(), head.digest(), broken);
      }
    }
  }

  private Sealed read(int shard) {
    return store.read(tx -> Sealed.of(tx, shard));
  }

  private List<Stretch> walk(Sealed sealed, Progress progress) {
    LedgerHead head = sealed.head;
    List<Stretch> broken = new ArrayList<>();
    if (!chain.isGenuine(head)) {
      broken.add(new Stretch(head.from(), head.line(), "the head has no valid code"));
    }
    LedgerCheckpoint first = sealed.checkpoints.isEmpty() ? null : sealed.checkpoints.getFirst();
    if (first == null || first.line() != head.from() || !chain.isGenuine(first)) {
      broken.add(new Stretch(head.from(), head.line(), "the first checkpoint is not genuine"));
      return broken;
    }
    String digest = first.digest();
    long at = first.line();
    List<LedgerCheckpoint> ends = new ArrayList<>(sealed.checkpoints);
    ends.removeFirst();
    ends.add(chain.checkpoint(head.shard(), head.line(), head.digest()));
    for (LedgerCheckpoint end : ends) {
      Folded folded = fold(head.shard(), digest, at, end.line(), head, progress);
      String why =
          folded.why != null
              ? folded.why
              : !chain.isGenuine(end)
                  ? "its checkpoint has no valid code"
                  : folded.digest.equals(end.digest()) ? null : "a line was changed";
      if (why != null) {
        broken.add(new Stretch(at, end.line(), why));
      }
      digest = chain.isGenuine(end) ? end.digest() : folded.digest;
      at = end.line();
    }
    if (sealed.goesOn) {
      broken.add(new Stretch(head.line(), Long.MAX_VALUE, "there are lines after the last one"));
    }
    return broken;
  }

  /** The digest after a stretch, or what is wrong with its numbers. */
  private record Folded(String digest, @Nullable String why) {}

  private Folded fold(
      int shard, String before, long after, long upTo, LedgerHead head, Progress progress) {
    String digest = before;
    long at = after;
    while (at < upTo) {
      long from = at;
      List<LedgerLine> lines =
          store.read(Store.Reading.LONG, tx -> tx.lines(shard, from, upTo, CHUNK));
      Optional<Long> missing = missing(lines, at, upTo);
      if (missing.isPresent()) {
        return new Folded(digest, "line " + missing.get() + " is missing");
      }
      digest = chain.after(digest, at, lines);
      at += lines.size();
      progress.at(at - head.from(), head.line() - head.from());
    }
    return new Folded(digest, null);
  }

  private static Optional<Long> missing(List<LedgerLine> lines, long after, long upTo) {
    long expected = after;
    for (LedgerLine line : lines) {
      if (line.line() != ++expected) {
        return Optional.of(expected);
      }
    }
    return lines.size() < CHUNK && expected < upTo ? Optional.of(expected + 1) : Optional.empty();
  }
}
