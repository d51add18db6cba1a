package dev.laurel.core.review;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Season;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.CorrectionPreview;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.rank.CappedRanking;
import dev.laurel.core.rank.IndexMemory;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.SeasonLoad;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Undoes submissions. First the lines are looked for, then it is worked out what that changes, on
 * one state of the store and without a lock; to do it goes the way of every score. Blocking.
 * Thread-safe.
 */
public final class Reverts {
  /** Users of one transaction. */
  private static final int USERS = 200;

  /** How long to wait for others who have whole seasons in memory. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** How many changes are shown. */
  public static final int SHOWN = 100;

  private final Store store;
  private final Users users;
  private final ScorePipeline pipeline;
  private final LongWork work;
  private final InstantSource clock;

  public Reverts(
      Store store, Users users, ScorePipeline pipeline, LongWork work, InstantSource clock) {
    this.work = work;
    this.store = store;
    this.users = users;
    this.pipeline = pipeline;
    this.clock = clock;
  }

  /**
   * What a revert changes.
   *
   * @param submissions that are selected, those that were reverted before among them
   * @param lines that the ledger gets; 0 if nothing is left to revert
   * @param changed the entries of users in seasons that get another score or place
   * @param effects the first of them
   */
  public record Plan(
      List<Command.Correct> commands,
      int submissions,
      int lines,
      List<Changed> changed,
      List<Effect> effects) {
    /** What of it was done: since it was planned, a season may be archived or a user erased. */
    private Plan done(List<Outcome> outcomes) {
      int lines = 0;
      Map<String, Set<Long>> seasons = new HashMap<>();
      for (int i = 0; i < outcomes.size(); i++) {
        if (outcomes.get(i) instanceof Outcome.Accepted accepted && accepted.corrected() != null) {
          lines += accepted.corrected().lines();
          seasons.put(commands.get(i).userId(), accepted.corrected().seasons());
        }
      }
      return new Plan(
          commands,
          submissions,
          lines,
          changed.stream()
              .filter(c -> seasons.getOrDefault(c.userId, Set.of()).contains(c.season))
              .toList(),
          effects.stream()
              .filter(e -> seasons.getOrDefault(e.userId, Set.of()).contains(e.season.id()))
              .toList());
    }
  }

  /** An entry, by its season's number. */
  public record Changed(long season, String userId) {}

  /** A user's row in a season, before and after; null where the user has none. */
  public record Effect(
      Season season, String userId, Ranking.@Nullable Row before, Ranking.@Nullable Row after) {}

  /** A user as a number; 0 if there is none. */
  public int user(Board board, String userId) {
    return users.find(board.tenant(), userId);
  }

  /**
   * @param note a JSON object for the ledger: why
   */
  public Plan plan(Board board, Selection selection, @Nullable String note) {
    return work.run(
        board.tenant(), () -> plan(board, selection, selection.find(store, board), note));
  }

  private Plan plan(
      Board board, Selection selection, List<LedgerLine> selected, @Nullable String note) {
    return store.read(
        Store.Reading.LONG,
        tx -> {
          UserDictionary ids = users.follow(tx, board.tenant());
          List<Command.Correct> commands = commands(selected, ids, note);
          CorrectionPreview preview =
              CorrectionPreview.of(tx, board, commands, ids, clock.millis());
          if (!preview.refused().isEmpty()
              && (preview.lines() == 0 || !(selection instanceof Selection.Source))) {
            throw preview.refused().getFirst().asException();
          }
          List<Changed> changed = new ArrayList<>();
          for (CorrectionPreview.Moved moved : preview.seasons()) {
            moved
                .changes()
                .forEach(c -> changed.add(new Changed(moved.season().id(), ids.id(c.user()))));
          }
          return new Plan(
              preview.taken(),
              selected.size(),
              preview.lines(),
              changed,
              effects(tx, board, preview, ids));
        });
  }

  /** One for each user. */
  private static List<Command.Correct> commands(
      List<LedgerLine> lines, UserDictionary ids, @Nullable String note) {
    Map<Integer, List<Long>> byUser = new TreeMap<>();
    for (LedgerLine line : lines) {
      byUser.computeIfAbsent(line.user(), u -> new ArrayList<>()).add(line.line());
    }
    List<Command.Correct> commands = new ArrayList<>();
    byUser.forEach(
        (user, own) ->
            commands.add(new Command.Correct(ids.id(user), Command.Correction.REVERT, own, note)));
    return commands;
  }

