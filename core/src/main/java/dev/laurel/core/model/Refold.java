package dev.laurel.core.model;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a user's lines make of an entry when some of them do not count: the rest, in ledger order,
 * each by the mode it was applied with. Pure. Applying a line to an entry and folding all lines
 * anew give the same, so what was reverted leaves no trace but its lines.
 */
public final class Refold {
  /** Lines were accepted under the board's bounds; what is left without some may be beyond. */
  private static final Bounds ALL = new Bounds(Long.MIN_VALUE, Long.MAX_VALUE);

  /** By line, the windows in which it was reverted, and those in which it was released. */
  private final Map<Long, Long> reverted = new HashMap<>();

  private final Map<Long, Long> released = new HashMap<>();
  private final Collection<LedgerLine> lines;

  /**
   * @param lines of one user on one board, in order: at least all that reached the seasons asked
   *     for; a view of what may grow
   */
  public Refold(Collection<LedgerLine> lines) {
    this.lines = lines;
    lines.forEach(this::correct);
  }

  /** Takes what a line says of another one; whoever adds it to the lines calls this. */
  public void correct(LedgerLine line) {
    switch (line.kind()) {
      case REVERT -> reverted.merge(line.value(), line.windows(), (a, b) -> a | b);
      case RELEASE -> released.merge(line.value(), line.windows(), (a, b) -> a | b);
      case SCORE, DELETE, HOLD, ERASE -> {}
    }
  }

  /** The windows in which a score counts. */
  public long counting(LedgerLine line) {
    return switch (line.kind()) {
      case SCORE -> line.windows() & ~windows(reverted, line);
      case HOLD -> windows(released, line) & ~windows(reverted, line);
      case DELETE, REVERT, RELEASE, ERASE -> 0;
    };
  }

  /** The windows in which a held score waits for a decision. */
  public long waiting(LedgerLine line) {
    return line.kind() == LedgerLine.Kind.HOLD
        ? line.windows() & ~windows(released, line) & ~windows(reverted, line)
        : 0;
  }

  private static long windows(Map<Long, Long> byLine, LedgerLine line) {
    return byLine.getOrDefault(line.line(), 0L);
  }

  /**
   * Null if no line counts. The entry's last line is that of the last one that counts.
   *
   * @param reached of a line that names the season's window: whether it reached the season; of a
   *     deletion whether the season took events then
   */
  public @Nullable Entry entry(Board board, Season season, Predicate<LedgerLine> reached) {
    long window = 1L << season.window();
    @Nullable Entry entry = null;
    boolean met = false;
    for (LedgerLine line : lines) {
      if ((line.windows() & window) == 0 || !isSubmissionOrDeletion(line) || !reached.test(line)) {
        continue;
      }
      if (line.kind() == LedgerLine.Kind.DELETE) {
        // One line for all seasons in which the user had something and which took events then.
        if (met) {
          Entry before = entry == null ? Entry.none(line.line()) : entry;
          entry = UpdateRule.delete(before, line.at(), line.line());
        }
      } else {
        met = true;
        if ((counting(line) & window) != 0) {
          entry = applied(board, entry, line);
        }
      }
    }
    return entry;
  }

  private static boolean isSubmissionOrDeletion(LedgerLine line) {
    return line.kind().isSubmission() || line.kind() == LedgerLine.Kind.DELETE;
  }

  private static Entry applied(Board board, @Nullable Entry before, LedgerLine line) {
    UpdateRule.Result result =
        UpdateRule.apply(
            board.order(),
            ALL,
            before,
            line.mode(),
            line.value(),
            line.at(),
            line.line(),
            line.metadata());
    if (result instanceof UpdateRule.Result.Applied applied) {
      return applied.entry();
    }
    // A sum that 64 bits do not hold, as it has lost what kept it small: as far as they go.
    long end = line.value() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    return new Entry(end, line.at(), line.at(), line.line(), line.line(), false, line.metadata());
  }
}
