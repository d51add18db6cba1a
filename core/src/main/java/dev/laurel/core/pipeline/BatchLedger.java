package dev.laurel.core.pipeline;

import dev.laurel.core.board.Routing;
import dev.laurel.core.guard.Watch;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Units;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.UpdateRule;
import dev.laurel.core.model.Window;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lines and ids of one batch while it is decided: commands are applied in order, one after the
 * other, so that a batch of many equals many batches of one. Belongs to one thread.
 */
final class BatchLedger {
  private final Calendars calendars;
  private final BatchGuard guard;
  private final long now;
  private final long stamp;
  private final Map<Integer, ShardLines> shards;
  private final Map<StoredId.Name, StoredId> known;
  private final Map<StoredId.Name, StoredId> newIds = new LinkedHashMap<>();
  private final Set<StoredId.Name> expired = new HashSet<>();
  private final BatchEntries entries;
  private final BatchCorrections corrections;

  /** What became of a command, and whose rank in which season it is about (0: none). */
  record Decision(Outcome outcome, long season, int user) {}

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
   * @param known the ids of the batch that were used before it
   */
  BatchLedger(
      ReadTransaction tx,
      Calendars calendars,
      Watch watch,
      long now,
      long stamp,
      Map<Integer, Long> lastLines,
      Map<StoredId.Name, StoredId> known) {
    this.guard = new BatchGuard(tx, watch, now);
    this.calendars = calendars;
    this.now = now;
    this.stamp = stamp;
    this.known = known;
    this.shards = new TreeMap<>();
    lastLines.forEach((shard, line) -> shards.put(shard, new ShardLines(line)));
    this.entries = new BatchEntries(tx);
    this.corrections = new BatchCorrections(tx, this, entries, now);
  }

  /** Announces a command that is going to be decided, so that entries are read together. */
  void expect(Board board, Validation.Valid valid, int user) {
    if (user != 0) {
      for (Season season : seasons(board, valid)) {
        entries.want(board, season, user);
      }
      for (Season season : board.seasons()) {
        if (isLinked(season) && valid.kind() != LedgerLine.Kind.DELETE) {
          entries.want(board, season, user);
        }
      }
    }
  }

  /** Reads what was announced. */
  void load() {
    entries.load();
  }

  /** Whether lines of users who have an entry there are linked with those of other seasons. */
  private boolean isLinked(Season season) {
    return season.isOpen(now) && season.start() <= now + Validation.MAX_AHEAD_MILLIS;
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
    StoredId.Name id = valid.id();
    if (id != null) {
      StoredId stored = known.get(id);
      if (stored != null && !valid.isHeldBy(stored, now)) {
        expire(id);
        stored = null;
      }
      StoredId used = stored == null ? newIds.get(id) : stored;
      if (used != null) {
        return repeated(board, valid, user, used);
      }
    }
    if (user == 0) {
      // Scores gave the id a number before the transaction; so this is a deletion.
      return rejected(userNotFound(board, valid.userId()));
    }
    return valid.kind() == LedgerLine.Kind.DELETE
        ? delete(board, valid, user, request)
        : score(board, valid, user, request);
  }

  private Decision repeated(Board board, Validation.Valid valid, int user, StoredId used) {
    if (valid.action()) {
      return rejected(
          Rejection.expectation(
              ErrorCode.ACTION_REPLAYED,
              "action_id",
              String.valueOf(valid.eventId()),
              "a new id for each completion; this one was taken"));
    }
    if (!used.payload().equals(valid.payload())) {
      return rejected(
          Rejection.expectation(
              ErrorCode.EVENT_ID_CONFLICT,
              "eventId",
              String.valueOf(valid.eventId()),
              "a new id for a new event; this one was used for another"));
    }
    return new Decision(
        new Outcome.Accepted(
            Outcome.Effect.DUPLICATE,
            true,
            used.score(),
            used.reached(),
            0,
            used.line(),
            null,
            List.of()),
        board.primary().id(),
        user);
  }

