package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.Routing;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.CorrectionPreview;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Edits that move the bounds of seasons: what a season has counted stays its own. */
interface BoundsCases extends SeasonCases, CorrectionCases {
  private long submit(Board board, String user, long value, String at) {
    return PipelineCases.accepted(
            harness().submit(now(board), score(user, value, SeasonCases.at(at), null)))
        .line();
  }

  /** What a revert would leave of the score, and what it leaves; both must be the same. */
  private long reverted(Board board, String user, long line) {
    Command.Correct revert =
        new Command.Correct(user, Command.Correction.REVERT, List.of(line), null);
    CorrectionPreview preview =
        store()
            .read(
                tx ->
                    CorrectionPreview.of(
                        tx,
                        now(board),
                        List.of(revert),
                        harness().users.of(board.tenant()),
                        clock().millis()));
    Outcome.Accepted done = PipelineCases.accepted(harness().submit(now(board), revert));
    RankIndex.Change foreseen = preview.seasons().getFirst().changes().getFirst();
    assertThat(foreseen.present()).isEqualTo(done.onBoard());
    assertThat(foreseen.score()).isEqualTo(done.score());
    return done.onBoard() ? done.score() : -1;
  }

  @Test
  default void change_startMovedPastWhatWasCounted_revertsFoldItAllTheSame() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("start", Update.SUM);
    submit(board, "a", 10, "2026-11-15T11:00:00Z");
    long second = submit(board, "a", 5, "2026-11-15T12:00:00Z");
    change(board, SeasonCases.times(SeasonCases.at("2026-11-15T11:30:00Z"), null));
    assertThat(reverted(board, "a", second)).isEqualTo(10);
  }

  @Test
  default void change_endMovedBeforeWhatWasCounted_revertsFoldItAllTheSame() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("end", Update.SUM);
    long first = submit(board, "a", 10, "2026-11-15T11:00:00Z");
    long second = submit(board, "a", 5, "2026-11-15T12:00:00Z");
    submit(board, "a", 2, "2026-11-15T12:01:00Z");
    change(board, SeasonCases.times(null, SeasonCases.at("2026-11-15T11:59:00Z")));
    assertThat(reverted(board, "a", first)).isEqualTo(7);
    assertThat(reverted(board, "a", second)).isEqualTo(2);
  }

  /** Every move is known: lines in between are those of the bounds in between. */
  @Test
  default void change_boundsMovedAgainAndAgain_revertsFoldWhatWasCountedUnderEach() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("often", Update.SUM);
    submit(board, "a", 1, "2026-11-15T10:00:00Z");
    change(board, SeasonCases.times(SeasonCases.at("2026-11-15T11:00:00Z"), null));
    submit(board, "a", 2, "2026-11-15T11:00:00Z");
    change(board, SeasonCases.times(SeasonCases.at("2026-11-15T11:30:00Z"), null));
    change(board, SeasonCases.times(SeasonCases.at("2026-11-15T11:40:00Z"), null));
    submit(board, "a", 4, "2026-11-15T11:45:00Z");
    change(board, SeasonCases.times(SeasonCases.at("2026-11-15T11:50:00Z"), null));
    long last = submit(board, "a", 8, "2026-11-15T12:00:00Z");
    assertThat(reverted(board, "a", last)).isEqualTo(7);
  }

  @Test
  default void change_endMovedBeforeADeletion_whatWasDeletedStaysSo() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("deleted", Update.SUM);
    submit(board, "a", 10, "2026-11-15T11:00:00Z");
    PipelineCases.accepted(harness().submit(board, new Command.Delete("a")));
    long again = submit(board, "a", 5, "2026-11-15T12:00:01Z");
    submit(board, "a", 3, "2026-11-15T12:00:01Z");
    change(board, SeasonCases.times(null, SeasonCases.at("2026-11-15T11:30:00Z")));
    assertThat(reverted(board, "a", again)).isEqualTo(3);
  }

  /** A clock that was fast by minutes counted for today; today was then cut short. */
  @Test
  default void change_dayCutShort_eventsBeyondTheCutStayInTheDay() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board =
        harness().board("day", Update.SUM, SeasonCases.window("daily", new Schedule.Daily()));
    long ahead = submit(board, "a", 5, "2026-11-15T12:04:00Z");
    submit(board, "a", 2, "2026-11-15T12:03:00Z");
    long first = submit(board, "a", 1, "2026-11-15T12:00:00Z");
    change(board, SeasonCases.times(null, SeasonCases.at("2026-11-15T12:01:00Z")));
    assertThat(reverted(board, "a", first)).isEqualTo(7);
    assertThat(reverted(board, "a", ahead)).isEqualTo(2);
    Season day = now(board).seasons().getFirst();
    assertThat(scoreOf(board, day, "a")).isEqualTo(2);
  }

  /** What happens elsewhere while a season waits for its new start is linked with its lines. */
  @Test
  default void change_startMovedToTheFuture_linesOfOtherWindowsKeepTheLink() {
    clock().set(Instant.parse("2026-11-15T22:00:00Z"));
    Board board =
        harness().board("links", Update.SUM, ALL, SeasonCases.window("d", new Schedule.Daily()));
    submit(board, "a", 1, "2026-11-15T21:00:00Z");
    submit(board, "a", 2, "2026-11-15T22:00:00Z");
    turnAt("2026-11-15T23:01:00Z");
    change(board, SeasonCases.times(SeasonCases.at("2026-11-16T01:00:00Z"), null));
    // Yesterday still takes late events; the window of all time has not begun.
    submit(board, "a", 4, "2026-11-15T22:30:00Z");
    turnAt("2026-11-16T02:00:00Z");
    long last = submit(board, "a", 8, "2026-11-16T01:30:00Z");
    assertThat(reverted(board, "a", last)).isEqualTo(3);
  }

  /** A season that may go on is linked also while it takes no events. */
  @Test
  default void change_endedSeasonReopened_linesMeanwhileKeepTheLink() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    WindowDefinition all =
        new WindowDefinition(
            "all", new Schedule.AllTime(), null, null, Duration.ZERO, null, List.of());
    WindowDefinition day =
        new WindowDefinition(
            "day", new Schedule.Daily(), null, null, Duration.ofHours(6), null, List.of());
    Board board = harness().board("meanwhile", Update.SUM, all);
    submit(board, "a", 1, "2026-11-15T12:00:00Z");
    change(board, SeasonCases.windows(List.of(all, day)));
    change(board, SeasonCases.times(null, SeasonCases.at("2026-11-15T13:00:00Z")));
    turnAt("2026-11-15T13:30:00Z");
    submit(board, "a", 2, "2026-11-15T12:50:00Z");
    change(board, SeasonCases.times(null, Board.NO_END));
    long last = submit(board, "a", 4, "2026-11-15T13:30:00Z");
    assertThat(reverted(board, "a", last)).isEqualTo(1);
  }

  /**
   * Edits of all kinds between scores, deletions and reverts, and an oracle that wrote down for
   * each line which seasons it reached when it was sent.
   */
  @Test
  default void change_randomEdits_everySeasonEqualsWhatReachedIt(Random random) {
    clock().set(Instant.parse("2026-03-01T00:00:00Z"));
    Board made = harness().board("edits", Update.SUM, randomWindows(random));
    Reached model = new Reached();
    for (int round = 0; round < 250; round++) {
      clock().turn(Duration.ofMinutes(random.nextInt(120)));
      harness().seasons.turn();
      if (random.nextBoolean()) {
        harness().finals.writeAll(() -> false);
        harness().boards.follow();
      }
      switch (random.nextInt(10)) {
        case 0 -> deleteOne(made, "u" + random.nextInt(3), model);
        case 1, 2 -> revertOne(made, random, model);
        case 3 -> editTimes(made, random);
        case 4 -> {
          if (random.nextInt(3) == 0) {
            change(made, SeasonCases.windows(List.of(randomWindows(random))));
          }
        }
        default -> submitOne(made, random, model);
      }
    }
    harness().finals.writeAll(() -> false);
    for (int window = 0; window < 3; window++) {
      int number = window;
      List<Season> seasons =
          store().read(tx -> tx.seasonsBefore(made.id(), number, Long.MAX_VALUE, 10_000));
      for (Season season : seasons) {
        assertThat(stored(season)).as(season.toString()).isEqualTo(model.sums(season.id()));
      }
      assertThat(seasons).extracting(Season::label).doesNotHaveDuplicates();
      for (int i = 1; i < seasons.size(); i++) {
        assertThat(seasons.get(i).end()).isLessThanOrEqualTo(seasons.get(i - 1).start());
      }
    }
    assertThat(harness().failures).isEmpty();
  }

  private static WindowDefinition[] randomWindows(Random random) {
    Schedule[] schedules = {
      new Schedule.AllTime(),
      new Schedule.Daily(),
      new Schedule.Hourly(),
      new Schedule.Every(3, Schedule.Unit.DAYS, LocalDate.of(2026, 1, 2))
    };
    List<WindowDefinition> windows = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      if (windows.isEmpty() || random.nextInt(3) > 0) {
        windows.add(
            new WindowDefinition(
                name,
                name.equals("a") ? schedules[0] : schedules[random.nextInt(schedules.length)],
                "UTC",
                null,
                Duration.ofHours(random.nextInt(8)),
                null,
                random.nextBoolean() ? List.of() : List.of(new PrizeTier("gold", 1, 1, 0, null))));
      }
    }
    return windows.toArray(WindowDefinition[]::new);
  }

  private void editTimes(Board made, Random random) {
    long now = clock().millis();
    long hour = Duration.ofHours(1).toMillis();
    Long start =
        switch (random.nextInt(4)) {
          case 0 -> Board.NO_START;
          case 1 -> now + (random.nextInt(20) - 15) * hour / 2;
          default -> null;
        };
    Long end =
        switch (random.nextInt(3)) {
          case 0 -> Board.NO_END;
          case 1 -> now + (random.nextInt(20) - 5) * hour;
          default -> null;
        };
    try {
      change(made, SeasonCases.times(start, end));
    } catch (RejectedException e) {
      assertThat(e.rejection().message()).contains("endTime: not after startTime");
    }
  }

  private void submitOne(Board made, Random random, Reached model) {
    Board board = now(made);
    long at = clock().millis() - random.nextInt(Math.toIntExact(Duration.ofHours(6).toMillis()));
    at = random.nextInt(4) == 0 ? clock().millis() + random.nextInt(240_000) : at;
    Routing.Route route = Routing.route(board, harness().calendars, at, clock().millis());
    String user = "u" + random.nextInt(3);
    long value = 1L + random.nextInt(9);
    Reply reply = harness().submit(board, score(user, value, at, null));
    if (route instanceof Routing.Route.To(List<Season> seasons)) {
      Set<Long> ids = seasons.stream().map(Season::id).collect(Collectors.toSet());
      model.lines.put(PipelineCases.accepted(reply).line(), new Reached.Line(user, value, ids));
    } else {
      PipelineCases.rejection(reply);
    }
  }

  private void deleteOne(Board made, String user, Reached model) {
    Board board = now(made);
    Reply reply = harness().submit(board, new Command.Delete(user));
    if (((Reply.Done) reply).outcomes().getFirst() instanceof Outcome.Accepted accepted) {
      Set<Long> ids =
          board.seasons().stream()
              .filter(s -> s.isOpen(clock().millis()))
              .map(Season::id)
              .collect(Collectors.toSet());
      model.lines.put(accepted.line(), new Reached.Line(user, Reached.DELETED, ids));
    }
  }

  private void revertOne(Board made, Random random, Reached model) {
    List<Long> scores =
        model.lines.entrySet().stream()
            .filter(e -> e.getValue().value > 0)
            .map(Map.Entry::getKey)
            .toList();
    if (!scores.isEmpty()) {
      long line = scores.get(random.nextInt(scores.size()));
      Reached.Line reverted = Objects.requireNonNull(model.lines.get(line));
      revert(now(made), reverted.user, line);
      model.lines.put(line, new Reached.Line(reverted.user, 0, reverted.seasons));
    }
  }

  private Map<String, Long> stored(Season season) {
    UserDictionary users = harness().users.of(Tenant.DEFAULT);
    Map<String, Long> stored = new HashMap<>();
    store()
        .read(
            tx -> {
              tx.entries(
                  season.id(), (user, score, reached, extra) -> stored.put(users.id(user), score));
              return true;
            });
    return stored;
  }

  /** What was sent, and which seasons it reached then. */
  final class Reached {
    static final long DELETED = -1;

    final TreeMap<Long, Line> lines = new TreeMap<>();

    /**
     * @param value 0 once it is reverted
     */
    record Line(String user, long value, Set<Long> seasons) {}

    Map<String, Long> sums(long season) {
      Map<String, Long> sums = new HashMap<>();
      for (Line line : lines.values()) {
        if (line.seasons.contains(season) && line.value == DELETED) {
          sums.remove(line.user);
        } else if (line.seasons.contains(season) && line.value > 0) {
          sums.merge(line.user, line.value, Long::sum);
        }
      }
      return sums;
    }
  }
}
