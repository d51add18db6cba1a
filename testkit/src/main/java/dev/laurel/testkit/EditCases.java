package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.board.Edit;
import dev.laurel.core.board.Edited;
import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.FinalRank;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Edits of windows and times: what becomes of seasons, and that the edit says so. */
interface EditCases extends SeasonCases {
  PrizeTier GOLD = new PrizeTier("gold", 1, 1, 0, null);

  private static WindowDefinition allTime(PrizeTier... prizes) {
    return new WindowDefinition(
        "all-time", new Schedule.AllTime(), null, null, Duration.ZERO, null, List.of(prizes));
  }

  private static BoardChange end(@Nullable String end) {
    return SeasonCases.times(null, end == null ? Board.NO_END : SeasonCases.at(end));
  }

  /** What the edit says that it did. */
  private List<String> edit(Board board, BoardChange change) {
    return edit(board, Edit.of(change));
  }

  private List<String> edit(Board board, Edit edit) {
    List<Edited> edited = new ArrayList<>();
    harness()
        .boards
        .change(
            now(board),
            edit,
            null,
            null,
            done -> {
              edited.add(done);
              return new byte[0];
            });
    return edited.getFirst().seasons().stream()
        .map(c -> c.kind() + " " + c.season().label())
        .toList();
  }

  private List<Season> all(Board board, int window) {
    return store()
        .read(tx -> tx.seasonsBefore(board.id(), window, Long.MAX_VALUE, 1000))
        .reversed();
  }

  private Board made(String uuid, String end, PrizeTier... prizes) {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board(uuid, Update.SUM, allTime(prizes));
    change(board, end(end));
    PipelineCases.accepted(harness().submit(now(board), score("a", 5)));
    return board;
  }

  @Test
  default void change_endMovedAfterItHasPassed_continuesTheSeason() {
    Board board = made("ext", "2026-11-15T13:00:00Z");
    turnAt("2026-11-15T14:00:00Z");
    Season over = now(board).seasons().getFirst();
    assertThat(over.status()).isEqualTo(SeasonStatus.FINAL);
    harness().heard.clear();

    assertThat(edit(board, end("2026-11-16T00:00:00Z"))).containsExactly("REOPENED ext-all-time");
    assertThat(now(board).seasons())
        .containsExactly(
            over.withStatus(SeasonStatus.ACTIVE).withEnd(SeasonCases.at("2026-11-16T00:00:00Z")));
    assertThat(harness().heard)
        .containsExactly(new Harness.Heard("ext-all-time", SeasonEvent.SEASON_REOPENED));
    PipelineCases.accepted(harness().submit(now(board), score("a", 1)));
    PipelineCases.accepted(harness().submit(now(board), score("b", 4)));
    assertThat(scoreOf(board, over, "a")).isEqualTo(6);

    assertThat(edit(board, end("2026-11-15T20:00:00Z"))).containsExactly("MOVED ext-all-time");
    turnAt("2026-11-15T21:00:00Z");
    assertThat(store().<List<FinalRank>>read(tx -> tx.finalRanks(over.id(), 0, 10)))
        .extracting(FinalRank::score)
        .containsExactly(6L, 4L);
    assertThat(store().<Integer>read(tx -> tx.finalRevision(over.id()))).isEqualTo(1);
    assertThat(edit(board, end(null))).containsExactly("REOPENED ext-all-time");
    assertThat(all(board, 0)).hasSize(1);
  }

