package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.query.Prizes;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.Tenant;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows, and what the clock makes of their seasons. */
interface SeasonCases extends PipelineCases {
  WindowDefinition ALL = WindowDefinition.ALL_TIME;

  static WindowDefinition window(String name, Schedule schedule, PrizeTier... prizes) {
    return new WindowDefinition(
        name, schedule, "Europe/Berlin", null, Duration.ofMinutes(5), null, List.of(prizes));
  }

  static long at(String text) {
    return Instant.parse(text).toEpochMilli();
  }

  default Board now(Board board) {
    return harness().boards.require(Tenant.DEFAULT, board.uuid());
  }

  private Season season(Board board, String label) {
    return now(board).seasons().stream()
        .filter(s -> s.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  private List<String> labels(Board board) {
    return now(board).seasons().stream().map(s -> s.label() + " " + s.status()).toList();
  }

  default void turnAt(String time) {
    clock().set(Instant.parse(time));
    harness().seasons.turn();
    harness().finals.writeAll(() -> false);
  }

  /** A game mode: one board, three windows. */
  private Board threeWindows(String uuid) {
    return harness()
        .board(
            uuid,
            Update.SUM,
            window("daily", new Schedule.Daily(), new PrizeTier("gold", 1, 1, 0, null)),
            window("weekly", new Schedule.Weekly(DayOfWeek.MONDAY)),
            ALL);
  }

  @Test
  default void create_threeWindows_opensTheRunningSeasons() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = threeWindows("solo");
    assertThat(labels(board))
        .containsExactly(
            "solo-2026-11-15-daily ACTIVE",
            "solo-2026-11-09-weekly ACTIVE",
            "solo-all-time ACTIVE");
    assertThat(season(board, "solo-2026-11-15-daily").start())
        .isEqualTo(at("2026-11-14T23:00:00Z"));
  }

  @Test
  default void submit_threeWindows_reachesAllInOneLine() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = threeWindows("solo");
    PipelineCases.accepted(harness().submit(board, score("a", 3)));
    PipelineCases.accepted(harness().submit(board, score("a", 4)));
    for (Season season : now(board).seasons()) {
      assertThat(scoreOf(board, season, "a")).isEqualTo(7);
    }
    turnAt("2026-11-16T12:00:00Z");
    PipelineCases.accepted(harness().submit(board, score("a", 5)));
    assertThat(scoreOf(board, season(board, "solo-2026-11-16-daily"), "a")).isEqualTo(5);
    assertThat(scoreOf(board, season(board, "solo-2026-11-16-weekly"), "a")).isEqualTo(5);
    assertThat(scoreOf(board, season(board, "solo-all-time"), "a")).isEqualTo(12);
  }

  default long scoreOf(Board board, Season season, String user) {
    int number = harness().users.of(board.tenant()).find(user);
    return store().read(tx -> tx.entries(season.id(), new int[] {number})).getFirst().score();
  }

