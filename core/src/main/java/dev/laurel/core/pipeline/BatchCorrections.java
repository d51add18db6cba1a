package dev.laurel.core.pipeline;

import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Refold;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.StoredLines;
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    History history = history(board, user, touched.values());
    Refold refold = new Refold(history);
    long last = 0;
    int lines = 0;
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
        history.added.add(line);
        refold.correct(line);
        last = line.line();
        lines++;
      }
    }
    if (last > 0) {
      fold(board, List.copyOf(touched.values()), user, refold);
    }
    return Decision.accepted(
            last > 0 ? Outcome.Effect.APPLIED : Outcome.Effect.UNCHANGED,
            touched.values().iterator().next(),
            user,
            last,
            List.of())
        .corrected(lines, last > 0 ? touched.keySet() : Set.of());
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
      if (season.status().isCorrectable()) {
        cells.add(entries.cell(board, season, line.user()));
      }
    }
    return cells;
  }

  /**
   * All lines of the user that reached some seasons, in order, and more; without metadata.
   *
   * @param added those of the batch
   */
  private record History(StoredLines stored, List<LedgerLine> added)
      implements Iterable<LedgerLine> {
    @Override
    public Iterator<LedgerLine> iterator() {
      Iterator<LedgerLine> first = stored.iterator();
      Iterator<LedgerLine> then = added.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return first.hasNext() || then.hasNext();
        }

        @Override
        public LedgerLine next() {
          return first.hasNext() ? first.next() : then.next();
        }
      };
    }
  }

  private History history(Board board, int user, Iterable<BatchEntries.Cell> cells) {
    List<Long> lasts = new ArrayList<>();
    for (BatchEntries.Cell cell : cells) {
      Entry before = cell.before();
      if (before != null) {
        lasts.add(before.last());
      }
    }
    return new History(
        StoredLines.back(tx, board.shard(), lasts), new ArrayList<>(ledger.lines(board, user)));
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

  private void fold(Board board, List<BatchEntries.Cell> cells, int user, Refold refold) {
    List<Refold.Start> starts =
        cells.stream().map(BatchEntries.Cell::season).map(season -> start(season, user)).toList();
    List<@Nullable Entry> folded = refold.entries(board, starts, seasons::reached);
    for (int i = 0; i < cells.size(); i++) {
      BatchEntries.Cell cell = cells.get(i);
      Entry entry = folded.get(i);
      long last = cell.last();
      cell.put(
          entry == null
              ? Entry.none(last)
              : entry.withMetadata(metadata(board, cell, entry)).withLast(last),
          last);
    }
  }

  private Refold.Start start(Season season, int user) {
    return new Refold.Start(season, tx.bases(season.id(), new int[] {user}).getFirst());
  }

  /**
   * The lines that were folded have none, as that is most of what they are. What a pruned line said
   * is known as long as its score is the user's.
   */
  private @Nullable String metadata(Board board, BatchEntries.Cell cell, Entry entry) {
    if (entry.deleted()) {
      return null;
    }
    LedgerLine line = ledger.find(board, cell.user(), entry.line());
    if (line != null) {
      return line.metadata();
    }
    Entry before = cell.entry();
    return before != null && before.line() == entry.line() ? before.metadata() : null;
  }

  void write(WriteTransaction transaction) {
    revised.values().forEach(transaction::reviseSeason);
    for (Reviewed r : reviewed) {
      transaction.review(r.board, r.line, r.state, r.reviewer, now);
    }
  }
}
