package dev.laurel.core.season;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Schedule;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The traps, one by one. Times are written as people see them, with the offset. */
class SeasonCalendarTest {
  private static final CronParser NO_CRON =
      (_, _) -> {
        throw new AssertionError("no cron here");
      };

  @Test
  void daily_clockSetForward_hasADayOf23Hours() {
    SeasonCalendar days = calendar(new Schedule.Daily(), "Europe/Berlin");
    assertCycle(
        days.at(ms("2026-03-29T12:00+02:00")), "2026-03-29T00:00+01:00", "2026-03-30T00:00+02:00");
    assertThat(hours(days.at(ms("2026-03-29T12:00+02:00")))).isEqualTo(23);
  }

  @Test
  void daily_clockSetBack_hasADayOf25Hours() {
    SeasonCalendar days = calendar(new Schedule.Daily(), "Europe/Berlin");
    assertThat(hours(days.at(ms("2026-10-25T12:00+01:00")))).isEqualTo(25);
    assertThat(hours(days.at(ms("2026-10-26T12:00+01:00")))).isEqualTo(24);
  }

  @Test
  void daily_midnightSkipped_beginsWhenTheClockJumps() {
    assertCycle(
        calendar(new Schedule.Daily(), "America/Sao_Paulo").at(ms("2018-11-04T12:00-02:00")),
        "2018-11-04T01:00-02:00",
        "2018-11-05T00:00-02:00");
    assertCycle(
        calendar(new Schedule.Daily(), "Africa/Cairo").at(ms("2024-04-26T12:00+03:00")),
        "2024-04-26T01:00+03:00",
        "2024-04-27T00:00+03:00");
    assertCycle(
        calendar(new Schedule.Daily(), "Asia/Beirut").at(ms("2025-03-30T12:00+03:00")),
        "2025-03-30T01:00+03:00",
        "2025-03-31T00:00+03:00");
  }

  @Test
  void daily_midnightSetBack_staysInTheOldDay() {
    // At 24:00 the clock shows 23:00 again.
    assertCycle(
        calendar(new Schedule.Daily(), "Africa/Cairo").at(ms("2024-10-31T23:30+02:00")),
        "2024-10-31T00:00+03:00",
        "2024-11-01T00:00+02:00");
  }

  @Test
  void daily_clockSetBackAMinutePastMidnight_theDayThatBeganGoesOn() {
    // St. John's: at 00:01 the clock shows 23:01 of the day before.
    SeasonCalendar days = calendar(new Schedule.Daily(), "America/St_Johns");
    Cycle seventh = days.at(ms("2010-11-07T00:00:30-02:30"));
    assertCycle(seventh, "2010-11-07T00:00-02:30", "2010-11-08T00:00-03:30");
    assertThat(days.at(ms("2010-11-06T23:30-03:30"))).isEqualTo(seventh);
  }

  @Test
  void daily_dateSkipped_hasNoCycleOfItsOwn() {
    // Samoa went from the 29th to the 31st of December 2011.
    SeasonCalendar days = calendar(new Schedule.Daily(), "Pacific/Apia");
    Cycle before = days.at(ms("2011-12-29T12:00-10:00"));
    assertCycle(before, "2011-12-29T00:00-10:00", "2011-12-31T00:00+14:00");
    assertCycle(
        days.next(ms("2011-12-29T12:00-10:00")),
        "2011-12-31T00:00+14:00",
        "2012-01-01T00:00+14:00");
    SeasonCalendar pairs =
        calendar(
            new Schedule.Every(2, Schedule.Unit.DAYS, LocalDate.of(2011, 12, 30)), "Pacific/Apia");
    assertCycle(
        pairs.at(ms("2011-12-31T00:00+14:00")), "2011-12-31T00:00+14:00", "2012-01-01T00:00+14:00");
  }

  @Test
  void hourly_repeatedHour_isTwoCycles() {
    SeasonCalendar hours = calendar(new Schedule.Hourly(), "Europe/Berlin");
    assertCycle(
        hours.at(ms("2026-10-25T02:30+02:00")), "2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00");
    assertCycle(
        hours.at(ms("2026-10-25T02:30+01:00")), "2026-10-25T02:00+01:00", "2026-10-25T03:00+01:00");
    assertThat(labels(hours, "2026-10-25T01:00+02:00", 4))
        .containsExactly(
            "b-2026-10-25-01-w", "b-2026-10-25-02-w", "b-2026-10-25-02b-w", "b-2026-10-25-03-w");
  }

