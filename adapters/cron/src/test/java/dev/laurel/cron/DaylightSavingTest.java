package dev.laurel.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.season.Cycle;
import dev.laurel.core.season.SeasonCalendar;
import dev.laurel.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What happens to cron when somebody sets the clock. */
@ExtendWith(Seeds.class)
class DaylightSavingTest {
  private static final List<String> ZONES =
      List.of(
          "UTC",
          "Europe/Berlin",
          "America/New_York",
          "America/Sao_Paulo",
          "America/Havana",
          "America/St_Johns",
          "Africa/Cairo",
          "Africa/Casablanca",
          "Asia/Beirut",
          "Asia/Tehran",
          "Asia/Gaza",
          "Antarctica/Troll",
          "Antarctica/Casey",
          "Australia/Lord_Howe",
          "Pacific/Apia",
          "Pacific/Chatham");

  @Test
  void next_certainHourSkipped_firesWhenTheClockJumps() {
    assertThat(firings("0 30 2 * * ?", "Europe/Berlin", "2026-03-28T12:00Z", "2026-03-31T00:00Z"))
        .containsExactly("2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00");
  }

  @Test
  void next_certainHourRepeated_firesOnlyTheFirstTime() {
    assertThat(firings("0 30 2 * * ?", "Europe/Berlin", "2026-10-24T12:00Z", "2026-10-26T12:00Z"))
        .containsExactly("2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00");
  }

  @Test
  void next_midnightSkipped_firesAtTheFirstInstantOfTheDay() {
    assertThat(firings("0 0 * * *", "Africa/Cairo", "2024-04-25T12:00Z", "2024-04-27T12:00Z"))
        .containsExactly("2024-04-26T01:00+03:00", "2024-04-27T00:00+03:00");
    assertThat(firings("0 0 * * *", "Asia/Beirut", "2025-03-29T12:00Z", "2025-03-31T12:00Z"))
        .containsExactly("2025-03-30T01:00+03:00", "2025-03-31T00:00+03:00");
    assertThat(firings("0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00Z", "2018-11-05T12:00Z"))
        .containsExactly("2018-11-04T01:00-02:00", "2018-11-05T00:00-02:00");
  }

  @Test
  void next_dateSkipped_firesAtTheEndOfTheJump() {
    assertThat(firings("0 0 9 30 * ?", "Pacific/Apia", "2011-12-01T00:00Z", "2012-01-31T00:00Z"))
        .containsExactly("2011-12-31T00:00+14:00", "2012-01-30T09:00+14:00");
  }

  @Test
  void next_everyHour_followsTheClockAround() {
    assertThat(firings("0 30 * * * ?", "Europe/Berlin", "2026-03-29T00:00Z", "2026-03-29T02:00Z"))
        .containsExactly("2026-03-29T01:30+01:00", "2026-03-29T03:30+02:00");
    assertThat(firings("0 30 * * * ?", "Europe/Berlin", "2026-10-24T23:00Z", "2026-10-25T03:00Z"))
        .containsExactly(
            "2026-10-25T01:30+02:00",
            "2026-10-25T02:30+02:00",
            "2026-10-25T02:30+01:00",
            "2026-10-25T03:30+01:00");
  }

  @Test
  void next_clockSetBackToAFiring_firesAtOnce() {
    assertThat(firings("0 0 * * * ?", "Europe/Berlin", "2026-10-25T00:30Z", "2026-10-25T02:00Z"))
        .containsExactly("2026-10-25T02:00+01:00", "2026-10-25T03:00+01:00");
  }

  @Test
  void next_lastDayEndsTwice_firesInTheRepeatedHourToo() {
    // Cairo at 24:00 shows 23:00 again, after the expression's last reading.
    assertThat(
            firings("0 0 * 31 10 ? 2024", "Africa/Cairo", "2024-10-31T19:30Z", "2024-12-01T00:00Z"))
        .containsExactly("2024-10-31T23:00+03:00", "2024-10-31T23:00+02:00");
  }