  @Test
  default void turn_aroundMidnight_endsOneDayAndBeginsTheNext() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = threeWindows("solo");
    harness().heard.clear();
    turnAt("2026-11-15T22:49:59Z");
    assertThat(labels(board)).contains("solo-2026-11-15-daily CLOSING").hasSize(3);
    turnAt("2026-11-15T22:50:00Z");
    assertThat(labels(board)).contains("solo-2026-11-16-daily SCHEDULED");
    turnAt("2026-11-15T23:00:00Z");
    assertThat(labels(board))
        .contains(
            "solo-2026-11-15-daily COMPLETED",
            "solo-2026-11-16-daily ACTIVE",
            "solo-2026-11-16-weekly ACTIVE");
    turnAt("2026-11-15T23:05:00Z");
    // What is final is not listed any more, once a newer one has begun.
    assertThat(labels(board)).noneMatch(l -> l.contains("2026-11-15"));
    assertThat(harness().heard)
        .containsExactly(
            new Harness.Heard("solo-2026-11-15-daily", SeasonEvent.SEASON_CLOSING_SOON),
            new Harness.Heard("solo-2026-11-09-weekly", SeasonEvent.SEASON_CLOSING_SOON),
            new Harness.Heard("solo-2026-11-15-daily", SeasonEvent.SEASON_COMPLETED),
            new Harness.Heard("solo-2026-11-09-weekly", SeasonEvent.SEASON_COMPLETED),
            new Harness.Heard("solo-2026-11-16-daily", SeasonEvent.SEASON_STARTED),
            new Harness.Heard("solo-2026-11-16-weekly", SeasonEvent.SEASON_STARTED),
            new Harness.Heard("solo-2026-11-15-daily", SeasonEvent.PRIZES_READY));
  }

  @Test
  default void submit_lateEvent_goesToItsDayWhileTheGraceLasts() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("day", Update.SUM, window("daily", new Schedule.Daily()));
    turnAt("2026-11-15T23:01:00Z");
    long late = at("2026-11-15T22:59:59Z");
    PipelineCases.accepted(harness().submit(now(board), score("a", 1, late, null)));
    Season first = season(board, "day-2026-11-15-daily");
    assertThat(scoreOf(board, first, "a")).isEqualTo(1);
    clock().set(Instant.parse("2026-11-15T23:05:00Z"));
    assertThat(PipelineCases.rejection(harness().submit(now(board), score("a", 1, late, null))))
        .isEqualTo(ErrorCode.SEASON_CLOSED);
  }

  @Test
  default void submit_schedulerAsleep_opensTheSeasonItself() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = threeWindows("solo");
    // A laptop wakes up two days later, and the first event is faster than the scheduler.
    clock().set(Instant.parse("2026-11-17T09:00:00Z"));
    PipelineCases.accepted(harness().submit(board, score("a", 9)));
    assertThat(scoreOf(board, season(board, "solo-2026-11-17-daily"), "a")).isEqualTo(9);
    assertThat(scoreOf(board, season(board, "solo-2026-11-16-weekly"), "a")).isEqualTo(9);
    assertThat(scoreOf(board, season(board, "solo-all-time"), "a")).isEqualTo(9);
  }

  @Test
  default void turn_afterAWeek_catchesUpInOrderWithoutAGap() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("day", Update.SUM, window("daily", new Schedule.Daily()));
    PipelineCases.accepted(harness().submit(board, score("a", 1)));
    harness().heard.clear();
    turnAt("2026-11-22T12:00:00Z");
    List<Season> all =
        store().read(tx -> tx.seasonsBefore(board.id(), 0, Long.MAX_VALUE, 100)).reversed();
    assertThat(all).hasSize(8);
    for (int i = 1; i < all.size(); i++) {
      assertThat(all.get(i).start()).isEqualTo(all.get(i - 1).end());
    }
    assertThat(all.getLast().status()).isEqualTo(SeasonStatus.ACTIVE);
    assertThat(all.subList(0, 7)).extracting(Season::status).containsOnly(SeasonStatus.FINAL);
    assertThat(harness().heard)
        .startsWith(
            new Harness.Heard("day-2026-11-15-daily", SeasonEvent.SEASON_CLOSING_SOON),
            new Harness.Heard("day-2026-11-15-daily", SeasonEvent.SEASON_COMPLETED),
            new Harness.Heard("day-2026-11-16-daily", SeasonEvent.SEASON_STARTED))
        .hasSize(3 * 7);
    // A second look finds nothing to do.
    long revision = store().read(tx -> tx.revision());
    harness().seasons.turn();
    assertThat(revision).isEqualTo(store().read(tx -> tx.revision()));
  }

  @Test
  default void freeze_withPrizes_keepsTheFinalRanks() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board =
        harness()
            .board(
                "day",
                Update.SUM,
                window(
                    "daily",
                    new Schedule.Daily(),
                    new PrizeTier("gold", 1, 1, 0, "{\"coins\":100}"),
                    new PrizeTier("half", 0, 0, 5000, null)));
    for (int i = 1; i <= 6; i++) {
      PipelineCases.accepted(harness().submit(board, score("u" + i, i)));
    }
    turnAt("2026-11-16T12:00:00Z");
    Season day =
        store()
            .read(tx -> tx.seasonsBefore(board.id(), 0, at("2026-11-15T12:00:00Z"), 1))
            .getFirst();
    assertThat(day.status()).isEqualTo(SeasonStatus.FINAL);
    List<FinalRank> ranks = store().read(tx -> tx.finalRanks(day.id(), 0, 100));
    assertThat(ranks).extracting(FinalRank::score).containsExactly(6L, 5L, 4L, 3L, 2L, 1L);
    assertThat(ranks).extracting(FinalRank::prize).containsExactly(0, 1, 1, -1, -1, -1);
    List<PrizeTier> tiers = store().read(tx -> tx.prizes(day.id()));
    assertThat(tiers).extracting(PrizeTier::name).containsExactly("gold", "half");
    assertThat(harness().heard)
        .containsOnlyOnce(new Harness.Heard("day-2026-11-15-daily", SeasonEvent.PRIZES_READY));
  }

  /** Tiers that overlap, with people between them who win nothing. */
  @ParameterizedTest
  @EnumSource(Ties.class)
  default void prizes_inPages_areThoseOfTheFinalRanks(Ties ties) {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board =
        harness()
            .board(
                "paged",
                Order.LOWEST_FIRST,
                ties,
                Update.SUM,
                new Bounds(0, 1000),
                window(
                    "daily",
                    new Schedule.Daily(),
                    new PrizeTier("seconds", 2, 3, 0, null),
                    new PrizeTier("share", 0, 0, 150, null),
                    new PrizeTier("middle", 30, 47, 0, null),
                    new PrizeTier("beyond", 5000, 9000, 0, null)));
    Command[] scores = new Command[700];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = score("u" + i, i * 31 % 90);
    }
    harness().submit(board, scores);
    Season day = now(board).seasons().getFirst();
    harness().index.catchUp(now(board), day);
    List<Prizes.Winner> running = allWinners(now(board), day);
    turnAt("2026-11-16T12:00:00Z");
    List<Integer> expected =
        store().<List<FinalRank>>read(tx -> tx.finalRanks(day.id(), 0, 1000)).stream()
            .map(FinalRank::prize)
            .filter(prize -> prize >= 0)
            .toList();
    assertThat(running).extracting(Prizes.Winner::tier).isEqualTo(expected);
    Season over = store().read(tx -> tx.season(day.id()));
    assertThat(over).isNotNull();
    assertThat(allWinners(now(board), over)).isEqualTo(running);
    Prizes.Winner last = running.getLast();
    assertThat(harness().rankings.prize(now(board), over, last.userId()))
        .hasValueSatisfying(won -> assertThat(won.rank()).isEqualTo(last.rank()));
  }

  private List<Prizes.Winner> allWinners(Board board, Season season) {
    List<Prizes.Winner> all = new ArrayList<>();
    while (true) {
      Prizes page = harness().rankings.prizes(board, season, new Prizes.Part(all.size(), 7));
      all.addAll(page.winners());
      if (page.winners().isEmpty()) {
        assertThat(page.total()).isEqualTo(all.size());
        return all;
      }
    }
  }

  /** A tenth of the people, not of the ranks: 3,000 users share 10 scores. */
  @ParameterizedTest
  @EnumSource(Ties.class)
  default void freeze_shareOfAFieldWithTies_isAShareOfPeople(Ties ties) {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board =
        harness()
            .board(
                "share",
                Order.HIGHEST_FIRST,
                ties,
                Update.SUM,
                new Bounds(0, 100),
                window("daily", new Schedule.Daily(), new PrizeTier("tenth", 0, 0, 1000, null)));
    Command[] scores = new Command[3000];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = score("u" + i, i % 10);
    }
    harness().submit(board, scores);
    Season day = now(board).seasons().getFirst();
    harness().index.catchUp(now(board), day);
    assertThat(harness().rankings.prizes(now(board), day).winners()).hasSize(300);
    turnAt("2026-11-16T12:00:00Z");
    List<FinalRank> ranks = store().read(tx -> tx.finalRanks(day.id(), 0, 4000));
    assertThat(ranks).filteredOn(rank -> rank.prize() == 0).hasSize(300);
  }

  @Test
  default void change_windows_addsAndEndsThem() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = threeWindows("solo");
    change(board, windows(List.of(ALL, window("hourly", new Schedule.Hourly()))));
    assertThat(now(board).windows())
        .extracting(w -> w.number() + " " + w.name())
        .containsExactly("2 all-time", "3 hourly");
    assertThat(labels(board)).contains("solo-all-time ACTIVE", "solo-2026-11-15-13-hourly ACTIVE");
    assertThat(season(board, "solo-2026-11-15-daily").end()).isEqualTo(clock().millis());
    assertThat(season(board, "solo-2026-11-15-daily").status()).isEqualTo(SeasonStatus.COMPLETED);
  }

  @Test
  default void change_schedule_followsAfterTheRunningSeason() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("b", Update.SUM, window("w", new Schedule.Daily()));
    change(board, windows(List.of(window("w", new Schedule.Weekly(DayOfWeek.MONDAY)))));
    assertThat(labels(board)).containsExactly("b-2026-11-15-w ACTIVE");
    turnAt("2026-11-15T23:00:00Z");
    assertThat(season(board, "b-2026-11-16-w").end()).isEqualTo(at("2026-11-22T23:00:00Z"));
  }

  @Test
  default void change_completed_endsEverySeason() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = threeWindows("solo");
    change(board, BoardChange.status(BoardStatus.COMPLETED));
    turnAt("2026-11-16T12:00:00Z");
    assertThat(now(board).seasons())
        .hasSize(3)
        .allMatch(s -> s.status() == SeasonStatus.FINAL)
        .allMatch(s -> s.end() == at("2026-11-15T12:00:00Z"));
  }

  default void change(Board board, BoardChange change) {
    harness().boards.change(now(board), change, null, b -> new byte[0]);
  }

  static BoardChange times(@Nullable Long start, @Nullable Long end) {
    return new BoardChange(null, null, start, end, null, null, null, null, null);
  }

  static BoardChange windows(List<WindowDefinition> windows) {
    return BoardChange.windows(windows);
  }

  @Test
  default void turn_aBoardThatFails_holdsUpItselfAlone() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    List<Board> boards = List.of(threeWindows("a"), threeWindows("b"), threeWindows("c"));
    harness().broken.add("b");
    turnAt("2026-11-16T12:00:00Z");
    assertThat(labels(boards.get(0))).contains("a-2026-11-16-daily ACTIVE");
    assertThat(labels(boards.get(1))).contains("b-2026-11-15-daily ACTIVE");
    assertThat(labels(boards.get(2))).contains("c-2026-11-16-daily ACTIVE");
    assertThat(harness().failures).isNotEmpty();
    assertThat(harness().failures.poll()).hasMessageContaining("told to fail: b");
    harness().failures.clear();
    harness().broken.clear();
    turnAt("2026-11-16T12:01:00Z");
    assertThat(labels(boards.get(1))).contains("b-2026-11-16-daily ACTIVE");
    assertThat(harness().failures).isEmpty();
  }

  @Test
  default void turn_aBoardThatGoesOnFailing_isTriedAndReportedLessOften() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = threeWindows("a");
    harness().broken.add("a");
    clock().set(Instant.parse("2026-11-16T12:00:00Z"));
    for (int second = 0; second < 600; second++) {
      harness().seasons.turn();
      clock().turn(Duration.ofSeconds(1));
    }
    assertThat(harness().failures).hasSizeBetween(10, 20);
    harness().failures.clear();
    harness().broken.clear();
    clock().turn(Duration.ofMinutes(1));
    harness().seasons.turn();
    assertThat(labels(board)).contains("a-2026-11-16-daily ACTIVE");
  }

  @Test
  default void writeAll_aSeasonThatFails_holdsUpItselfAlone() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    List<Board> boards = List.of(threeWindows("a"), threeWindows("b"), threeWindows("c"));
    clock().set(Instant.parse("2026-11-16T12:00:00Z"));
    harness().seasons.turn();
    harness().broken.add("b");
    harness().finals.writeAll(() -> false);
    for (Board board : boards) {
      Season day = store().read(tx -> tx.seasonAt(board.id(), 0, at("2026-11-15T12:00:00Z")));
      assertThat(day)
          .extracting(Season::status)
          .isEqualTo(board.uuid().equals("b") ? SeasonStatus.FROZEN : SeasonStatus.FINAL);
    }
    assertThat(harness().failures).hasSize(1);
    harness().failures.clear();
  }

  /** The clock goes back between the look at what is due and the step under the lock. */
  @Test
  default void turn_whenTheClockGoesBackMeanwhile_ends() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = threeWindows("solo");
    harness().seasons.turn();
    clock().set(Instant.parse("2026-11-16T12:00:00Z"));
    int[] asked = {0};
    harness()
        .seasons
        .turn(
            () -> {
              // Asked first between boards, after the time was read.
              clock().set(Instant.parse("2026-11-15T12:00:00Z"));
              return asked[0]++ > 1000;
            });
    assertThat(asked[0]).isLessThan(1000);
    assertThat(labels(board)).contains("solo-2026-11-15-daily ACTIVE");
    turnAt("2026-11-16T12:00:00Z");
    assertThat(labels(board)).contains("solo-2026-11-16-daily ACTIVE");
  }

  @Test
  default void turn_toldToStop_takesNoStep() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = threeWindows("solo");
    clock().set(Instant.parse("2026-11-16T12:00:00Z"));
    harness().seasons.turn(() -> true);
    assertThat(labels(board)).contains("solo-2026-11-15-daily ACTIVE");
  }

  @Test
  default void submit_withoutATime_afterOneOfAFastClock_countsToday() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = threeWindows("solo");
    turnAt("2026-11-15T22:58:00Z");
    PipelineCases.accepted(
        harness().submit(now(board), score("a", 3, at("2026-11-15T23:02:00Z"), null)));
    PipelineCases.accepted(harness().submit(now(board), score("a", 4)));
    assertThat(scoreOf(board, season(board, "solo-2026-11-15-daily"), "a")).isEqualTo(4);
    assertThat(scoreOf(board, season(board, "solo-2026-11-16-daily"), "a")).isEqualTo(3);
    assertThat(scoreOf(board, season(board, "solo-all-time"), "a")).isEqualTo(7);
    // Where there is no end in the way, it is not before what was seen.
    Board endless = harness().board("endless", Update.LATEST);
    PipelineCases.accepted(
        harness().submit(endless, score("a", 3, at("2026-11-15T23:02:00Z"), null)));
    PipelineCases.accepted(harness().submit(endless, score("a", 2)));
    assertThat(scoreOf(endless, "a")).isEqualTo(2);
  }
}