  @Test
  void hourly_clockSetByHalfAnHour_makesShortCyclesAndNoGap() {
    SeasonCalendar hours = calendar(new Schedule.Hourly(), "Australia/Lord_Howe");
    assertCycle(
        hours.at(ms("2026-04-05T01:40+10:30")), "2026-04-05T01:30+10:30", "2026-04-05T02:00+10:30");
    assertThat(labels(hours, "2026-04-05T01:00+11:00", 3))
        .containsExactly("b-2026-04-05-01-w", "b-2026-04-05-01b-w", "b-2026-04-05-02-w");
    assertCycle(
        hours.at(ms("2026-10-04T02:40+11:00")), "2026-10-04T02:30+11:00", "2026-10-04T03:00+11:00");
  }

  @Test
  void hourly_zoneOfThreeQuarters_followsTheLocalClock() {
    assertCycle(
        calendar(new Schedule.Hourly(), "Asia/Kathmandu").at(ms("2026-05-05T10:59:59.999+05:45")),
        "2026-05-05T10:00+05:45",
        "2026-05-05T11:00+05:45");
  }

  @Test
  void weekly_overTheYearsEnd_isOneIsoWeek() {
    // 2026 has 53 weeks; the last is Monday 28 December to Sunday 3 January.
    assertCycle(
        calendar(new Schedule.Weekly(DayOfWeek.MONDAY), "UTC").at(ms("2027-01-03T23:59:59.999Z")),
        "2026-12-28T00:00Z",
        "2027-01-04T00:00Z");
    assertCycle(
        calendar(new Schedule.Weekly(DayOfWeek.SUNDAY), "UTC").at(ms("2027-01-03T00:00Z")),
        "2027-01-03T00:00Z",
        "2027-01-10T00:00Z");
  }

  @Test
  void monthly_february_has28Or29Days() {
    SeasonCalendar months = calendar(new Schedule.Monthly(), "America/New_York");
    assertThat(hours(months.at(ms("2026-02-28T12:00-05:00")))).isEqualTo(28 * 24);
    assertThat(hours(months.at(ms("2028-02-29T12:00-05:00")))).isEqualTo(29 * 24);
    assertThat(hours(months.at(ms("2026-03-15T12:00-04:00")))).isEqualTo(31 * 24 - 1);
    assertCycle(
        months.next(ms("2026-12-31T23:59-05:00")),
        "2027-01-01T00:00-05:00",
        "2027-02-01T00:00-05:00");
  }

  @Test
  void every_beforeItsDate_isNothing() {
    SeasonCalendar weeks =
        calendar(new Schedule.Every(2, Schedule.Unit.WEEKS, LocalDate.of(2026, 2, 4)), "UTC");
    assertThat(weeks.at(ms("2026-02-03T23:59Z"))).isNull();
    assertCycle(weeks.next(ms("2020-01-01T00:00Z")), "2026-02-04T00:00Z", "2026-02-18T00:00Z");
    assertCycle(weeks.at(ms("2028-03-01T00:00Z")), "2028-03-01T00:00Z", "2028-03-15T00:00Z");
  }

  @Test
  void allTime_isTheBoardsTime() {
    Schedule allTime = new Schedule.AllTime();
    assertThat(calendar(allTime, "UTC").at(0)).isEqualTo(new Cycle(Long.MIN_VALUE, Long.MAX_VALUE));
    assertThat(calendar(allTime, "UTC").next(0)).isNull();
    SeasonCalendar bounded = calendar(allTime, "UTC", 100, 200);
    assertThat(bounded.next(99)).isEqualTo(new Cycle(100, 200));
    assertThat(bounded.next(100)).isNull();
    assertThat(bounded.at(200)).isNull();
    assertThat(bounded.label("solo", "all-time", new Cycle(100, 200))).isEqualTo("solo-all-time");
  }

