package dev.laurel.core.store;

import dev.laurel.core.model.LedgerLine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;

/**
 * Lines of one shard by their numbers, in order, without their texts. Whoever goes through them has
 * some in memory at a time: a user may have sent any number of them. Belongs to one transaction.
 */
public final class StoredLines implements Iterable<LedgerLine> {
  /** Lines that are in memory at once. */
  private static final int CHUNK = 1000;

  private final ReadTransaction tx;
  private final int shard;
  private final long[] numbers;

  /**
   * @param numbers in order, each once
   */
  public StoredLines(ReadTransaction tx, int shard, long[] numbers) {
    this.tx = tx;
    this.shard = shard;
    this.numbers = numbers;
  }

  /** These lines, and all that each of them leads to; see {@link ReadTransaction#numbersBack}. */
  public static StoredLines back(ReadTransaction tx, int shard, Iterable<Long> lasts) {
    long[] all = {};
    for (long last : lasts) {
      if (Arrays.binarySearch(all, last) < 0) {
        all =
            LongStream.concat(
                    Arrays.stream(all),
                    Arrays.stream(tx.numbersBack(shard, last, Integer.MAX_VALUE)))
                .sorted()
                .distinct()
                .toArray();
      }
    }
    return new StoredLines(tx, shard, all);
  }

  @Override
  public Iterator<LedgerLine> iterator() {
    return new Lines(false);
  }

  /** The last one first. */
  public Iterable<LedgerLine> reversed() {
    return () -> new Lines(true);
  }

  private final class Lines implements Iterator<LedgerLine> {
    private final boolean backwards;
    private Iterator<LedgerLine> chunk = List.<LedgerLine>of().iterator();

    /** How many were read. */
    private int read;

    Lines(boolean backwards) {
      this.backwards = backwards;
    }

    @Override
    public boolean hasNext() {
      // A chunk is empty if its lines were pruned.
      while (!chunk.hasNext() && read < numbers.length) {
        chunk = next(Math.min(CHUNK, numbers.length - read)).iterator();
      }
      return chunk.hasNext();
    }

    private List<LedgerLine> next(int count) {
      int from = backwards ? numbers.length - read - count : read;
      List<LedgerLine> lines =
          new ArrayList<>(tx.linesAt(shard, Arrays.copyOfRange(numbers, from, from + count)));
      read += count;
      return backwards ? lines.reversed() : lines;
    }

    @Override
    public LedgerLine next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return chunk.next();
    }
  }
}
