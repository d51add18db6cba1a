package dev.laurel.testkit;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.UpdateRule;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a board must say, worked out slowly: the ledger folded line by line, sorted as a list. */
public final class BoardOracle {
  private BoardOracle() {}

  /** One expected row. */
  public record Row(long rank, String userId, long score, long reached) {}

  /**
   * The entries that the lines of a board with one season make: lines that were reverted, or held
   * and not released, are left out, as if nobody had sent them.
   */
  public static Map<Integer, Entry> fold(Board board, List<LedgerLine> all) {
    // An erasure says something about the user, and nothing about the entry.
    List<LedgerLine> lines =
        all.stream()
            .filter(line -> line.board() == board.id() && line.kind() != LedgerLine.Kind.ERASE)
            .toList();
    Set<Long> reverted = named(lines, LedgerLine.Kind.REVERT);
    Set<Long> released = named(lines, LedgerLine.Kind.RELEASE);
    Map<Integer, Entry> entries = new HashMap<>();
    for (LedgerLine line : lines) {
      Entry before = entries.get(line.user());
      boolean counts =
          line.kind() == LedgerLine.Kind.SCORE
              || (line.kind() == LedgerLine.Kind.HOLD && released.contains(line.line()));
      Entry after;
      if (line.kind() == LedgerLine.Kind.DELETE) {
        if (before == null) {
          throw new AssertionError("line " + line.line() + " deletes nobody");
        }
        after = UpdateRule.delete(before, line.at(), line.line());
      } else if (counts && !reverted.contains(line.line())) {
        after = apply(board, before, line);
      } else {
        after = before == null ? Entry.none(line.line()) : before;
      }
      entries.put(line.user(), after.withLast(line.line()));
    }
    return entries;
  }

  private static Set<Long> named(List<LedgerLine> lines, LedgerLine.Kind kind) {
    return lines.stream()
        .filter(line -> line.kind() == kind)
        .map(LedgerLine::value)
        .collect(Collectors.toSet());
  }

  /** What a board accepted stays so, also when the sum it was added to was less by then. */
  private static Entry apply(Board board, @Nullable Entry before, LedgerLine line) {
    UpdateRule.Result result =
        UpdateRule.apply(
            board.order(),
            new Bounds(Long.MIN_VALUE, Long.MAX_VALUE),
            before,
            line.mode(),
            line.value(),
            line.at(),
            line.line(),
            line.metadata());
    if (!(result instanceof UpdateRule.Result.Applied applied)) {
      throw new AssertionError("line " + line.line() + " was accepted out of bounds");
    }
    return applied.entry();
  }

  public static List<Row> rank(Board board, Map<Integer, Entry> entries, UserDictionary users) {
    record Placed(String id, Entry entry) {}
    List<Placed> sorted = new ArrayList<>();
    entries.forEach(
        (user, entry) -> {
          if (!entry.deleted()) {
            sorted.add(new Placed(users.id(user), entry));
          }
        });
    sorted.sort(
        Comparator.<Placed>comparingLong(p -> board.order().key(p.entry().score()))
            .thenComparingLong(p -> p.entry().reached())
            .thenComparing(Placed::id, UserIds::compare));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      Placed placed = sorted.get(i);
      boolean tied = i > 0 && rows.getLast().score() == placed.entry().score();
      long rank;
      if (board.ties() == Ties.EARLIEST_FIRST) {
        rank = i + 1L;
      } else if (tied) {
        rank = rows.getLast().rank();
      } else {
        rank = board.ties() == Ties.SHARED || i == 0 ? i + 1L : rows.getLast().rank() + 1;
      }
      rows.add(new Row(rank, placed.id(), placed.entry().score(), placed.entry().reached()));
    }
    return rows;
  }

  /** What a ranking says, in the same form. */
  public static List<Row> rows(Ranking ranking, UserDictionary users) {
    List<Row> rows = new ArrayList<>();
    ranking.page(
        0,
        Integer.MAX_VALUE,
        (rank, user, score, reached) -> rows.add(new Row(rank, users.id(user), score, reached)));
    return rows;
  }
}
