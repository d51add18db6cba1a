package dev.laurel.core.pipeline;

import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Refold;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lines that are to count no more, or from now on: a line says so for each, and what the user has
 * in the seasons that they reached is folded anew. Belongs to the batch's thread.
 *
 * <p>One line serves all seasons that are linked: those that take events, or may do so again. Any
 * other gets a line of its own: its lines are linked among themselves, and later ones are not.
 */
final class BatchCorrections {
  private final ReadTransaction tx;
  private final BatchLedger ledger;
  private final BatchEntries entries;
  private final LineSeasons seasons;
  private final long now;

  /** Seasons whose final ranks say something else now. */
  private final Map<Long, Season> revised = new LinkedHashMap<>();

  private final List<Reviewed> reviewed = new ArrayList<>();

  /** A line about which somebody decided; it may have been caught by the board's guard. */
  private record Reviewed(long board, long line, Anomaly.State state, long reviewer) {}

  BatchCorrections(
      ReadTransaction tx, BatchLedger ledger, BatchEntries entries, LineSeasons seasons, long now) {
    this.tx = tx;
    this.ledger = ledger;
    this.entries = entries;
    this.seasons = seasons;
    this.now = now;
  }

  /** A line to correct, and the user's entry in each season that it reached and that is here. */
  private record Target(LedgerLine line, List<BatchEntries.Cell> cells) {}

  Decision correct(Board board, Command.Correct command, int user, Request request) {
    if (user == 0) {
      return Decision.userNotFound(board, command.userId());
    }
    List<Target> targets = new ArrayList<>();
    for (long number : command.lines()) {
      LedgerLine line = ledger.find(board, user, number);
      Rejection refused = refusal(board, user, number, line);
      if (refused != null || line == null) {
        return Decision.rejected(refused == null ? notFound(board, number) : refused);
      }
      targets.add(new Target(line, cells(board, line)));
    }
    Map<Long, BatchEntries.Cell> touched = new LinkedHashMap<>();
    for (Target target : targets) {
      target.cells.forEach(cell -> touched.put(cell.season().id(), cell));
    }
    if (touched.isEmpty()) {
      return Decision.rejected(archived(board, targets));
    }
    Map<Long, LedgerLine> history = history(board, user, touched.values());
    Refold refold = new Refold(history.values());
    long last = 0;
    for (Target target : targets) {
      reviewed.add(
          new Reviewed(
              board.id(),
              target.line.line(),
              command.what() == Command.Correction.REVERT
                  ? Anomaly.State.REJECTED
                  : Anomaly.State.APPROVED,
              request.caller()));
      for (LedgerLine line : append(board, command, target, request, refold)) {
        history.put(line.line(), line);
        refold.correct(line);
        last = line.line();
      }
    }
    if (last > 0) {
      touched.values().forEach(cell -> fold(board, cell, refold));
    }
    return Decision.accepted(
        last > 0 ? Outcome.Effect.APPLIED : Outcome.Effect.UNCHANGED,
        touched.values().iterator().next(),
        user,
        last,
        List.of());
  }

  private @Nullable Rejection refusal(
      Board board, int user, long number, @Nullable LedgerLine line) {
    if (line == null && number > 0 && number < tx.firstLine(board.shard())) {
      return Rejection.expectation(
          ErrorCode.LEDGER_PRUNED, "line", number, "one that was not pruned");
    }
    if (line == null || line.board() != board.id() || line.user() != user) {
      return notFound(board, number);
    }
    return line.kind().isSubmission()
        ? null
        : Rejection.expectation(
            ErrorCode.LINE_NOT_REVERTIBLE, "line", number + " (" + line.kind() + ")", "a score");
  }

  private static Rejection notFound(Board board, long number) {
    return Rejection.expectation(
        ErrorCode.LINE_NOT_FOUND, "line", number, "a line of the user on board " + board.uuid());
  }

  private static Rejection archived(Board board, List<Target> targets) {
    return Rejection.expectation(
        ErrorCode.SEASON_ARCHIVED,
        "line",
        targets.getFirst().line.line(),
        "a line in a season of board " + board.uuid() + " that is not archived");
  }

  private List<BatchEntries.Cell> cells(Board board, LedgerLine line) {
    List<BatchEntries.Cell> cells = new ArrayList<>();
    for (Season season : seasons.of(line)) {
      // What is in the archive is said to be final by a checksum.
      if (season.status().compareTo(SeasonStatus.ARCHIVING) < 0) {
        cells.add(entries.cell(board, season, line.user()));
      }
    }
    return cells;
  }

  /** All lines of the user that reached these seasons, by number, and more. */
  private Map<Long, LedgerLine> history(Board board, int user, Iterable<BatchEntries.Cell> cells) {
    TreeMap<Long, LedgerLine> history = new TreeMap<>();
    for (BatchEntries.Cell cell : cells) {
      Entry before = cell.before();
      if (before != null && !history.containsKey(before.last())) {
        tx.linesBack(board.shard(), before.last()).forEach(l -> history.put(l.line(), l));
      }
    }
    ledger.lines(board, user).forEach(line -> history.put(line.line(), line));
    return history;
  }

  /** The lines that are necessary; none if the target is as it should be. */
  private List<LedgerLine> append(
      Board board, Command.Correct command, Target target, Request request, Refold state) {
    long open = state.waiting(target.line);
    if (command.what() == Command.Correction.REVERT) {
      open |= state.counting(target.line);
    }
    List<BatchEntries.Cell> together = new ArrayList<>();
    List<List<BatchEntries.Cell>> groups = new ArrayList<>();
    for (BatchEntries.Cell cell : target.cells) {
      if ((open >> cell.season().window() & 1) != 0) {
        if (ledger.isLinked(cell.season())) {
          together.add(cell);
        } else {
          groups.add(List.of(cell));
        }
      }
    }
    if (!together.isEmpty()) {
      groups.add(together);
    }
    return groups.stream()
        .map(group -> append(board, command, target.line, request, group))
        .toList();
  }

  private LedgerLine append(
      Board board,
      Command.Correct command,
      LedgerLine target,
      Request request,
      List<BatchEntries.Cell> group) {
    BatchEntries.Cell[] cells = group.toArray(BatchEntries.Cell[]::new);
    LedgerLine line =
        ledger.append(
            board,
            target.user(),
            command.what() == Command.Correction.REVERT
                ? LedgerLine.Kind.REVERT
                : LedgerLine.Kind.RELEASE,
            target.mode(),
            target.line(),
            target.at(),
            BatchLedger.windows(cells),
            ledger.isLinked(cells[0].season())
                ? ledger.previous(board, target.user(), cells)
                : cells[0].last(),
            request,
            null,
            command.note());
    for (BatchEntries.Cell cell : cells) {
      cell.link(line.line());
      if (!cell.season().status().isWritable()) {
        revised.put(cell.season().id(), cell.season());
      }
    }
    return line;
  }

  private void fold(Board board, BatchEntries.Cell cell, Refold refold) {
    Season season = cell.season();
    Entry folded = refold.entry(board, season, line -> seasons.reached(season, line));
    long last = cell.last();
    cell.put(folded == null ? Entry.none(last) : folded.withLast(last), last);
  }

  void write(WriteTransaction transaction) {
    revised.values().forEach(transaction::reviseSeason);
    for (Reviewed r : reviewed) {
      transaction.review(r.board, r.line, r.state, r.reviewer, now);
    }
  }
}
