package dev.laurel.core.pipeline;

import dev.laurel.core.board.Routing;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Units;
import dev.laurel.core.model.UpdateRule;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The lines and ids of one batch while it is decided: commands are applied in order, one after the
 * other, so that a batch of many equals many batches of one. Belongs to one thread.
 */
final class BatchLedger {
  private final Users users;
  private final Calendars calendars;
  private final long now;
  private final long stamp;
  private final Map<Integer, ShardLines> shards;
  private final Map<StoredId.Name, StoredId> known;
  private final Map<StoredId.Name, StoredId> newIds = new LinkedHashMap<>();
  private final BatchEntries entries;

  /** What became of a command, and whose rank in which season it is about (0: none). */
  record Decision(Outcome outcome, long season, int user) {}

  /** A request's commands with the board they meet. */
  record Intent(Board board, List<Validation.Checked> commands) {}

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
   * @param intents what the batch is going to ask, so that its entries are read together
   */
  BatchLedger(
      ReadTransaction tx,
      Users users,
      Calendars calendars,
      long now,
      long stamp,
      Map<Integer, Long> lastLines,
      Map<StoredId.Name, StoredId> known,
      List<Intent> intents) {
    this.users = users;
    this.calendars = calendars;
    this.now = now;
    this.stamp = stamp;
    this.known = known;
    this.shards = new TreeMap<>();
    lastLines.forEach((shard, line) -> shards.put(shard, new ShardLines(line)));
    this.entries = new BatchEntries(tx, wanted(intents));
  }

