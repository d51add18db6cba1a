package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.privacy.UserData;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.review.LongWork;
import dev.laurel.core.review.Reverts;
import dev.laurel.core.review.Selection;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was reverted leaves no trace but its lines. */
interface CorrectionCases extends ScoreCases {
  @ParameterizedTest
  @EnumSource(Ties.class)
  default void correct_randomSubmissionsDeletesAndReverts_boardEqualsFoldOfWhatCounts(
      Ties ties, Random random) {
    assertRandomBoards(
        "reverts-",
        4,
        40,
        6,
        ties,
        random,
        board -> {
          List<Command> commands = commands(random);
          return random.nextInt(3) == 0 ? reverts(board, random) : commands;
        });
  }

  /** Some of what is in the ledger now, and some that was reverted already. */
  private List<Command> reverts(Board board, Random random) {
    List<LedgerLine> lines = lines(board);
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3) && !lines.isEmpty(); i++) {
      LedgerLine line = lines.get(random.nextInt(lines.size()));
      commands.add(
          new Command.Correct(
              harness().users.of(board.tenant()).id(line.user()),
              Command.Correction.REVERT,
              List.of(line.line()),
              null));
    }
    return commands;
  }

  private List<LedgerLine> lines(Board board) {
    return store()
        .read(tx -> tx.lines(board.shard(), 0, Long.MAX_VALUE, Integer.MAX_VALUE))
        .stream()
        .filter(line -> line.board() == board.id() && line.kind().isSubmission())
        .toList();
  }

  /** What streams tell of those who come into a range, where no state of before is kept. */
  @ParameterizedTest
  @EnumSource(Update.class)
  default void pastScores_randomSubmissionsDeletesAndReverts_areThoseOfThen(
      Update update, Random random) {
    Board board = harness().board("past-" + update, update);
    Season season = board.primary();
    Map<Long, Map<Integer, Long>> then = new HashMap<>();
    for (int round = 0; round < 60; round++) {
      List<Command> commands = random.nextInt(3) == 0 ? reverts(board, random) : commands(random);
      if (!commands.isEmpty()) {
        harness().submit(board, commands.toArray(Command[]::new));
      }
      clock().turn(Duration.ofMillis(random.nextInt(4)));
      Map<Integer, Long> scores = new HashMap<>();
      long line =
          store()
              .read(
                  tx -> {
                    tx.entries(
                        season.id(), (user, score, reached, extra) -> scores.put(user, score));
                    return tx.position(season.id());
                  });
      then.put(line, scores);
    }
    int[] users =
        then.values().stream()
            .flatMap(s -> s.keySet().stream())
            .distinct()
            .mapToInt(u -> u)
            .toArray();
    assertThat(users).hasSizeGreaterThan(2);
    then.forEach(
        (line, scores) -> {
          Map<Integer, Long> expected = new HashMap<>();
          for (int user : users) {
            expected.put(user, scores.getOrDefault(user, 0L));
          }
          assertThat(harness().rankings.past().scores(board, season, users, line))
              .as("line %d", line)
              .isEqualTo(expected);
        });
  }

  default Outcome.Accepted revert(Board board, String user, long... lines) {
    return PipelineCases.accepted(
        harness()
            .submit(
                board,
                new Command.Correct(
                    user, Command.Correction.REVERT, Arrays.stream(lines).boxed().toList(), null)));
  }

  @Test
  default void correct_everyLineOfAUser_leavesNoEntryAndTheNextScoreIsTheFirst() {
    Board board = harness().board("all-gone", Update.LATEST);
    harness().index.catchUp(board, board.primary());
    harness().submit(board, score("b", 3));
    long first = PipelineCases.accepted(harness().submit(board, score("a", 5))).line();
    long second = PipelineCases.accepted(harness().submit(board, score("a", 9))).line();
    assertThat(revert(board, "a", first, second).onBoard()).isFalse();
    assertThat(revert(board, "a", first, second).effect()).isEqualTo(Outcome.Effect.UNCHANGED);
    assertEqualsOracle(board);
    long early = clock().millis() - 1000;
    assertThat(PipelineCases.accepted(harness().submit(board, score("a", 1, early, null))).effect())
        .isEqualTo(Outcome.Effect.APPLIED);
    assertThat(scoreOf(board, "a")).isEqualTo(1);
    assertEqualsOracle(board);
  }

  @Test
  default void correct_ofSomebodyElseOrNobody_isRefused() {
    Board board = harness().board("others", Update.SUM);
    long line = PipelineCases.accepted(harness().submit(board, score("a", 5))).line();
    harness().submit(board, score("b", 5));
    assertThat(refused(board, "b", line)).isEqualTo(ErrorCode.LINE_NOT_FOUND);
    assertThat(refused(board, "a", line + 100)).isEqualTo(ErrorCode.LINE_NOT_FOUND);
    assertThat(refused(board, "nobody", line)).isEqualTo(ErrorCode.USER_NOT_FOUND);
    long deletion = PipelineCases.accepted(harness().submit(board, new Command.Delete("a"))).line();
    assertThat(refused(board, "a", deletion)).isEqualTo(ErrorCode.LINE_NOT_REVERTIBLE);
    assertEqualsOracle(board);
  }

  /** The answer of a revert is what the commit did, not what was planned. */
  @Test
  default void revert_aSeasonIsArchivedAfterItWasPlanned_tellsOfTheOtherOnly() {
    Board board =
        harness()
            .board(
                "planned",
                Update.SUM,
                window("days", new Schedule.Daily()),
                window("weeks", new Schedule.Weekly(DayOfWeek.MONDAY)));
    long line = PipelineCases.accepted(harness().submit(board, score("a", 5))).line();
    Reverts reverts =
        new Reverts(store(), harness().users, harness().pipeline, new LongWork(), clock());
    Reverts.Plan plan = reverts.plan(board, new Selection.Line(line), null);
    assertThat(plan.effects()).hasSize(2);
    Season day = board.seasons().getFirst();
    store()
        .write(
            tx -> {
              tx.updateSeason(day.withStatus(SeasonStatus.ARCHIVING));
              return true;
            });
    List<Reverts.Plan> told = new ArrayList<>();
    reverts.apply(
        board,
        plan,
        0,
        _ -> null,
        done -> {
          told.add(done);
          return new byte[0];
        });
    assertThat(told.getFirst().effects())
        .extracting(effect -> effect.season().id())
        .containsExactly(board.seasons().getLast().id());
    assertThat(told.getFirst().changed()).hasSize(1);
    assertThat(told.getFirst().lines()).isEqualTo(1);
  }

  /** More users than one transaction takes, and none of the first ones can be reverted any more. */
  @Test
  default void revert_ofASourceWhoseFirstUsersAreArchived_revertsTheOthers() {
    clock().set(Instant.parse("2026-03-01T12:00:00Z"));
    Board board = harness().board("parts", Update.SUM, window("days", new Schedule.Daily()));
    List<Command> scores = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      scores.add(score("u" + i, 5, null, "bot-" + i));
    }
    harness().submit(board, scores.toArray(Command[]::new));
    Season first = board.seasons().getFirst();
    clock().turn(Duration.ofDays(1));
    harness().seasons.turn();
    harness().submit(board, score("z", 5, null, "bot-z"));
    store()
        .write(
            tx -> {
              tx.updateSeason(first.withStatus(SeasonStatus.ARCHIVING));
              return true;
            });
    Reverts reverts =
        new Reverts(store(), harness().users, harness().pipeline, new LongWork(), clock());
    Reverts.Plan plan =
        reverts.plan(board, new Selection.Source(null, "bot-", 0, clock().millis() + 1), null);
    assertThat(plan.lines()).isEqualTo(1);
    List<Integer> lines = new ArrayList<>();
    reverts.apply(
        board,
        plan,
        0,
        _ -> null,
        done -> {
          lines.add(done.lines());
          return new byte[0];
        });
    assertThat(lines).containsExactly(1);
    assertThat(
            reverts
                .plan(board, new Selection.Source(null, "bot-z", 0, clock().millis() + 1), null)
                .lines())
        .isZero();
  }

  /** The key belongs to the last of several transactions. */
  @Test
  default void revert_ofManyUsersAgainWithItsKey_leavesWhatHasComeSince() {
    Board board = harness().board("retried", Update.SUM);
    List<Command> scores = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      scores.add(score("u" + i, 5, null, "bot-" + i));
    }
    harness().submit(board, scores.toArray(Command[]::new));
    Selection source = new Selection.Source(null, "bot-", 0, clock().millis() + 60_000);
    assertThat(revertOnce(board, source).replayed()).isFalse();
    harness().submit(board, score("u0", 7, null, "bot-late"));
    OnceOnly.Answer again = revertOnce(board, source);
    assertThat(again.replayed()).isTrue();
    assertThat(new String(again.body(), StandardCharsets.UTF_8)).isEqualTo("250");
    assertThat(scoreOf(board, "u0")).isEqualTo(7);
  }

  private OnceOnly.Answer revertOnce(Board board, Selection selection) {
    Reverts reverts =
        new Reverts(store(), harness().users, harness().pipeline, new LongWork(), clock());
    return reverts.apply(
        board,
        reverts.plan(board, selection, null),
        1,
        encoder -> new Request.Idempotency("caller", "key-1", Digest.of("all bots"), encoder),
        done -> Integer.toString(done.lines()).getBytes(StandardCharsets.UTF_8));
  }

  /** A user may have sent more than fits into memory, and is reverted and erased all the same. */
  @Test
  default void revertAndExport_ofAUserWithManyLines_readSomeAtATime() {
    Board board = harness().board("many-lines", Update.SUM);
    Command[] scores = new Command[700];
    Arrays.fill(scores, new Command.Score("a", "1", null, null, null, "{\"n\":1}"));
    harness().submit(board, scores);
    Arrays.fill(scores, new Command.Score("a", "1", null, null, null, "{\"n\":2}"));
    Arrays.fill(scores, 0, 100, new Command.Score("a", "1", null, null, null, "{\"n\":3}"));
    harness().submit(board, scores);
    int user = harness().users.of(board.tenant()).find("a");
    WatchedReads watched = new WatchedReads();
    Store store = watched.of(store());
    Reverts reverts =
        new Reverts(store, harness().users, harness().pipeline, new LongWork(), clock());
    Reverts.Plan plan = reverts.plan(board, new Selection.Last("a", user, 600), null);
    assertThat(Objects.requireNonNull(plan.effects().getFirst().after()).score()).isEqualTo(800);
    reverts.apply(board, plan, 0, _ -> null, _ -> new byte[0]);
    assertThat(scoreOf(board, "a")).isEqualTo(800);
    Entry left = store().read(tx -> tx.entries(board.primary().id(), new int[] {user}).getFirst());
    assertThat(Objects.requireNonNull(left).metadata()).isEqualTo("{\"n\":3}");
    assertThat(reverts.plan(board, new Selection.Last("a", user, 10_000), null).submissions())
        .isEqualTo(800);
    List<Long> met = new ArrayList<>();
    new UserData(store, harness().directory)
        .lines(board.tenant(), user, lines -> lines.forEach(line -> met.add(line.line())));
    assertThat(met).hasSize(2000).isSorted().doesNotHaveDuplicates();
    assertThat(watched.most()).isBetween(1, 1000);
    assertEqualsOracle(board);
  }

  private ErrorCode refused(Board board, String user, long line) {
    return PipelineCases.rejection(
        harness()
            .submit(
                board, new Command.Correct(user, Command.Correction.REVERT, List.of(line), null)));
  }

  /** Windows that overlap, late events, reverts before and after the end of their seasons. */
  @Test
  default void correct_overlappingWindows_everySeasonEqualsItsOwnSum(Random random) {
    clock().set(Instant.parse("2026-03-01T00:00:00Z"));
    Board made =
        harness()
            .board(
                "windows",
                Update.SUM,
                window("days", new Schedule.Daily()),
                window("odd", new Schedule.Every(3, Schedule.Unit.DAYS, LocalDate.of(2026, 1, 2))),
                window("weeks", new Schedule.Weekly(DayOfWeek.WEDNESDAY)));
    for (int round = 0; round < 150; round++) {
      clock().turn(Duration.ofMinutes(random.nextInt(300)));
      harness().seasons.turn();
      if (random.nextBoolean()) {
        harness().finals.writeAll(() -> false);
      }
      Board board = harness().boards.require(made.tenant(), "windows");
      String user = "u" + random.nextInt(3);
      long at = clock().millis() - random.nextInt((int) Duration.ofHours(6).toMillis());
      switch (random.nextInt(8)) {
        case 0 -> harness().submit(board, new Command.Delete(user));
        case 1, 2 -> {
          List<Command> reverts = reverts(board, random);
          if (!reverts.isEmpty()) {
            harness().submit(board, reverts.toArray(Command[]::new));
          }
        }
        default -> harness().submit(board, score(user, 1 + random.nextInt(9), at, null));
      }
    }
    harness().finals.writeAll(() -> false);
    for (int window = 0; window < 3; window++) {
      int number = window;
      for (Season season :
          store().read(tx -> tx.seasonsBefore(made.id(), number, Long.MAX_VALUE, 1000))) {
        assertEqualsSums(made, season);
      }
    }
    assertThat(harness().failures).isEmpty();
  }

  private void assertEqualsSums(Board board, Season season) {
    Map<Integer, Long> sums = sums(board, season);
    Map<Integer, Long> stored = new HashMap<>();
    store()
        .read(
            tx -> {
              tx.entries(season.id(), (user, score, reached, extra) -> stored.put(user, score));
              return true;
            });
    assertThat(stored).as(season.label()).isEqualTo(sums);
    if (season.status() == SeasonStatus.FINAL) {
      Map<Integer, Long> ranked = new HashMap<>();
      store()
          .read(tx -> tx.finalRanks(season.id(), 0, 100))
          .forEach(rank -> ranked.put(rank.user(), rank.score()));
      assertThat(ranked).as(season.label()).isEqualTo(sums);
    }
  }

  /** All lines of the ledger, without a thought to how they are linked. */
  private Map<Integer, Long> sums(Board board, Season season) {
    List<LedgerLine> lines =
        store().read(tx -> tx.lines(board.shard(), 0, Long.MAX_VALUE, Integer.MAX_VALUE)).stream()
            .filter(l -> l.board() == board.id() && (l.windows() >> season.window() & 1) != 0)
            .toList();
    Set<Long> reverted = new HashSet<>();
    for (LedgerLine line : lines) {
      if (line.kind() == LedgerLine.Kind.REVERT) {
        reverted.add(line.value());
      }
    }
    Map<Integer, Long> sums = new HashMap<>();
    for (LedgerLine line : lines) {
      if (line.kind() == LedgerLine.Kind.DELETE && line.at() < season.closes()) {
        sums.remove(line.user());
      } else if (line.kind() == LedgerLine.Kind.SCORE
          && season.covers(line.at())
          && !reverted.contains(line.line())) {
        sums.merge(line.user(), line.value(), Long::sum);
      }
    }
    return sums;
  }

  private static WindowDefinition window(String name, Schedule schedule) {
    return new WindowDefinition(
        name,
        schedule,
        "UTC",
        null,
        Duration.ofHours(6),
        null,
        List.of(new PrizeTier("gold", 1, 1, 0, null)));
  }

  /** Somebody cheated, and it is found out when the prizes are computed. */
  @Test
  default void correct_inAFinalSeason_writesItsRanksAgainAndMarksThem() {
    clock().set(Instant.parse("2026-03-01T12:00:00Z"));
    Board made = harness().board("prizes", Update.BEST, window("days", new Schedule.Daily()));
    long cheat = PipelineCases.accepted(harness().submit(made, score("a", 900))).line();
    harness().submit(made, score("a", 10));
    harness().submit(made, score("b", 20));
    clock().turn(Duration.ofDays(2));
    harness().seasons.turn();
    harness().finals.writeAll(() -> false);
    Season over = store().read(tx -> tx.seasonsBefore(made.id(), 0, Long.MAX_VALUE, 10)).getLast();
    assertThat(over.status()).isEqualTo(SeasonStatus.FINAL);
    harness().heard.clear();

    Board board = harness().boards.require(made.tenant(), "prizes");
    assertThat(revert(board, "a", cheat).score()).isEqualTo(10);
    harness().boards.follow();
    harness().finals.writeAll(() -> false);
    List<FinalRank> ranks = store().read(tx -> tx.finalRanks(over.id(), 0, 10));
    UserDictionary users = harness().users.of(made.tenant());
    assertThat(ranks.stream().map(r -> users.id(r.user()) + " " + r.score() + " " + r.prize()))
        .containsExactly("b 20 0", "a 10 -1");
    assertThat(store().<Integer>read(tx -> tx.finalRevision(over.id()))).isEqualTo(1);
    assertThat(harness().heard)
        .containsExactly(new Harness.Heard(over.label(), SeasonEvent.PRIZES_READY));
    assertThat(harness().rankings.line(board, over, "b").orElseThrow().row().rank()).isEqualTo(1);
  }
}