  @Test
  void at_boardStartsAndEndsInTheMiddle_cyclesAreCut() {
    SeasonCalendar months =
        calendar(new Schedule.Monthly(), "UTC", ms("2026-01-10T08:00Z"), ms("2026-03-05T12:00Z"));
    assertThat(months.at(ms("2026-01-10T07:59Z"))).isNull();
    assertCycle(months.next(0), "2026-01-10T08:00Z", "2026-02-01T00:00Z");
    assertCycle(months.at(ms("2026-03-05T11:59Z")), "2026-03-01T00:00Z", "2026-03-05T12:00Z");
    assertThat(months.next(ms("2026-03-01T00:00Z"))).isNull();
    assertThat(months.at(ms("2026-03-05T12:00Z"))).isNull();
  }

  @Test
  void of_endNotAfterStart_isRefused() {
    assertThatThrownBy(() -> calendar(new Schedule.Daily(), "UTC", 5, 5))
        .isInstanceOf(RejectedException.class)
        .hasMessageContaining("endTime");
  }

  @Test
  void cron_withoutDuration_runsFromFiringToFiring() {
    SeasonCalendar cron = cron(null, "2026-01-01T00:00Z", "2026-02-01T00:00Z");
    assertThat(cron.at(ms("2025-12-31T23:59Z"))).isNull();
    assertCycle(cron.at(ms("2026-01-31T23:59Z")), "2026-01-01T00:00Z", "2026-02-01T00:00Z");
  }

  @Test
  void cron_firedForTheLastTime_runsToTheBoardsEndOrForEver() {
    Cycle last = cron(null, "2026-01-01T00:00Z").at(ms("2099-01-01T00:00Z"));
    assertThat(last).isEqualTo(new Cycle(ms("2026-01-01T00:00Z"), Board.NO_END));
    assertThat(cron(null, "2026-01-01T00:00Z").next(ms("2026-01-01T00:00Z"))).isNull();
    SeasonCalendar bounded =
        cron(null, Board.NO_START, ms("2026-06-01T00:00Z"), "2026-01-01T00:00Z");
    assertCycle(bounded.at(ms("2026-05-01T00:00Z")), "2026-01-01T00:00Z", "2026-06-01T00:00Z");
    SeasonCalendar week = cron(Duration.ofDays(7), "2026-01-01T00:00Z");
    assertThat(week.at(ms("2026-01-08T00:00Z"))).isNull();
  }

  @Test
  void cron_durationLongerThanTheGap_isCutAtTheNextFiring() {
    SeasonCalendar cron =
        cron(Duration.ofDays(10), "2026-01-01T00:00Z", "2026-01-05T00:00Z", "2026-02-01T00:00Z");
    assertCycle(cron.at(ms("2026-01-01T00:00Z")), "2026-01-01T00:00Z", "2026-01-05T00:00Z");
    assertCycle(cron.at(ms("2026-01-05T00:00Z")), "2026-01-05T00:00Z", "2026-01-15T00:00Z");
    assertThat(cron.at(ms("2026-01-20T00:00Z"))).isNull();
    assertCycle(cron.next(ms("2026-01-20T00:00Z")), "2026-02-01T00:00Z", "2026-02-11T00:00Z");
  }

  @Test
  void cron_boardStartsWhileACycleRuns_opensItFromTheStart() {
    SeasonCalendar running =
        cron(Duration.ofDays(7), ms("2026-01-03T10:00Z"), Board.NO_END, "2026-01-01T00:00Z");
    assertCycle(running.at(ms("2026-01-03T10:00Z")), "2026-01-03T10:00Z", "2026-01-08T00:00Z");
    assertCycle(running.next(0), "2026-01-03T10:00Z", "2026-01-08T00:00Z");
    SeasonCalendar over =
        cron(
            Duration.ofDays(7),
            ms("2026-01-09T00:00Z"),
            Board.NO_END,
            "2026-01-01T00:00Z",
            "2026-02-01T00:00Z");
    assertThat(over.at(ms("2026-01-09T00:00Z"))).isNull();
    assertCycle(over.next(0), "2026-02-01T00:00Z", "2026-02-08T00:00Z");
  }

  @Test
  void cron_boardStartsAtTheFiring_thatCycleCounts() {
    long start = ms("2026-01-01T00:00Z");
    SeasonCalendar cron = cron(Duration.ofDays(7), start, Board.NO_END, "2026-01-01T00:00Z");
    assertCycle(cron.next(start - 1), "2026-01-01T00:00Z", "2026-01-08T00:00Z");
    assertThat(cron.next(start)).isNull();
  }

