package dev.laurel.core.pipeline;

import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.board.Routing;
import dev.laurel.core.guard.Watch;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.UpdateRule;
import dev.laurel.core.model.Window;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.TransactionLostException;
import java.util.Arrays;
import java.util.List;

/**
 * Scores and deletions of one batch, decided in order, one after the other, so that a batch of many
 * equals many batches of one. Belongs to the batch's thread.
 */
final class BatchScores {
  private final Calendars calendars;
  private final BatchGuard guard;
  private final BatchIds ids;
  private final BatchEntries entries;
  private final BatchLedger ledger;
  private final LineSeasons seasons;
  private final long now;

  BatchScores(
      Calendars calendars,
      BatchGuard guard,
      BatchIds ids,
      BatchEntries entries,
      BatchLedger ledger,
      LineSeasons seasons,
      long now) {
    this.calendars = calendars;
    this.guard = guard;
    this.ids = ids;
    this.entries = entries;
    this.ledger = ledger;
    this.seasons = seasons;
    this.now = now;
  }

  /** Announces a command that is going to be decided, so that entries are read together. */
  void expect(Board board, Validation.Valid valid, int user) {
    if (user != 0) {
      for (Season season : seasons(board, valid)) {
        entries.want(board, season, user);
      }
      for (Season season : board.seasons()) {
        if (ledger.isLinked(season) && valid.kind() != LedgerLine.Kind.DELETE) {
          entries.want(board, season, user);
        }
      }
    }
  }

  private List<Season> seasons(Board board, Validation.Valid valid) {
    if (valid.kind() == LedgerLine.Kind.DELETE) {
      return deletable(board);
    }
    Long at = valid.at();
    return Routing.route(board, calendars, at == null ? now : at, now)
            instanceof Routing.Route.To(var to)
        ? to
        : List.of();
  }

  /** A deletion takes the user out of every season that is still running. */
  private List<Season> deletable(Board board) {
    return board.seasons().stream().filter(s -> s.isOpen(now)).toList();
  }

  /**
   * @param user the user's number, 0 for somebody unknown
   */
  Decision decide(Board board, Validation.Valid valid, int user, Request request) {
    Decision repeated = ids.repeated(valid, user);
    if (repeated != null) {
      return request.wantsRanks() ? about(board, repeated) : repeated;
    }
    Rejection old = ids.tooOld(board, valid);
    Rejection refused = old == null ? ids.usedUp(valid) : old;
    if (refused != null) {
      return Decision.rejected(refused);
    }
    if (user == 0) {
      return valid.kind() == LedgerLine.Kind.DELETE
          ? Decision.userNotFound(board, valid.userId())
          : newcomer(board, valid);
    }
    return valid.kind() == LedgerLine.Kind.DELETE
        ? delete(board, valid, user, request)
        : score(board, valid, user, request);
  }

  /**
   * A score of somebody without a number: before the transaction it looked as if it would be
   * refused. If that is not so any more, the batch is tried again, and gives a number first.
   */
  private Decision newcomer(Board board, Validation.Valid valid) {
    Rejection refusal = Newcomers.refusal(board, calendars, guard.isWatching(board), valid, now);
    if (refusal == null) {
      throw new TransactionLostException(
          "board " + board.uuid() + " takes what it refused a moment ago");
    }
    return Decision.rejected(refusal);
  }

  /** A retry is answered about the season that the first answer was about, if it can be told. */
  private Decision about(Board board, Decision repeated) {
    if (!(repeated.outcome() instanceof Outcome.Accepted first)) {
      return repeated;
    }
    LedgerLine line = ledger.find(board, repeated.user(), first.line());
    List<Season> reached = line == null ? List.of() : seasons.of(line);
    return reached.isEmpty() ? repeated : repeated.about(shown(board, reached));
  }

  private Decision score(Board board, Validation.Valid valid, int user, Request request) {
    Long given = valid.at();
    long at = given == null ? now : given;
    return switch (Routing.route(board, calendars, at, now)) {
      case Routing.Route.Nowhere(var rejection) -> Decision.rejected(rejection);
      case Routing.Route.To(var seasons) -> {
        BatchEntries.Cell[] cells = cells(board, seasons, user);
        yield guarded(board, valid, user, request, given == null ? timeGiven(cells) : given, cells);
      }
    };
  }

  /**
   * The time of a submission without one of its own. It never loses to a fast clock elsewhere, so
   * it is not before what was seen of the user; but it stays within the seasons of now: nobody who
   * plays today counts tomorrow because some clock is there already.
   */
  private long timeGiven(BatchEntries.Cell[] cells) {
    long at = latest(cells, now);
    for (BatchEntries.Cell cell : cells) {
      at = Math.min(at, cell.season().end() - 1);
    }
    return at;
  }