  /** Ranks of a whole season before and after, whatever keeps them otherwise. */
  private List<Effect> effects(
      ReadTransaction tx, Board board, CorrectionPreview preview, UserDictionary ids) {
    List<Effect> effects = new ArrayList<>();
    for (CorrectionPreview.Moved moved : preview.seasons()) {
      if (moved.changes().isEmpty() || effects.size() >= SHOWN) {
        continue;
      }
      long entries = tx.ranks().count(moved.season().id());
      try (IndexMemory.Beside _ = users.memory().beside(entries, PATIENCE)) {
        addEffects(effects, tx, board, moved, ids);
      }
    }
    return effects;
  }

  private static void addEffects(
      List<Effect> effects,
      ReadTransaction tx,
      Board board,
      CorrectionPreview.Moved moved,
      UserDictionary ids) {
    Season season = moved.season();
    RankSnapshot before = SeasonLoad.all(tx, board, season.id(), ids);
    RankSnapshot.Editor editor = before.edit();
    for (RankIndex.Change change : moved.changes()) {
      if (change.present()) {
        editor.put(change.user(), change.score(), change.reached(), change.hasMetadata());
      } else {
        editor.remove(change.user());
      }
    }
    Ranking then = CappedRanking.of(before, board, season, ids);
    Ranking next = CappedRanking.of(editor.build(before.line()), board, season, ids);
    for (RankIndex.Change change : moved.changes()) {
      if (effects.size() < SHOWN) {
        effects.add(
            new Effect(
                season, ids.id(change.user()), then.row(change.user()), next.row(change.user())));
      }
    }
  }

  /**
   * Does it. A key goes with the last part: what is selected anew by a retry was not reverted yet,
   * and the last of a user are always one part.
   *
   * @param answer of what was done
   */
  public OnceOnly.Answer apply(
      Board board,
      Plan plan,
      long caller,
      Function<Request.AnswerEncoder, Request.@Nullable Idempotency> key,
      Function<Plan, byte[]> answer) {
    List<Command.Correct> commands = plan.commands();
    List<Outcome> before = new ArrayList<>();
    if (commands.size() > USERS) {
      // The key comes with the last part, and a retry must not undo what has come since.
      Reply.Replayed known = known(board, caller, key.apply(_ -> new byte[0]));
      if (known != null) {
        return new OnceOnly.Answer(known.answer(), true);
      }
    }
    int from = 0;
    do {
      int to = Math.min(commands.size(), from + USERS);
      boolean last = to == commands.size();
      Request.AnswerEncoder encoder =
          outcomes ->
              answer.apply(plan.done(Stream.concat(before.stream(), outcomes.stream()).toList()));
      Reply reply =
          pipeline
              .submit(
                  new Request(
                      board,
                      List.copyOf(commands.subList(from, to)),
                      caller,
                      false,
                      last ? key.apply(encoder) : null))
              .join();
      switch (reply) {
        case Reply.Refused(var rejection) -> throw rejection.asException();
        case Reply.Replayed(var first) -> {
          return new OnceOnly.Answer(first, true);
        }
        case Reply.Done(var outcomes, _) -> before.addAll(outcomes);
      }
      from = to;
    } while (from < commands.size());
    // Of all parts together: one that came too late holds up none of the others.
    requireSome(before);
    return new OnceOnly.Answer(answer.apply(plan.done(before)), false);
  }

  /** What the key's first use was answered; a request without commands uses no key. */
  private Reply.@Nullable Replayed known(
      Board board, long caller, Request.@Nullable Idempotency key) {
    if (key == null) {
      return null;
    }
    return switch (pipeline.submit(new Request(board, List.of(), caller, false, key)).join()) {
      case Reply.Refused(var rejection) -> throw rejection.asException();
      case Reply.Replayed replayed -> replayed;
      case Reply.Done _ -> null;
    };
  }

  private static void requireSome(List<Outcome> outcomes) {
    RejectedException first = null;
    for (Outcome outcome : outcomes) {
      if (!(outcome instanceof Outcome.Rejected(var rejection))) {
        return;
      }
      first = first == null ? rejection.asException() : first;
    }
    if (first != null) {
      throw first;
    }
  }
}
