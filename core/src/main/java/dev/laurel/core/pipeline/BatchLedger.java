package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one batch: numbered on from the last ones of their shards, and each linked to the
 * line of its user before it. Belongs to the batch's thread.
 */
final class BatchLedger {
  private final ReadTransaction tx;
  private final BatchEntries entries;
  private final long now;
  private final long stamp;
  private final Map<Integer, ShardLines> shards = new TreeMap<>();

  /** Seasons that begin later than any event of now, and whether they have lines all the same. */
  private final Map<Long, Boolean> early = new HashMap<>();

  private static final class ShardLines {
    final long before;
    final List<LedgerLine> lines = new ArrayList<>();

    ShardLines(long before) {
      this.before = before;
    }

    long next() {
      return before + lines.size() + 1;
    }
  }

  /**
   * @param lastLines of the shards, which are locked
   */
  BatchLedger(
      ReadTransaction tx,
      BatchEntries entries,
      Map<Integer, Long> lastLines,
      long now,
      long stamp) {
    this.tx = tx;
    this.entries = entries;
    this.now = now;
    this.stamp = stamp;
    lastLines.forEach((shard, line) -> shards.put(shard, new ShardLines(line)));
  }

  /**
   * Whether lines of users who have an entry there are linked with those of other seasons: until it
   * is frozen, and after that as long as an edit may let it go on. A season that once was left out
   * can never be linked again. Both are stored, under the lock, so they are the same for whoever
   * comes next. A time is not: to another node, or after a step of the clock, a season is open
   * again that was closed.
   */
  boolean isLinked(Season season) {
    return (season.status().isWritable() || !season.settled())
        && (season.start() <= now + Validation.MAX_AHEAD_MILLIS || hasLines(season));
  }

  /** What a clock that was ahead has led there, or what was there before its start was moved. */
  private boolean hasLines(Season season) {
    return early.computeIfAbsent(season.id(), id -> tx.position(id) > 0);
  }

  /**
   * The user's last line in any season that is linked, not only in those that the next line
   * reaches: one line has one predecessor, and seasons overlap. So whoever goes back from the last
   * line of a season meets all of its lines.
   */
  long previous(Board board, int user, BatchEntries.Cell... reached) {
    long previous = 0;
    for (BatchEntries.Cell cell : reached) {
      previous = Math.max(previous, cell.last());
    }
    for (Season season : board.seasons()) {
      if (isLinked(season)) {
        previous = Math.max(previous, entries.cell(board, season, user).last());
      }
    }
    return previous;
  }

  /** The windows of these seasons, a bit for each. */
  static long windows(BatchEntries.Cell... reached) {
    long windows = 0;
    for (BatchEntries.Cell cell : reached) {
      windows |= 1L << cell.season().window();
    }
    return windows;
  }

  /**
   * A line of the store or of this batch, and those it leads to, in order; see {@link
   * ReadTransaction#linesBack}.
   */
  List<LedgerLine> linesBack(Board board, long last, int limit) {
    ShardLines shard = lines(board);
    ArrayDeque<LedgerLine> found = new ArrayDeque<>();
    long number = last;
    while (number > shard.before && found.size() < limit) {
      LedgerLine line = shard.lines.get((int) (number - shard.before - 1));
      found.addFirst(line);
      number = line.previous();
    }
    List<LedgerLine> lines = new ArrayList<>();
    if (number != 0 && found.size() < limit) {
      lines.addAll(tx.linesBack(board.shard(), number, limit - found.size()));
    }
    lines.addAll(found);
    return lines;
  }

  /** The number of the board's next line. */
  long next(Board board) {
    return lines(board).next();
  }

  /** Returns the new line. */
  LedgerLine append(
      Board board,
      int user,
      LedgerLine.Kind kind,
      Update mode,
      long value,
      long at,
      long windows,
      long previous,
      Request request,
      @Nullable String eventId,
      @Nullable String metadata) {
    ShardLines shard = lines(board);
    LedgerLine line =
        new LedgerLine(
            board.shard(),
            shard.next(),
            board.id(),
            user,
            kind,
            mode,
            value,
            at,
            windows,
            board.version(),
            previous,
            stamp,
            request.caller(),
            eventId,
            metadata,
            request.client(),
            null);
    shard.lines.add(line);
    return line;
  }

  /** The last line of the batch in the board's shard. */
  LedgerLine last(Board board) {
    return lines(board).lines.getLast();
  }

  /** The user's lines of this batch. */
  List<LedgerLine> lines(Board board, int user) {
    return lines(board).lines.stream()
        .filter(line -> line.user() == user && line.board() == board.id())
        .toList();
  }

  /** A line of the batch, if it is the user's, or of any before it; null if it is not there. */
  @Nullable LedgerLine find(Board board, int user, long number) {
    for (LedgerLine line : lines(board, user)) {
      if (line.line() == number) {
        return line;
      }
    }
    List<LedgerLine> stored = tx.lines(board.shard(), number - 1, number, 1);
    return stored.isEmpty() ? null : stored.getFirst();
  }

  private ShardLines lines(Board board) {
    ShardLines lines = shards.get(board.shard());
    if (lines == null) {
      throw new IllegalStateException("shard " + board.shard() + " is not locked");
    }
    return lines;
  }

  /** Stores the lines. */
  void write(WriteTransaction transaction) {
    shards.forEach(
        (shard, lines) -> {
          if (!lines.lines.isEmpty()) {
            transaction.append(shard, lines.lines);
          }
        });
  }

  /** How many lines each board has, by its number. */
  Map<Long, Integer> linesByBoard() {
    Map<Long, Integer> counts = new HashMap<>();
    for (ShardLines shard : shards.values()) {
      int from = 0;
      for (int i = 1; i <= shard.lines.size(); i++) {
        long board = shard.lines.get(from).board();
        if (i == shard.lines.size() || shard.lines.get(i).board() != board) {
          counts.merge(board, i - from, Integer::sum);
          from = i;
        }
      }
    }
    return counts;
  }

  int lineCount() {
    return shards.values().stream().mapToInt(s -> s.lines.size()).sum();
  }

  /** The first line of each shard that the batch wrote to. */
  Map<Integer, Long> firstLines() {
    Map<Integer, Long> first = new TreeMap<>();
    shards.forEach(
        (shard, lines) -> {
          if (!lines.lines.isEmpty()) {
            first.put(shard, lines.before + 1);
          }
        });
    return first;
  }
}
