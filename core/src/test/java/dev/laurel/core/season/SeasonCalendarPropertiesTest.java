package dev.laurel.core.season;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.Seeds;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What holds for every window: a walk over 25 years in many zones, and an oracle that steps. */
class SeasonCalendarPropertiesTest {
  private static final List<ZoneId> ZONES =
      List.of(
              "UTC",
              "Europe/Berlin",
              "Europe/London",
              "Europe/Dublin",
              "Europe/Moscow",
              "Europe/Istanbul",
              "America/New_York",
              "America/Los_Angeles",
              "America/Sao_Paulo",
              "America/Havana",
              "America/Santiago",
              "America/Asuncion",
              "America/St_Johns",
              "America/Caracas",
              "America/Nuuk",
              "Atlantic/Azores",
              "Africa/Cairo",
              "Africa/Casablanca",
              "Asia/Amman",
              "Asia/Beirut",
              "Asia/Gaza",
              "Asia/Kathmandu",
              "Asia/Kolkata",
              "Asia/Pyongyang",
              "Asia/Tehran",
              "Antarctica/Casey",
              "Antarctica/Troll",
              "Australia/Lord_Howe",
              "Australia/Sydney",
              "Pacific/Apia",
              "Pacific/Chatham",
              "Pacific/Fakaofo",
              "Pacific/Kiritimati")
          .stream()
          .map(ZoneId::of)
          .toList();

  private static final Instant FROM = Instant.parse("2005-01-01T00:00:00Z");
  private static final Instant TO = Instant.parse("2030-01-01T00:00:00Z");
  private static final long MINUTE = 60_000;
  private static final long DAY = 1440 * MINUTE;

  @Test
  void daysWeeksAndMonths_walkedOver25Years_tileWithUniqueLabels() {
    Seeds.withSeed(
        random -> {
          for (ZoneId zone : ZONES) {
            for (Schedule schedule :
                List.of(
                    new Schedule.Daily(),
                    new Schedule.Weekly(DayOfWeek.of(1 + random.nextInt(7))),
                    new Schedule.Monthly(),
                    randomEvery(random))) {
              walk(schedule, zone, FROM.toEpochMilli(), TO.toEpochMilli(), random);
            }
          }
        });
  }

  @Test
  void hours_walkedOverAYear_tileWithUniqueLabels() {
    Seeds.withSeed(
        random -> {
          for (ZoneId zone : ZONES) {
            long from = FROM.toEpochMilli() + random.nextLong(24 * 365 * DAY);
            walk(new Schedule.Hourly(), zone, from, from + 366 * DAY, random);
          }
        });
  }

  @Test
  void cutCalendar_anyTimes_agreesWithTheUncutOne() {
    Seeds.withSeed(
        random -> {
          for (int round = 0; round < 20_000; round++) {
            ZoneId zone = ZONES.get(random.nextInt(ZONES.size()));
            Schedule schedule =
                switch (random.nextInt(5)) {
                  case 0 -> new Schedule.Hourly();
                  case 1 -> new Schedule.Daily();
                  case 2 -> new Schedule.Weekly(DayOfWeek.MONDAY);
                  case 3 -> new Schedule.Monthly();
                  default -> randomEvery(random);
                };
            long start = time(random);
            long end = start + 1 + random.nextLong(100 * DAY);
            long at = start - 10 * DAY + random.nextLong(end - start + 20 * DAY);
            SeasonCalendar cut = calendar(schedule, zone, start, end);
            Cycle whole = calendar(schedule, zone, Board.NO_START, Board.NO_END).at(at);
            Cycle found = cut.at(at);
            if (at < start || at >= end || whole == null) {
              assertNull(found);
            } else {
              assertEquals(
                  new Cycle(Math.max(whole.start(), start), Math.min(whole.end(), end)), found);
            }
            Cycle next = cut.next(at);
            if (next != null) {
              assertTrue(next.start() > at && next.start() >= start && next.end() <= end);
              assertEquals(next, cut.at(next.start()));
              assertEquals(next, cut.next(next.start() - 1));
            } else if (at < start) {
              assertTrue(schedule instanceof Schedule.Every);
            }
          }
        });
  }

  @Test
  void at_minuteByMinuteAroundClockChanges_agreesWithTheOracle() {
    Seeds.withSeed(
        random -> {
          for (ZoneId zone : ZONES) {
            for (long around : changes(zone, random)) {
              step(new Schedule.Hourly(), zone, around, (now, _) -> hourAndOffset(now));
              step(new Schedule.Daily(), zone, around, (_, date) -> date);
              step(
                  new Schedule.Weekly(DayOfWeek.MONDAY),
                  zone,
                  around,
                  (_, date) ->
                      date.get(IsoFields.WEEK_BASED_YEAR)
                          + "-"
                          + date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
              step(new Schedule.Monthly(), zone, around, (_, date) -> YearMonth.from(date));
              step(
                  new Schedule.Every(3, Schedule.Unit.DAYS, LocalDate.of(1999, 12, 31)),
                  zone,
                  around,
                  (_, date) -> Math.floorDiv(date.toEpochDay() - 10_956, 3));
            }
          }
        });
  }

  @Test
  void at_endsOfTheTimeLine_areCycles() {
    for (Schedule schedule :
        List.of(new Schedule.Hourly(), new Schedule.Daily(), new Schedule.Monthly())) {
      for (ZoneId zone : ZONES) {
        SeasonCalendar calendar = calendar(schedule, zone, Board.NO_START, Board.NO_END);
        for (long time : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE - 1}) {
          Cycle cycle = calendar.at(time);
          assertNotNull(cycle);
          assertTrue(cycle.covers(time));
        }
        assertThat(calendar.next(Long.MAX_VALUE - 1)).isNull();
      }
    }
  }