  @Test
  void cron_daysOverAClockChange_endAtTheSameLocalTime() {
    // "From the 1st to the 7th" in New York, where 1 November 2026 has 25 hours.
    SeasonCalendar week =
        calendar(
            new Schedule.Cron("x", Duration.ofDays(7)),
            "America/New_York",
            Board.NO_START,
            Board.NO_END,
            (_, _) -> new Fixed("2026-11-01T00:00-04:00"));
    assertCycle(
        week.at(ms("2026-11-07T23:30-05:00")), "2026-11-01T00:00-04:00", "2026-11-08T00:00-05:00");
  }

  @Test
  void label_ofEachKind_isReadable() {
    String noon = "2026-11-15T12:34Z";
    assertThat(label(calendar(new Schedule.Daily(), "UTC"), noon)).isEqualTo("b-2026-11-15-w");
    assertThat(label(calendar(new Schedule.Monthly(), "UTC"), noon)).isEqualTo("b-2026-11-01-w");
    assertThat(label(calendar(new Schedule.Hourly(), "UTC"), noon)).isEqualTo("b-2026-11-15-12-w");
    assertThat(label(cron(null, "2026-11-15T00:00Z"), noon)).isEqualTo("b-2026-11-15-w");
    assertThat(label(cron(null, "2026-11-15T09:05Z"), noon)).isEqualTo("b-2026-11-15-0905-w");
    assertThat(label(cron(null, "2026-11-15T09:05:07Z"), noon)).isEqualTo("b-2026-11-15-090507-w");
  }

  /** Firings by hand; the expressions are the adapter's. */
  private record Fixed(TreeSet<Long> times) implements CronFirings {
    Fixed(String... times) {
      this(new TreeSet<>(Stream.of(times).map(SeasonCalendarTest::ms).toList()));
    }

    @Override
    public OptionalLong next(long after) {
      return optional(times.higher(after));
    }

    @Override
    public OptionalLong last(long atOrBefore) {
      return optional(times.floor(atOrBefore));
    }

    private static OptionalLong optional(@Nullable Long time) {
      return time == null ? OptionalLong.empty() : OptionalLong.of(time);
    }
  }

  private static SeasonCalendar cron(@Nullable Duration duration, String... firings) {
    return cron(duration, Board.NO_START, Board.NO_END, firings);
  }

  private static SeasonCalendar cron(
      @Nullable Duration duration, long start, long end, String... firings) {
    return calendar(
        new Schedule.Cron("x", duration), "UTC", start, end, (_, _) -> new Fixed(firings));
  }

  private static SeasonCalendar calendar(Schedule schedule, String zone) {
    return calendar(schedule, zone, Board.NO_START, Board.NO_END);
  }

  private static SeasonCalendar calendar(Schedule schedule, String zone, long start, long end) {
    return calendar(schedule, zone, start, end, NO_CRON);
  }

  private static SeasonCalendar calendar(
      Schedule schedule, String zone, long start, long end, CronParser crons) {
    return SeasonCalendar.of(schedule, ZoneId.of(zone), start, end, crons);
  }

  private static long ms(String text) {
    return OffsetDateTime.parse(text).toInstant().toEpochMilli();
  }

  private static long hours(@Nullable Cycle cycle) {
    Objects.requireNonNull(cycle);
    return Duration.ofMillis(cycle.end() - cycle.start()).toHours();
  }

  private static String label(SeasonCalendar calendar, String at) {
    return calendar.label("b", "w", Objects.requireNonNull(calendar.at(ms(at))));
  }

  private static List<String> labels(SeasonCalendar calendar, String from, int count) {
    List<String> labels = new ArrayList<>();
    Cycle cycle = calendar.at(ms(from));
    for (int i = 0; i < count && cycle != null; i++) {
      labels.add(calendar.label("b", "w", cycle));
      cycle = calendar.next(cycle.start());
    }
    return labels;
  }

  private static void assertCycle(@Nullable Cycle cycle, String start, String end) {
    assertThat(cycle).isNotNull();
    assertThat(Instant.ofEpochMilli(cycle.start())).isEqualTo(Instant.ofEpochMilli(ms(start)));
    assertThat(Instant.ofEpochMilli(cycle.end())).isEqualTo(Instant.ofEpochMilli(ms(end)));
  }
}
