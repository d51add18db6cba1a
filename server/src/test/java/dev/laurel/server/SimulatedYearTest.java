package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.Window;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.season.Cycle;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.Store;
import dev.laurel.cron.CronUtilsParser;
import dev.laurel.sql.SqliteStore;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import dev.laurel.testkit.Seeds;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A year in which the clock is turned by hand: zones that change their clocks, outages of days,
 * events that come late. Every season once and none missing, no event in two seasons of a window,
 * and totals that equal the ledger's.
 */
@ExtendWith(Seeds.class)
class SimulatedYearTest {
  private static final long BEGIN = Instant.parse("2027-12-20T05:17:00Z").toEpochMilli();
  private static final long END = BEGIN + Duration.ofDays(400).toMillis();

  @TempDir Path folder = Path.of("");

  private static WindowDefinition window(String name, Schedule schedule, String zone) {
    return new WindowDefinition(name, schedule, zone, null, null, null, List.of());
  }

  private static Board board(Harness node, String uuid, String zone) {
    return node.board(
        uuid,
        Update.SUM,
        window("daily", new Schedule.Daily(), zone),
        // Hours in one zone are enough, and the one with half an hour has the most to it.
        zone.equals("Europe/Berlin")
            ? window(
                "sprint",
                new Schedule.Every(10, Schedule.Unit.DAYS, LocalDate.of(2027, 12, 1)),
                zone)
            : window("hourly", new Schedule.Hourly(), zone),
        window("weekly", new Schedule.Weekly(DayOfWeek.SUNDAY), zone),
        window("monthly", new Schedule.Monthly(), zone),
        window("opening", new Schedule.Cron("0 0 0 1 * ?", Duration.ofDays(7)), zone),
        window("half-past", new Schedule.Cron("0 30 2 * * ?", null), zone),
        WindowDefinition.ALL_TIME);
  }

  @Test
  void year_withOutagesAndLateEvents_losesAndRepeatsNothing(Random random) {
    ManualClock clock = new ManualClock(Instant.ofEpochMilli(BEGIN));
    try (Store store = SqliteStore.open(folder, clock);
        Harness node = new Harness(store, clock, new CronUtilsParser(), 1 << 16, Long.MAX_VALUE)) {
      List<Board> boards =
          List.of(
              board(node, "berlin", "Europe/Berlin"),
              board(node, "lord-howe", "Australia/Lord_Howe"));
      Map<String, Long> accepted = new HashMap<>();
      while (clock.millis() < END) {
        boolean outage = random.nextInt(120) == 0;
        clock.turn(Duration.ofMinutes(outage ? random.nextInt(14_400) : 1 + random.nextInt(900)));
        // Mostly the scheduler is first, sometimes an event.
        if (random.nextInt(10) > 0) {
          turn(node);
        }
        for (Board board : boards) {
          submit(node, board, random, clock.millis(), accepted);
        }
      }
      turn(node);
      for (Board board : boards) {
        check(store, node, board, accepted.getOrDefault(board.uuid(), 0L));
      }
      assertThat(node.failures).isEmpty();
    }
  }

  private static void turn(Harness node) {
    node.seasons.turn();
    node.finals.writeAll(() -> false);
  }

  private static void submit(
      Harness node, Board board, Random random, long now, Map<String, Long> accepted) {
    Board current = node.boards.require(board.tenant(), board.uuid());
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long at = now - (random.nextBoolean() ? 0 : random.nextInt(900_000));
      commands.add(Harness.score("u" + random.nextInt(30), 1 + random.nextInt(9), at, null));
    }
    Reply reply = node.await(new Request(current, commands, 1, false, null));
    List<Outcome> outcomes = ((Reply.Done) reply).outcomes();
    for (int i = 0; i < outcomes.size(); i++) {
      // The all-time window takes everything.
      assertThat(outcomes.get(i)).isInstanceOf(Outcome.Accepted.class);
      accepted.merge(
          board.uuid(), Long.parseLong(((Command.Score) commands.get(i)).value()), Long::sum);
    }
  }

  private static void check(Store store, Harness node, Board known, long accepted) {
    Board board = node.boards.require(known.tenant(), known.uuid());
    List<LedgerLine> lines =
        store.read(tx -> tx.lines(board.shard(), 0, Long.MAX_VALUE, Integer.MAX_VALUE)).stream()
            .filter(line -> line.board() == board.id())
            .toList();
    assertThat(lines.stream().mapToLong(LedgerLine::value).sum()).isEqualTo(accepted);
    for (Window window : board.windows()) {
      List<Season> seasons =
          store
              .read(tx -> tx.seasonsBefore(board.id(), window.number(), Long.MAX_VALUE, 100_000))
              .reversed();
      everyCycleOnce(node, board, window, seasons);
      long inLedger =
          lines.stream()
              .filter(line -> (line.windows() >> window.number() & 1) == 1)
              .mapToLong(LedgerLine::value)
              .sum();
      long inEntries = 0;
      for (Season season : seasons) {
        long[] sum = new long[1];
        store.read(
            tx -> {
              tx.entries(season.id(), (user, score, reached, meta) -> sum[0] += score);
              return true;
            });
        long ofItsTime =
            lines.stream()
                .filter(line -> (line.windows() >> window.number() & 1) == 1)
                .filter(line -> season.covers(line.at()))
                .mapToLong(LedgerLine::value)
                .sum();
        assertThat(sum[0]).as(season.toString()).isEqualTo(ofItsTime);
        inEntries += sum[0];
        if (season.status() == SeasonStatus.FINAL) {
          List<FinalRank> ranks = store.read(tx -> tx.finalRanks(season.id(), 0, 1000));
          assertThat(ranks.stream().mapToLong(FinalRank::score).sum()).isEqualTo(sum[0]);
        }
      }
      assertThat(inEntries).as(window.name()).isEqualTo(inLedger);
    }
  }

  /**
   * The stored seasons are the calendar's cycles, in order; all that are over are final. Cycles
   * that began and ended during an outage may be missing: nobody could play them.
   */
  private static void everyCycleOnce(
      Harness node, Board board, Window window, List<Season> seasons) {
    Cycle cycle = node.calendars.at(board, window, seasons.getFirst().start());
    for (Season season : seasons) {
      while (cycle != null && cycle.end() <= season.start()) {
        cycle = node.calendars.following(board, window, cycle.end());
      }
      assertThat(cycle).as("before " + season).isNotNull();
      assertThat(new Cycle(season.start(), season.end())).as(season.label()).isEqualTo(cycle);
      cycle =
          season.end() == Board.NO_END
              ? null
              : node.calendars.following(board, window, season.end());
    }
    long now = node.clock.millis();
    if (cycle != null) {
      assertThat(cycle.start()).as("the first that is not there yet").isGreaterThan(now);
    }
    assertThat(seasons)
        .filteredOn(s -> s.closes() <= now)
        .allMatch(s -> s.status() == SeasonStatus.FINAL);
    assertThat(seasons.stream().map(Season::label).distinct()).hasSameSizeAs(seasons);
  }
}
