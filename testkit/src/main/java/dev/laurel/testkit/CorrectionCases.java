package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
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
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.FinalRank;
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