  @Test
  void next_halfAnHour_neitherSkipsNorRepeatsADailyJob() {
    String zone = "Australia/Lord_Howe";
    assertThat(firings("0 45 1 * * ?", zone, "2026-04-04T00:00Z", "2026-04-06T00:00Z"))
        .containsExactly("2026-04-05T01:45+11:00", "2026-04-06T01:45+10:30");
    assertThat(firings("0 15 2 * * ?", zone, "2026-10-03T00:00Z", "2026-10-05T00:00Z"))
        .containsExactly("2026-10-04T02:30+11:00", "2026-10-05T02:15+11:00");
  }

  /** A day that exists has exactly one firing, also if its time does not exist. */
  @Test
  void next_dailyJobsAnywhere_fireOnceForEveryDate(Random random) {
    for (String name : ZONES) {
      ZoneId zone = ZoneId.of(name);
      for (int round = 0; round < 6; round++) {
        // Not on the hour: in Apia midnight would be that of the skipped date too.
        int minute = 1 + random.nextInt(59);
        String cron = "0 " + minute + " " + List.of(23, 0, 1, 2).get(random.nextInt(4)) + " * * ?";
        var firings = new CronUtilsParser().parse(cron, zone);
        LocalDate from = LocalDate.of(2005, 1, 1);
        LocalDate to = LocalDate.of(2030, 1, 1);
        long end = to.atTime(12, 0).atZone(zone).toInstant().toEpochMilli();
        long time = from.atTime(12, 0).atZone(zone).toInstant().toEpochMilli();
        long fired = 0;
        for (long next = firings.next(time).orElseThrow(); next < end; fired++) {
          assertThat(firings.last(next)).hasValue(next);
          assertThat(firings.last(next - 1).orElseThrow()).isLessThanOrEqualTo(time);
          time = next;
          next = firings.next(time).orElseThrow();
        }
        assertThat(fired).as(cron + " in " + name).isEqualTo(from.until(to, ChronoUnit.DAYS));
      }
    }
  }

  @Test
  void calendar_anyCron_tilesWithUniqueLabels(Random random) {
    String[] crons = {
      "0 0 0 1 * ?",
      "0 0 2 * * ?",
      "0 30 * * * ?",
      "0 */20 0-3 * * ?",
      "0 0 */6 ? * SUN",
      "*/20 59 23,0 * * ?",
      "0 0 0,12 * * ?",
      "15 */30 * ? * SAT,SUN"
    };
    for (String name : ZONES) {
      for (String cron : crons) {
        Duration duration =
            random.nextBoolean() ? null : Duration.ofMinutes(1 + random.nextInt(5000));
        long from =
            Times.ms("2006-01-01T00:00:00Z")
                + random.nextLong(Duration.ofDays(22 * 365).toMillis());
        walk(new Schedule.Cron(cron, duration), ZoneId.of(name), from);
      }
    }
  }

  private static void walk(Schedule.Cron cron, ZoneId zone, long from) {
    SeasonCalendar calendar =
        SeasonCalendar.of(cron, zone, from, Board.NO_END, new CronUtilsParser());
    Set<String> labels = new HashSet<>();
    Cycle cycle = calendar.next(from - 1);
    long to = from + Duration.ofDays(250).toMillis();
    while (cycle != null && cycle.start() < to) {
      String where = cron + " in " + zone + " at " + Instant.ofEpochMilli(cycle.start());
      Cycle next = calendar.next(cycle.start());
      assertThat(next).as(where).isNotNull();
      assertThat(cycle.end()).as(where).isLessThanOrEqualTo(next.start());
      assertThat(calendar.at(cycle.start())).as(where).isEqualTo(cycle);
      assertThat(calendar.at(cycle.end() - 1)).as(where).isEqualTo(cycle);
      if (cron.duration() == null) {
        assertThat(cycle.end()).as(where).isEqualTo(next.start());
      } else if (cycle.end() < next.start()) {
        assertThat(calendar.at(cycle.end())).as(where).isNull();
        assertThat(calendar.next(cycle.end())).as(where).isEqualTo(next);
      }
      assertThat(labels.add(calendar.label("b", "w", cycle))).as(where).isTrue();
      cycle = next;
    }
  }

  private static List<String> firings(String cron, String zone, String after, String to) {
    ZoneId id = ZoneId.of(zone);
    return Times.between(new CronUtilsParser().parse(cron, id), id, after, to);
  }
}