  /** A board without a guard takes what it can apply. */
  private Decision guarded(
      Board board,
      Validation.Valid valid,
      int user,
      Request request,
      long at,
      BatchEntries.Cell[] cells) {
    if (!guard.isWatching(board)) {
      return apply(board, valid, user, request, at, cells);
    }
    long previous = ledger.previous(board, user, cells);
    Watch.Verdict verdict = guard.judge(board, valid, user, previous, at, request.address());
    GuardRule.Action action = verdict == null ? null : verdict.rule().action();
    if (verdict != null && action == GuardRule.Action.REFUSE) {
      return Decision.rejected(BatchGuard.refusal(verdict));
    }
    Decision decision =
        action == GuardRule.Action.QUARANTINE
            ? hold(board, valid, user, request, at, cells)
            : apply(board, valid, user, request, at, cells);
    if (decision.outcome() instanceof Outcome.Accepted) {
      guard.taken(board, ledger.last(board), verdict);
    }
    return decision;
  }

  /** It is in the ledger, its id is taken, and it changes nothing until it is released. */
  private Decision hold(
      Board board,
      Validation.Valid valid,
      int user,
      Request request,
      long at,
      BatchEntries.Cell[] cells) {
    long line = ledger.next(board);
    append(board, valid.held(), user, request, at, cells);
    for (BatchEntries.Cell cell : cells) {
      cell.link(line);
    }
    BatchEntries.Cell shown = cells[shown(board, cells)];
    ids.keep(valid, line, false, shown.entry());
    return Decision.accepted(Outcome.Effect.HELD, shown, user, line, missed(board, cells));
  }

  private BatchEntries.Cell[] cells(Board board, List<Season> seasons, int user) {
    BatchEntries.Cell[] cells = new BatchEntries.Cell[seasons.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = entries.cell(board, seasons.get(i), user);
    }
    return cells;
  }

  private static long latest(BatchEntries.Cell[] cells, long at) {
    long latest = at;
    for (BatchEntries.Cell cell : cells) {
      Entry entry = cell.entry();
      latest = entry == null ? latest : Math.max(latest, entry.seen());
    }
    return latest;
  }

  private Decision apply(
      Board board,
      Validation.Valid valid,
      int user,
      Request request,
      long at,
      BatchEntries.Cell[] cells) {
    long line = ledger.next(board);
    UpdateRule.Result.Applied[] results = new UpdateRule.Result.Applied[cells.length];
    for (int i = 0; i < cells.length; i++) {
      UpdateRule.Result result =
          UpdateRule.apply(
              board.order(),
              board.bounds(),
              cells[i].entry(),
              valid.mode(),
              valid.value(),
              at,
              line,
              valid.metadata());
      if (!(result instanceof UpdateRule.Result.Applied applied)) {
        return Decision.rejected(Validation.outOfBounds(board, valid));
      }
      results[i] = applied;
    }
    append(board, valid, user, request, at, cells);
    for (int i = 0; i < cells.length; i++) {
      cells[i].put(results[i].entry(), line);
    }
    int shown = shown(board, cells);
    boolean effective = results[shown].effective();
    ids.keep(valid, line, effective, cells[shown].entry());
    return Decision.accepted(
        effective ? Outcome.Effect.APPLIED : Outcome.Effect.UNCHANGED,
        cells[shown],
        user,
        line,
        missed(board, cells));
  }

  /** The windows that the event did not reach. */
  private static List<Window> missed(Board board, BatchEntries.Cell[] cells) {
    return cells.length == board.windows().size()
        ? List.of()
        : board.windows().stream()
            .filter(w -> Arrays.stream(cells).noneMatch(c -> c.season().window() == w.number()))
            .toList();
  }

  /** Which of the seasons the answer is about: the first window's, if it is among them. */
  private static int shown(Board board, BatchEntries.Cell[] reached) {
    int first = board.windows().getFirst().number();
    for (int i = 0; i < reached.length; i++) {
      if (reached[i].season().window() == first) {
        return i;
      }
    }
    return 0;
  }

  /** The same of a line of before. */
  private static Season shown(Board board, List<Season> reached) {
    int first = board.windows().getFirst().number();
    return reached.stream()
        .filter(season -> season.window() == first)
        .findFirst()
        .orElse(reached.getFirst());
  }

  private Decision delete(Board board, Validation.Valid valid, int user, Request request) {
    BatchEntries.Cell[] cells =
        Arrays.stream(cells(board, deletable(board), user))
            .filter(cell -> cell.entry() != null)
            .toArray(BatchEntries.Cell[]::new);
    // Also where there is no score: what is held back there is not to come up later.
    Season shown = null;
    for (BatchEntries.Cell cell : cells) {
      shown = shown == null && cell.isAlive() ? cell.season() : shown;
    }
    if (shown == null) {
      return Decision.userNotFound(board, valid.userId());
    }
    long line = ledger.next(board);
    append(board, valid, user, request, now, cells);
    for (BatchEntries.Cell cell : cells) {
      Entry entry = cell.entry();
      if (entry != null) {
        cell.put(UpdateRule.delete(entry, now, line), line);
      }
    }
    return new Decision(
        new Outcome.Accepted(Outcome.Effect.APPLIED, false, 0, now, 0, line, shown, List.of()),
        shown,
        user);
  }

  private void append(
      Board board,
      Validation.Valid valid,
      int user,
      Request request,
      long at,
      BatchEntries.Cell[] cells) {
    ledger.append(
        board,
        user,
        valid.kind(),
        valid.mode(),
        valid.value(),
        at,
        BatchLedger.windows(cells),
        ledger.previous(board, user, cells),
        request,
        valid.eventId(),
        valid.metadata());
  }
}
