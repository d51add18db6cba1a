package dev.laurel.core.guard;

import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.ReadTransaction;
import java.util.Arrays;
import java.util.List;

/**
 * The last submissions of a user on a board: what the lines before a line say, and nothing else. So
 * it is the same on every node and after every start, and whoever holds one knows by its last line
 * whether it is still right. One thread.
 *
 * <p>All submissions count for how often a user sends. What is held or was undone does not count
 * for how much: an honest score must not look odd beside a score that never counted.
 */
public final class History {
  /** As many lines are looked at. */
  public static final int LENGTH = 256;

  /** Less is nothing to compare with. */
  static final int MINIMUM = 10;

  /** The time of a line that is no submission. */
  private static final long NONE = Long.MIN_VALUE;

  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;

  private long[] times = new long[8];
  private long[] values = new long[8];
  private long[] lines = new long[8];

  /** Whether the value counts: it is neither held nor undone. */
  private boolean[] counts = new boolean[8];

  private int count;
  private long last;

  private History() {}

  /** What leads to a line, that line included; 0 for nothing. */
  public static History before(ReadTransaction tx, int shard, long last) {
    return of(last == 0 ? List.of() : tx.linesBack(shard, last, LENGTH), last);
  }

  /** The same of lines that were found. */
  static History of(List<LedgerLine> lines, long last) {
    History history = new History();
    lines.forEach(history::add);
    history.last = last;
    return history;
  }

  History copy() {
    History copy = new History();
    copy.times = times.clone();
    copy.values = values.clone();
    copy.lines = lines.clone();
    copy.counts = counts.clone();
    copy.count = count;
    copy.last = last;
    return copy;
  }

  /** Of somebody of whom nothing is known. */
  public static History empty() {
    return new History();
  }

  /** The line up to which it goes. */
  public long last() {
    return last;
  }

  /** The user's next line. */
  public void add(LedgerLine line) {
    last = line.line();
    switch (line.kind()) {
      case REVERT -> mark(line.value(), false);
      case RELEASE -> mark(line.value(), true);
      case SCORE, HOLD, DELETE, ERASE -> {}
    }
    makeRoom();
    // All lines have a place, so that line by line and all at once give the same.
    times[count] = line.kind().isSubmission() ? line.at() : NONE;
    values[count] = line.value();
    lines[count] = line.line();
    counts[count++] = line.kind() == LedgerLine.Kind.SCORE;
  }

  /** A line of before that is not among the last ones any more has no say anyway. */
  private void mark(long line, boolean isCounting) {
    for (int i = count - 1; i >= 0 && lines[i] >= line; i--) {
      if (lines[i] == line) {
        counts[i] = isCounting;
      }
    }
  }

  private void makeRoom() {
    if (count == LENGTH) {
      count--;
      System.arraycopy(times, 1, times, 0, count);
      System.arraycopy(values, 1, values, 0, count);
      System.arraycopy(lines, 1, lines, 0, count);
      System.arraycopy(counts, 1, counts, 0, count);
    } else if (count == times.length) {
      times = Arrays.copyOf(times, 2 * count);
      values = Arrays.copyOf(values, 2 * count);
      lines = Arrays.copyOf(lines, 2 * count);
      counts = Arrays.copyOf(counts, 2 * count);
    }
  }

  /** What is odd about the next submission. */
  public Features features(
      Update mode, long value, long at, double boardZScore, int usersPerAddress) {
    int perMinute = 1;
    int perHour = 1;
    double from = 0;
    Spread spread = new Spread();
    for (int i = 0; i < count; i++) {
      if (times[i] == NONE) {
        continue;
      }
      long age = at - times[i];
      perMinute += age < MINUTE && age > -MINUTE ? 1 : 0;
      perHour += age < HOUR && age > -HOUR ? 1 : 0;
      if (counts[i]) {
        from = mode == Update.SUM ? 0 : (double) values[i];
        spread.add((double) values[i]);
      }
    }
    return new Features(
        perMinute,
        perHour,
        spread.zScore((double) value, MINIMUM),
        boardZScore,
        Math.abs((double) value - from),
        usersPerAddress);
  }
}
