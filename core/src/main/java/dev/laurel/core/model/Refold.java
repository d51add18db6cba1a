package dev.laurel.core.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final Iterable<LedgerLine> lines;

  /**
   * @param lines of one user on one board, in order: at least all that reached the seasons asked
   *     for; a view of what may grow
   */
  public Refold(Iterable<LedgerLine> lines) {
    this.lines = lines;
    lines.forEach(this::correct);
  }

  /** Takes what a line says of another one; whoever adds it to the lines calls this. */
  public void correct(LedgerLine line) {
    correct(line.kind(), line.value(), line.windows());
  }

  /** The same of a line that is not at hand. */
  public void correct(LedgerLine.Kind kind, long target, long windows) {
    switch (kind) {
      case REVERT -> reverted.merge(target, windows, (a, b) -> a | b);
      case RELEASE -> released.merge(target, windows, (a, b) -> a | b);
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
   * A season, and where its fold begins.
   *
   * @param base what lines of before, which are not among these, have made of the entry; null if
   *     there were none
   */
  public record Start(Season season, @Nullable Entry base) {}

  /** Whether a line reached a season. */
  @FunctionalInterface
  public interface Reach {
    /**
     * @param line one that names the season's window; of a deletion whether the season took events
     *     then
     */
    boolean of(Season season, LedgerLine line);
  }

  /**
   * What each of these seasons has, in their order; null where no line counts. The entry's last
   * line is that of the last one that counts. Goes through the lines once, however many seasons.
   */
  public List<@Nullable Entry> entries(Board board, List<Start> seasons, Reach reach) {
    List<@Nullable Entry> entries = new ArrayList<>(seasons.size());
    for (Entry state : states(board, seasons, reach)) {
      entries.add(state == null || state.isNone() ? null : state);
    }
    return entries;
  }

  /** The same as bases for lines to come: none where only lines that do not count were met. */
  public List<@Nullable Entry> states(Board board, List<Start> seasons, Reach reach) {
    List<Fold> folds = seasons.stream().map(season -> new Fold(board, season, reach)).toList();
    for (LedgerLine line : lines) {
      if (isSubmissionOrDeletion(line)) {
        folds.forEach(fold -> fold.take(line));
      }
    }
    List<@Nullable Entry> entries = new ArrayList<>(folds.size());
    folds.forEach(fold -> entries.add(fold.entry));
    return entries;
  }

  /** What a season has by then. */
  private final class Fold {
    private final Board board;
    private final Season season;
    private final Reach reach;
    private final long window;
    private @Nullable Entry entry;

    Fold(Board board, Start start, Reach reach) {
      this.board = board;
      this.season = start.season;
      this.reach = reach;
      this.window = 1L << season.window();
      this.entry = start.base;
    }

    void take(LedgerLine line) {
      if ((line.windows() & window) == 0 || !reach.of(season, line)) {
        return;
      }
      if (line.kind() == LedgerLine.Kind.DELETE) {
        // One line for all seasons in which the user had something and which took events then.
        if (entry != null) {
          entry = UpdateRule.delete(entry, line.at(), line.line());
        }
      } else if ((counting(line) & window) != 0) {
        entry = applied(board, entry, line);
      } else if (entry == null) {
        entry = Entry.none(line.line());
      }
    }
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