  private Decision score(Board board, Validation.Valid valid, int user, Request request) {
    Long given = valid.at();
    long at = given == null ? now : given;
    Routing.Route route = Routing.route(board, calendars, at, now);
    if (given == null && route instanceof Routing.Route.To(var seasons)) {
      // Without a time of its own a submission never loses to a fast clock elsewhere.
      long latest = latest(cells(board, seasons, user), at);
      if (latest != at) {
        at = latest;
        route = Routing.route(board, calendars, at, now);
      }
    }
    return switch (route) {
      case Routing.Route.Nowhere(var rejection) -> rejected(rejection);
      case Routing.Route.To(var seasons) ->
          guarded(board, valid, user, request, at, cells(board, seasons, user));
    };
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
    long previous = previous(board, user, cells);
    Watch.Verdict verdict = guard.judge(board, valid, user, previous, at, request.address());
    GuardRule.Action action = verdict == null ? null : verdict.rule().action();
    if (verdict != null && action == GuardRule.Action.REFUSE) {
      return rejected(BatchGuard.refusal(verdict));
    }
    Decision decision =
        action == GuardRule.Action.QUARANTINE
            ? hold(board, valid, user, request, at, cells)
            : apply(board, valid, user, request, at, cells);
    if (decision.outcome() instanceof Outcome.Accepted) {
      guard.taken(board, lines(board).lines.getLast(), verdict);
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
    long line = lines(board).next();
    append(board, valid.held(), user, request, at, cells);
    for (BatchEntries.Cell cell : cells) {
      Entry entry = cell.entry();
      cell.put(entry == null ? Entry.none(line) : entry.withLast(line), line);
    }
    BatchEntries.Cell shown = cells[shown(board, cells)];
    Entry entry = shown.entry();
    long score = entry == null ? 0 : entry.score();
    long reached = entry == null ? 0 : entry.reached();
    keep(valid, line, false, score, reached);
    return new Decision(
        new Outcome.Accepted(
            Outcome.Effect.HELD,
            shown.isAlive(),
            score,
            reached,
            0,
            line,
            shown.season(),
            missed(board, cells)),
        shown.season().id(),
        user);
  }

  private void keep(
      Validation.Valid valid, long line, boolean effective, long score, long reached) {
    if (valid.id() != null && valid.payload() != null) {
      keep(
          new StoredId(
              valid.id().board(),
              valid.id().key(),
              valid.payload(),
              line,
              effective,
              score,
              reached,
              now,
              null));
    }
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
    long line = lines(board).next();
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
        return rejected(
            Validation.outOfBounds(board, Units.format(valid.value(), board.decimals())));
      }
      results[i] = applied;
    }
    append(board, valid, user, request, at, cells);
    for (int i = 0; i < cells.length; i++) {
      cells[i].put(results[i].entry(), line);
    }
    int shown = shown(board, cells);
    UpdateRule.Result.Applied first = results[shown];
    Entry entry = first.entry();
    keep(valid, line, first.effective(), entry.score(), entry.reached());
    Outcome.Effect effect = first.effective() ? Outcome.Effect.APPLIED : Outcome.Effect.UNCHANGED;
    Season season = cells[shown].season();
    return new Decision(
        new Outcome.Accepted(
            effect,
            !entry.deleted(),
            entry.score(),
            entry.reached(),
            0,
            line,
            season,
            missed(board, cells)),
        season.id(),
        user);
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
  private static int shown(Board board, BatchEntries.Cell[] cells) {
    int first = board.windows().getFirst().number();
    for (int i = 0; i < cells.length; i++) {
      if (cells[i].season().window() == first) {
        return i;
      }
    }
    return 0;
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
      return rejected(userNotFound(board, valid.userId()));
    }
    long line = lines(board).next();
    append(board, valid, user, request, now, cells);
    for (BatchEntries.Cell cell : cells) {
      Entry entry = cell.entry();
      if (entry != null) {
        cell.put(UpdateRule.delete(entry, now, line), line);
      }
    }
    return new Decision(
        new Outcome.Accepted(Outcome.Effect.APPLIED, false, 0, now, 0, line, shown, List.of()),
        shown.id(),
        user);
  }

  /** See {@link BatchCorrections}. */
  Decision correct(Board board, Command.Correct command, int user, Request request) {
    return corrections.correct(board, command, user, request);
  }

  private void append(
      Board board,
      Validation.Valid valid,
      int user,
      Request request,
      long at,
      BatchEntries.Cell[] cells) {
    append(
        board,
        user,
        valid.kind(),
        valid.mode(),
        valid.value(),
        at,
        windows(cells),
        previous(board, user, cells),
        request,
        valid.eventId(),
        valid.metadata());
  }

  private static long windows(BatchEntries.Cell[] cells) {
    long windows = 0;
    for (BatchEntries.Cell cell : cells) {
      windows |= 1L << cell.season().window();
    }
    return windows;
  }

  /**
   * The user's last line in any season that takes events, not only in those that the next line
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

  /** The user's lines of this batch. */
  List<LedgerLine> lines(Board board, int user) {
    return lines(board).lines.stream()
        .filter(line -> line.user() == user && line.board() == board.id())
        .toList();
  }

  private ShardLines lines(Board board) {
    ShardLines lines = shards.get(board.shard());
    if (lines == null) {
      throw new IllegalStateException("shard " + board.shard() + " is not locked");
    }
    return lines;
  }

  static Decision rejected(Rejection rejection) {
    return new Decision(new Outcome.Rejected(rejection), 0, 0);
  }

  static Rejection userNotFound(Board board, String userId) {
    return Rejection.expectation(
        ErrorCode.USER_NOT_FOUND, "userId", userId, "a user of board " + board.uuid());
  }

  /** An id that was used so long ago that it may be used again. */
  void expire(StoredId.Name name) {
    expired.add(name);
  }

  Collection<StoredId.Name> expired() {
    return expired;
  }

  void keep(StoredId id) {
    newIds.put(id.name(), id);
  }

  /** How each season moves. */
  List<BatchEntries.Move> moves() {
    return entries.moves();
  }

  /** Stores the lines and the entries. The ids come last. */
  void write(WriteTransaction transaction) {
    shards.forEach(
        (shard, lines) -> {
          if (!lines.lines.isEmpty()) {
            transaction.append(shard, lines.lines);
          }
        });
    entries.write(transaction);
    corrections.write(transaction);
    guard.write(transaction);
  }

  Collection<StoredId> newIds() {
    return newIds.values();
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