  /** Somebody types the wrong year, and corrects it a day later. */
  @Test
  default void change_endMistypedAndCorrected_continuesTheSeason() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("typo", Update.SUM, allTime());
    PipelineCases.accepted(harness().submit(board, score("a", 5)));
    assertThat(edit(board, end("2025-11-20T00:00:00Z"))).containsExactly("ENDED typo-all-time");
    turnAt("2026-11-16T12:00:00Z");
    assertThat(edit(board, end("2026-11-20T00:00:00Z"))).containsExactly("REOPENED typo-all-time");
    PipelineCases.accepted(harness().submit(now(board), score("a", 1)));
    assertThat(all(board, 0)).hasSize(1);
    assertThat(scoreOf(board, all(board, 0).getFirst(), "a")).isEqualTo(6);
    edit(board, end(null));
  }

  @Test
  default void change_endMovedAfterPrizesWereGiven_opensAnotherSeasonAndSaysSo() {
    Board board = made("paid", "2026-11-15T13:00:00Z", GOLD);
    turnAt("2026-11-15T14:00:00Z");
    assertThat(edit(board, end("2026-11-16T00:00:00Z"))).containsExactly("OPENED paid-all-time-2");
    PipelineCases.accepted(harness().submit(now(board), score("a", 1)));
    assertThat(all(board, 0)).hasSize(2);
    assertThat(scoreOf(board, all(board, 0).getLast(), "a")).isEqualTo(1);
    // The times can still be edited: each has a start of its own.
    assertThat(edit(board, end("2026-11-17T00:00:00Z"))).containsExactly("MOVED paid-all-time-2");
    assertThat(edit(board, SeasonCases.times(SeasonCases.at("2026-11-01T00:00:00Z"), null)))
        .isEmpty();
  }

  /** In the grace period nothing is given yet. */
  @Test
  default void change_endMovedBeforePrizesWereGiven_continuesTheSeason() {
    Board board = made("soon", "2026-11-15T13:00:00Z", GOLD);
    clock().set(Instant.parse("2026-11-15T14:00:00Z"));
    harness().seasons.turn();
    assertThat(now(board).seasons()).extracting(Season::status).containsOnly(SeasonStatus.FROZEN);
    assertThat(edit(board, end("2026-11-16T00:00:00Z"))).containsExactly("REOPENED soon-all-time");
    PipelineCases.accepted(harness().submit(now(board), score("b", 7)));
    turnAt("2026-11-16T00:00:00Z");
    Season over = now(board).seasons().getFirst();
    assertThat(store().<List<FinalRank>>read(tx -> tx.finalRanks(over.id(), 0, 10)))
        .extracting(FinalRank::prize)
        .containsExactly(0, PrizeTier.NONE);
  }

  @Test
  default void change_endOfARecurringBoardMoved_continuesTheDayThatItCutShort() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("day", Update.SUM, SeasonCases.window("w", new Schedule.Daily()));
    PipelineCases.accepted(harness().submit(board, score("a", 5)));
    edit(board, end("2026-11-15T13:00:00Z"));
    turnAt("2026-11-15T14:00:00Z");
    assertThat(edit(board, end(null))).containsExactly("REOPENED day-2026-11-15-w");
    turnAt("2026-11-15T23:30:00Z");
    assertThat(all(board, 0))
        .extracting(Season::label)
        .containsExactly("day-2026-11-15-w", "day-2026-11-16-w");
    assertThat(all(board, 0).getFirst().end()).isEqualTo(all(board, 0).getLast().start());
  }

  @Test
  default void change_recurringToAllTime_followsAfterTheRunningSeason() {
    clock().set(Instant.parse("2026-11-15T22:55:00Z"));
    Board board =
        harness().board("turn", Update.SUM, SeasonCases.window("w", new Schedule.Daily()));
    PipelineCases.accepted(harness().submit(board, score("a", 2)));
    assertThat(now(board).seasons()).hasSize(2);
    assertThat(
            edit(
                board,
                SeasonCases.windows(List.of(SeasonCases.window("w", new Schedule.AllTime())))))
        .containsExactly("REMOVED turn-2026-11-16-w", "OPENED turn-w");
    PipelineCases.accepted(harness().submit(now(board), score("a", 4)));
    assertThat(scoreOf(board, all(board, 0).getFirst(), "a")).isEqualTo(6);
    turnAt("2026-11-16T12:00:00Z");
    PipelineCases.accepted(harness().submit(now(board), score("a", 8)));
    Season forAllTime = all(board, 0).getLast();
    assertThat(forAllTime.end()).isEqualTo(Board.NO_END);
    assertThat(scoreOf(board, forAllTime, "a")).isEqualTo(8);
  }

  @Test
  default void change_allTimeToRecurring_endsWhenTheFirstCycleBegins() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board =
        harness().board("ad", Update.SUM, SeasonCases.window("w", new Schedule.AllTime()));
    PipelineCases.accepted(harness().submit(board, score("a", 5)));
    BoardChange daily = SeasonCases.windows(List.of(SeasonCases.window("w", new Schedule.Daily())));
    assertThat(edit(board, daily)).containsExactly("MOVED ad-w");
    assertThat(all(board, 0).getFirst().end()).isEqualTo(SeasonCases.at("2026-11-15T23:00:00Z"));
    // Taken back before it happened.
    BoardChange back =
        SeasonCases.windows(List.of(SeasonCases.window("w", new Schedule.AllTime())));
    assertThat(edit(board, back)).containsExactly("MOVED ad-w");
    assertThat(all(board, 0).getFirst().end()).isEqualTo(Board.NO_END);
    edit(board, daily);
    turnAt("2026-11-16T12:00:00Z");
    PipelineCases.accepted(harness().submit(now(board), score("a", 1)));
    assertThat(scoreOf(board, season("ad-2026-11-16-w", board), "a")).isEqualTo(1);
  }

  private Season season(String label, Board board) {
    return now(board).seasons().stream()
        .filter(s -> s.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  @Test
  default void change_dryRun_saysWhatItWouldDoAndLeavesNothing() {
    Board board = made("dry", "2026-11-15T13:00:00Z");
    turnAt("2026-11-15T14:00:00Z");
    Board before = now(board);
    BoardChange change = end("2026-11-16T00:00:00Z");
    harness().heard.clear();
    assertThat(edit(board, new Edit(known -> change, null, true)))
        .containsExactly("REOPENED dry-all-time");
    harness().boards.follow();
    assertThat(now(board)).isEqualTo(before);
    // Another edit gets the same version, and its own calendar.
    assertThat(edit(board, end("2026-11-15T13:30:00Z"))).containsExactly("MOVED dry-all-time");
  }

  /** The tiers of a season are those of its end. */
  @Test
  default void change_windowRemovedInTheGracePeriod_keepsThePrizes() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board =
        harness().board("rm", Update.SUM, ALL, SeasonCases.window("d", new Schedule.Daily(), GOLD));
    PipelineCases.accepted(harness().submit(board, score("a", 5)));
    Season day = all(board, 1).getFirst();
    turnAt("2026-11-15T23:01:00Z");
    change(board, SeasonCases.windows(List.of(ALL)));
    turnAt("2026-11-15T23:30:00Z");
    assertPaid(day);
  }

  @Test
  default void change_windowRemovedWhileItRuns_endsItsSeasonWithItsPrizes() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board =
        harness().board("rm", Update.SUM, ALL, SeasonCases.window("d", new Schedule.Daily(), GOLD));
    PipelineCases.accepted(harness().submit(board, score("a", 5)));
    Season day = all(board, 1).getFirst();
    change(board, SeasonCases.windows(List.of(ALL)));
    turnAt("2026-11-15T12:30:00Z");
    assertPaid(day);
  }

  /** The season clock was late, as after a downtime: what is over ended by the rules of its end. */
  @Test
  default void change_afterAnEndThatTheClockHasNotSeen_leavesThePrizesOfTheEnd() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    WindowDefinition daily = SeasonCases.window("d", new Schedule.Daily(), GOLD);
    Board board = harness().board("late", Update.SUM, ALL, daily);
    PipelineCases.accepted(harness().submit(board, score("a", 5)));
    Season day = all(board, 1).getFirst();
    clock().set(Instant.parse("2026-11-15T23:00:01Z"));
    PrizeTier silver = new PrizeTier("silver", 1, 1, 0, null);
    WindowDefinition changed =
        new WindowDefinition(
            "d",
            new Schedule.Daily(),
            daily.timeZone(),
            null,
            Duration.ofHours(5),
            null,
            List.of(silver));
    edit(board, SeasonCases.windows(List.of(ALL, changed)));
    Season over = store().read(tx -> tx.season(day.id()));
    assertThat(over).isNotNull();
    assertThat(over.closes()).isEqualTo(day.closes());
    turnAt("2026-11-15T23:30:00Z");
    assertPaid(day);
    turnAt("2026-11-17T12:00:00Z");
    Season next = all(board, 1).get(1);
    assertThat(store().<List<PrizeTier>>read(tx -> tx.prizes(next.id()))).containsExactly(silver);
  }

  private void assertPaid(Season season) {
    assertThat(store().<List<PrizeTier>>read(tx -> tx.prizes(season.id()))).containsExactly(GOLD);
    assertThat(store().<List<FinalRank>>read(tx -> tx.finalRanks(season.id(), 0, 10)))
        .extracting(FinalRank::prize)
        .containsExactly(0);
    assertThat(harness().heard)
        .containsOnlyOnce(new Harness.Heard(season.label(), SeasonEvent.PRIZES_READY));
  }

  @Test
  default void change_windowRemovedAndAddedAgain_labelsStayUnique() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    WindowDefinition daily = SeasonCases.window("d", new Schedule.Daily());
    Board board = harness().board("again", Update.SUM, ALL, daily);
    for (int i = 0; i < 3; i++) {
      clock().turn(Duration.ofMinutes(1));
      change(board, SeasonCases.windows(List.of(daily)));
      clock().turn(Duration.ofMinutes(1));
      change(board, SeasonCases.windows(List.of(ALL, daily)));
      clock().turn(Duration.ofMinutes(1));
      change(board, SeasonCases.windows(List.of(ALL)));
      clock().turn(Duration.ofMinutes(1));
      change(board, SeasonCases.windows(List.of(ALL, daily)));
    }
    for (int window = 0; window < 2; window++) {
      List<Season> seasons = all(board, window);
      assertThat(seasons).hasSize(4).extracting(Season::label).doesNotHaveDuplicates();
      for (int i = 1; i < seasons.size(); i++) {
        assertThat(seasons.get(i).start()).isEqualTo(seasons.get(i - 1).end());
      }
    }
  }

  /**
   * A score from a fast clock keeps a season that was made ahead; the time before it is no hole.
   */
  @Test
  default void change_scheduleWhileOneAheadHasAScore_leavesNoHole() {
    clock().set(Instant.parse("2026-11-15T12:58:00Z"));
    WindowDefinition hourly = SeasonCases.window("w", new Schedule.Hourly());
    Board board = harness().board("hole", Update.SUM, hourly);
    clock().set(Instant.parse("2026-11-15T13:57:00Z"));
    harness().seasons.turn();
    long ahead = SeasonCases.at("2026-11-15T14:01:00Z");
    PipelineCases.accepted(harness().submit(now(board), score("fast", 5, ahead, null)));
    // Half an hour earlier than the hours of before.
    WindowDefinition elsewhere =
        new WindowDefinition(
            "w", new Schedule.Weekly(DayOfWeek.MONDAY), "UTC", null, null, null, List.of());
    clock().set(Instant.parse("2026-11-15T13:58:00Z"));
    change(board, SeasonCases.times(null, SeasonCases.at("2026-11-15T13:59:00Z")));
    change(board, SeasonCases.windows(List.of(elsewhere)));
    change(board, SeasonCases.times(null, Board.NO_END));
    for (int minutes = 0; minutes < 300; minutes++) {
      harness().seasons.turn();
      PipelineCases.accepted(harness().submit(now(board), score("a", 1)));
      clock().turn(Duration.ofMinutes(1));
    }
    List<Season> seasons = all(board, 0);
    for (int i = 1; i < seasons.size(); i++) {
      assertThat(seasons.get(i).start()).isEqualTo(seasons.get(i - 1).end());
    }
    assertThat(seasons).extracting(Season::label).doesNotHaveDuplicates();
  }

  /** A laptop that slept for a year: nobody wants to hear of 8,760 hours. */
  @Test
  default void turn_afterAYear_makesOnlyTheLastSeasonsThatNobodyCouldPlay() {
    clock().set(Instant.parse("2025-11-15T12:30:00Z"));
    Board board =
        harness().board("hours", Update.SUM, SeasonCases.window("w", new Schedule.Hourly()));
    PipelineCases.accepted(harness().submit(board, score("a", 1)));
    harness().heard.clear();
    turnAt("2026-11-15T12:30:00Z");
    List<Season> seasons = all(board, 0);
    // The first, ten that were over before anybody could play, and the one that runs.
    assertThat(seasons).hasSize(12);
    assertThat(seasons.get(1).start()).isEqualTo(SeasonCases.at("2026-11-15T02:00:00Z"));
    for (int i = 2; i < seasons.size(); i++) {
      assertThat(seasons.get(i).start()).isEqualTo(seasons.get(i - 1).end());
    }
    assertThat(seasons.getLast().status()).isEqualTo(SeasonStatus.ACTIVE);
    assertThat(harness().heard).hasSize(2 + 3 * 10 + 1);
    PipelineCases.accepted(harness().submit(now(board), score("a", 1)));
  }
}