  private Map<Long, Set<Integer>> wanted(List<Intent> intents) {
    Map<Long, Set<Integer>> wanted = new LinkedHashMap<>();
    for (Intent intent : intents) {
      UserDictionary dictionary = users.of(intent.board().tenant());
      for (Validation.Checked checked : intent.commands()) {
        if (checked instanceof Validation.Valid valid) {
          int user = dictionary.find(valid.userId());
          if (user != 0) {
            for (Season season : seasons(intent.board(), valid)) {
              wanted.computeIfAbsent(season.id(), s -> new LinkedHashSet<>()).add(user);
            }
          }
        }
      }
    }
    return wanted;
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

  Decision decide(Board board, Validation.Valid valid, long caller) {
    StoredId.Name id = valid.id();
    if (id != null) {
      StoredId used = known.getOrDefault(id, newIds.get(id));
      if (used != null) {
        return repeated(board, valid, used);
      }
    }
    int user = users.of(board.tenant()).find(valid.userId());
    if (user == 0) {
      // Scores gave the id a number before the transaction; so this is somebody unknown.
      return rejected(userNotFound(board, valid.userId()));
    }
    return valid.kind() == LedgerLine.Kind.DELETE
        ? delete(board, valid, user, caller)
        : score(board, valid, user, caller);
  }

  private Decision repeated(Board board, Validation.Valid valid, StoredId used) {
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
            Outcome.Effect.DUPLICATE, true, used.score(), used.reached(), 0, used.line()),
        board.primary().id(),
        users.of(board.tenant()).find(valid.userId()));
  }

  private Decision score(Board board, Validation.Valid valid, int user, long caller) {
    Long given = valid.at();
    long at = given == null ? now : given;
    Routing.Route route = Routing.route(board, calendars, at, now);
    if (given == null && route instanceof Routing.Route.To(var seasons)) {
      // Without a time of its own a submission never loses to a fast clock elsewhere.
      long latest = latest(seasons, user, at);
      if (latest != at) {
        at = latest;
        route = Routing.route(board, calendars, at, now);
      }
    }
    return switch (route) {
      case Routing.Route.Nowhere(var rejection) -> rejected(rejection);
      case Routing.Route.To(var seasons) -> apply(board, valid, user, caller, at, seasons);
    };
  }

  private long latest(List<Season> seasons, int user, long at) {
    long latest = at;
    for (Season season : seasons) {
      Entry entry = entries.get(season, user);
      latest = entry == null ? latest : Math.max(latest, entry.seen());
    }
    return latest;
  }

  private Decision apply(
      Board board, Validation.Valid valid, int user, long caller, long at, List<Season> seasons) {
    long line = lines(board).next();
    List<UpdateRule.Result.Applied> results = new ArrayList<>(seasons.size());
    for (Season season : seasons) {
      UpdateRule.Result result =
          UpdateRule.apply(
              board.order(),
              board.bounds(),
              entries.get(season, user),
              valid.mode(),
              valid.value(),
              at,
              line,
              valid.metadata());
      if (!(result instanceof UpdateRule.Result.Applied applied)) {
        return rejected(
            Validation.outOfBounds(board, Units.format(valid.value(), board.decimals())));
      }
      results.add(applied);
    }
    append(board, valid, user, caller, at, seasons);
    for (int i = 0; i < seasons.size(); i++) {
      entries.put(board, seasons.get(i), user, results.get(i).entry(), line);
    }
    int shown = shown(board, seasons);
    UpdateRule.Result.Applied first = results.get(shown);
    Entry entry = first.entry();
    if (valid.id() != null && valid.payload() != null) {
      keep(
          new StoredId(
              valid.id().board(),
              valid.id().key(),
              valid.payload(),
              line,
              first.effective(),
              entry.score(),
              entry.reached(),
              now,
              null));
    }
    Outcome.Effect effect = first.effective() ? Outcome.Effect.APPLIED : Outcome.Effect.UNCHANGED;
    return new Decision(
        new Outcome.Accepted(effect, !entry.deleted(), entry.score(), entry.reached(), 0, line),
        seasons.get(shown).id(),
        user);
  }

  /** Which of the seasons the answer is about: the first window's, if it is among them. */
  private static int shown(Board board, List<Season> seasons) {
    int first = board.windows().getFirst().number();
    for (int i = 0; i < seasons.size(); i++) {
      if (seasons.get(i).window() == first) {
        return i;
      }
    }
    return 0;
  }

  private Decision delete(Board board, Validation.Valid valid, int user, long caller) {
    List<Season> seasons = deletable(board).stream().filter(s -> entries.has(s, user)).toList();
    if (seasons.isEmpty()) {
      return rejected(userNotFound(board, valid.userId()));
    }
    long line = lines(board).next();
    long at = latest(seasons, user, now);
    append(board, valid, user, caller, at, seasons);
    for (Season season : seasons) {
      Entry entry = entries.get(season, user);
      if (entry != null) {
        entries.put(board, season, user, UpdateRule.delete(entry, at, line), line);
      }
    }
    return new Decision(
        new Outcome.Accepted(Outcome.Effect.APPLIED, false, 0, at, 0, line),
        seasons.getFirst().id(),
        user);
  }

  private void append(
      Board board, Validation.Valid valid, int user, long caller, long at, List<Season> seasons) {
    long previous = 0;
    long windows = 0;
    for (Season season : seasons) {
      Entry entry = entries.get(season, user);
      previous = entry == null ? previous : Math.max(previous, entry.last());
      windows |= 1L << season.window();
    }
    ShardLines shard = lines(board);
    shard.lines.add(
        new LedgerLine(
            board.shard(),
            shard.next(),
            board.id(),
            user,
            valid.kind(),
            valid.mode(),
            valid.value(),
            at,
            windows,
            board.version(),
            previous,
            stamp,
            caller,
            valid.eventId(),
            valid.metadata()));
  }

  private ShardLines lines(Board board) {
    ShardLines lines = shards.get(board.shard());
    if (lines == null) {
      throw new IllegalStateException("shard " + board.shard() + " is not locked");
    }
    return lines;
  }

  private static Decision rejected(Rejection rejection) {
    return new Decision(new Outcome.Rejected(rejection), 0, 0);
  }

  private static Rejection userNotFound(Board board, String userId) {
    return Rejection.expectation(
        ErrorCode.USER_NOT_FOUND, "userId", userId, "a user of board " + board.uuid());
  }

  void keep(StoredId id) {
    newIds.put(id.name(), id);
  }

  /** Stores the lines and the entries, and tells how each season moves. The ids come last. */
  List<BatchEntries.Move> write(WriteTransaction transaction) {
    shards.forEach(
        (shard, lines) -> {
          if (!lines.lines.isEmpty()) {
            transaction.append(shard, lines.lines);
          }
        });
    return entries.write(transaction);
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
