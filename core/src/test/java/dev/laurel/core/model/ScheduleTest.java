package dev.laurel.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  private static final LocalDate DATE = LocalDate.of(2026, 1, 1);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "all-time",
        "hourly",
        "daily",
        "weekly:MONDAY",
        "weekly:SUNDAY",
        "monthly",
        "every:3:DAYS:2026-01-01",
        "every:1000:WEEKS:0001-01-01",
        "cron:PT168H:0 0 0 1 * ?",
        "cron::0 9 * * MON-FRI"
      })
  void parse_canonicalText_isReadAndWrittenBack(String text) {
    Schedule schedule = Schedule.parse(text);
    assertThat(schedule.text()).isEqualTo(text);
    assertThat(Schedule.parse(schedule.text())).isEqualTo(schedule);
  }

  @Test
  void text_ofEverySchedule_roundTrips() {
    List<Schedule> all =
        List.of(
            new Schedule.AllTime(),
            new Schedule.Hourly(),
            new Schedule.Daily(),
            new Schedule.Weekly(DayOfWeek.SATURDAY),
            new Schedule.Monthly(),
            new Schedule.Every(2, Schedule.Unit.WEEKS, DATE),
            new Schedule.Cron("0 0 0 1 * ?", Duration.ofDays(7)),
            new Schedule.Cron("0 0 1 * *", null));
    assertThat(all.stream().map(Schedule::text)).doesNotHaveDuplicates();
    assertThat(all.stream().map(s -> Schedule.parse(s.text()))).isEqualTo(all);
  }

  @Test
  void cron_sameMeaningInOtherSpacesAndLetters_isEqual() {
    assertThat(new Schedule.Cron(" 0  0\t0 ? *  mon ", Duration.parse("PT168H")))
        .isEqualTo(new Schedule.Cron("0 0 0 ? * MON", Duration.ofDays(7)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yearly",
        "Daily",
        "daily:",
        "weekly",
        "weekly:MON",
        "every:3:DAYS",
        "every:3:DAYS:2026-02-30",
        "every:3:MONTHS:2026-01-01",
        "every:x:DAYS:2026-01-01",
        "every:3:DAYS:2026-01-01:",
        "cron",
        "cron:0 0 0 1 * ?",
        "cron:7 days:0 0 0 1 * ?"
      })
  void parse_otherText_isRefusedByName(String text) {
    assertThatThrownBy(() -> Schedule.parse(text))
        .isInstanceOf(RejectedException.class)
        .hasMessageStartingWith("VALIDATION_ERROR: schedule: " + text + " (expected: all-time");
  }

  @Test
  void new_outOfRange_isRefusedWithTheRange() {
    assertRefused(
        () -> new Schedule.Every(0, Schedule.Unit.DAYS, DATE), "every: 0 (expected: 1..1000)");
    assertRefused(
        () -> new Schedule.Every(1001, Schedule.Unit.DAYS, DATE),
        "every: 1001 (expected: 1..1000)");
    assertRefused(
        () -> new Schedule.Every(1, Schedule.Unit.DAYS, LocalDate.MAX), "(expected: a date of");
    assertRefused(() -> new Schedule.Cron(" ", null), "cronExpression:  (expected: a cron");
    assertRefused(() -> new Schedule.Cron("*".repeat(121), null), "at most 120 characters");
    assertRefused(() -> new Schedule.Cron("x", Duration.ZERO), "duration: PT0S (expected: whole");
    assertRefused(() -> new Schedule.Cron("x", Duration.ofHours(-1)), "duration: PT-1H");
    assertRefused(() -> new Schedule.Cron("x", Duration.ofMillis(1500)), "duration: PT1.5S");
    assertRefused(() -> new Schedule.Cron("x", Duration.ofDays(36_601)), "duration: PT878424H");
  }

  private static void assertRefused(Runnable make, String message) {
    assertThatThrownBy(make::run)
        .isInstanceOf(RejectedException.class)
        .hasMessageContaining(message);
  }
}