  private static Object hourAndOffset(ZonedDateTime now) {
    return now.toLocalDate() + "T" + now.getHour() + now.getOffset();
  }

  /**
   * The oracle: it goes minute by minute, looks at the clock's fields, remembers the latest date
   * seen, and says that a cycle begins when the key of both changes.
   */
  private static void step(
      Schedule schedule,
      ZoneId zone,
      long around,
      BiFunction<ZonedDateTime, LocalDate, Object> keyOf) {
    SeasonCalendar calendar = calendar(schedule, zone, Board.NO_START, Board.NO_END);
    LocalDate latest = LocalDate.MIN;
    Object key = null;
    Cycle cycle = null;
    for (long t = around - 2 * DAY; t < around + 2 * DAY; t += MINUTE) {
      ZonedDateTime now = Instant.ofEpochMilli(t).atZone(zone);
      latest = now.toLocalDate().isAfter(latest) ? now.toLocalDate() : latest;
      Object nowKey = keyOf.apply(now, latest);
      Cycle found = calendar.at(t);
      if (key != null && cycle != null) {
        boolean begins = !key.equals(nowKey);
        if (begins
            ? found == null || found.start() != t || cycle.end() != t
            : !cycle.equals(found)) {
          throw new AssertionError(schedule + " in " + zone + " at " + now + ": " + found);
        }
      }
      key = nowKey;
      cycle = found;
    }
  }

  /** Some of the zone's clock changes, a year's end and a 29 February. */
  private static List<Long> changes(ZoneId zone, Random random) {
    List<Long> all = new ArrayList<>();
    var change = zone.getRules().nextTransition(FROM);
    while (change != null && change.getInstant().isBefore(TO)) {
      all.add(change.getInstant().toEpochMilli());
      change = zone.getRules().nextTransition(change.getInstant());
    }
    List<Long> some = new ArrayList<>();
    for (int i = 0; i < Math.min(4, all.size()); i++) {
      some.add(all.get(random.nextInt(all.size())));
    }
    some.add(utc(2006 + random.nextInt(20), 1, 1));
    some.add(utc(2008 + 4 * random.nextInt(5), 2, 29));
    return some;
  }

  private static long utc(int year, int month, int day) {
    return LocalDate.of(year, month, day).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  private static void walk(Schedule schedule, ZoneId zone, long from, long to, Random random) {
    SeasonCalendar calendar = calendar(schedule, zone, Board.NO_START, Board.NO_END);
    Set<String> labels = new HashSet<>();
    Cycle cycle = Objects.requireNonNullElseGet(calendar.at(from), () -> first(calendar, from));
    while (cycle.start() < to) {
      Cycle next = calendar.next(cycle.start());
      long inside = cycle.start() + random.nextLong(cycle.end() - cycle.start());
      String where = schedule + " in " + zone + " at " + Instant.ofEpochMilli(inside);
      assertNotNull(next, where);
      assertEquals(cycle.end(), next.start(), where);
      assertEquals(next, calendar.at(cycle.end()), where);
      assertEquals(cycle, calendar.at(cycle.start()), where);
      assertEquals(cycle, calendar.at(cycle.end() - 1), where);
      assertEquals(cycle, calendar.at(inside), where);
      assertEquals(next, calendar.next(inside), where);
      assertTrue(labels.add(calendar.label("b", "w", cycle)), where);
      cycle = next;
    }
  }

  private static Cycle first(SeasonCalendar calendar, long from) {
    return Objects.requireNonNull(calendar.next(from));
  }

  private static Schedule randomEvery(Random random) {
    return new Schedule.Every(
        1 + random.nextInt(20),
        random.nextBoolean() ? Schedule.Unit.DAYS : Schedule.Unit.WEEKS,
        LocalDate.of(2000 + random.nextInt(15), 1 + random.nextInt(12), 1 + random.nextInt(28)));
  }

  private static long time(Random random) {
    return random.nextLong(FROM.toEpochMilli(), TO.toEpochMilli());
  }

  private static SeasonCalendar calendar(Schedule schedule, ZoneId zone, long start, long end) {
    return SeasonCalendar.of(
        schedule,
        zone,
        start,
        end,
        (_, _) -> {
          throw new AssertionError("no cron here");
        });
  }
}
