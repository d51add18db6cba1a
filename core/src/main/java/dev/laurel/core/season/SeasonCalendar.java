package dev.laurel.core.season;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Schedule;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/**
 * The cycles of one window: a schedule in a time zone, between the start and the end of its board.
 * Cycles never overlap. Without a duration they also leave no gap, from the first one on. Immutable
 * and safe for all threads; nothing is cached, an answer takes some microseconds at most.
 *
 * <p>The cycle that is running when the board starts begins with the board, whatever began it (a
 * calendar or a firing): who opens a monthly board on the 10th wants to play now, and the season
 * then ends when all others do. Likewise the last cycle ends with the board.
 */
public final class SeasonCalendar {
  private final Schedule schedule;
  private final Rhythm rhythm;
  private final LocalClock clock;
  private final long start;
  private final long end;

  private SeasonCalendar(Schedule schedule, Rhythm rhythm, LocalClock clock, long start, long end) {
    this.schedule = schedule;
    this.rhythm = rhythm;
    this.clock = clock;
    this.start = start;
    this.end = end;
  }

  /**
   * @param start {@link Board#NO_START} if there is none
   * @param end excluded; {@link Board#NO_END} if there is none
   * @throws dev.laurel.core.model.RejectedException if the cron expression makes no sense, or the
   *     end is not after the start
   */
  public static SeasonCalendar of(
      Schedule schedule, ZoneId zone, long start, long end, CronParser crons) {
    if (start >= end) {
      throw Rejection.invalid("endTime", end, "after startTime " + start).asException();
    }
    LocalClock clock = new LocalClock(zone);
    Rhythm rhythm =
        switch (schedule) {
          case Schedule.AllTime _ -> new Rhythm.Once();
          case Schedule.Hourly _ -> new Rhythm.Hours(clock);
          case Schedule.Daily _ -> new Rhythm.Days(clock, date -> date, Period.ofDays(1));
          case Schedule.Weekly weekly ->
              new Rhythm.Days(
                  clock, TemporalAdjusters.previousOrSame(weekly.firstDay()), Period.ofDays(7));
          case Schedule.Monthly _ ->
              new Rhythm.Days(clock, TemporalAdjusters.firstDayOfMonth(), Period.ofMonths(1));
          case Schedule.Every every ->
              new Rhythm.Days(clock, every::floor, Period.ofDays(every.days()));
          case Schedule.Cron cron ->
              new Rhythm.Firings(crons.parse(cron.expression(), zone), cron.duration(), clock);
        };
    long from =
        schedule instanceof Schedule.Every every
            ? Math.max(start, clock.reaches(every.from().atStartOfDay()))
            : start;
    return new SeasonCalendar(schedule, rhythm, clock, from, end);
  }

  /** The cycle that covers the time; null outside the board's time and between two cycles. */
  public @Nullable Cycle at(long time) {
    return time < start || time >= end ? null : within(rhythm.at(time));
  }

  /** The first cycle that begins strictly after the time; null if none ever will. */
  public @Nullable Cycle next(long time) {
    if (time >= start) {
      return within(rhythm.next(time));
    }
    Cycle first = at(start);
    return first != null ? first : within(rhythm.next(start));
  }

  private @Nullable Cycle within(@Nullable Cycle cycle) {
    return cycle == null || cycle.start() >= end
        ? null
        : new Cycle(Math.max(cycle.start(), start), Math.min(cycle.end(), end));
  }

  /**
   * A readable name, unique among the cycles of the window: {@code solo-2026-11-15-daily}. The
   * local date of the start; hours have the hour too ({@code 02}, and {@code 02b} when the clock
   * shows it again), and cron the time unless it is the beginning of the day.
   */
  public String label(String board, String window, Cycle cycle) {
    LocalDate date = clock.reading(cycle.start()).toLocalDate();
    return switch (schedule) {
      case Schedule.AllTime _ -> board + "-" + window;
      case Schedule.Hourly _ -> board + "-" + date + hour(cycle.start()) + "-" + window;
      case Schedule.Cron _ -> board + "-" + date + time(date, cycle.start()) + "-" + window;
      case Schedule.Daily _, Schedule.Weekly _, Schedule.Monthly _, Schedule.Every _ ->
          board + "-" + date + "-" + window;
    };
  }

  private String hour(long from) {
    return "-" + two(clock.reading(from).getHour()) + again(from);
  }

  private String time(LocalDate date, long from) {
    if (from == clock.reaches(date.atStartOfDay())) {
      return "";
    }
    LocalTime time = clock.reading(from).toLocalTime();
    String seconds = time.getSecond() == 0 ? "" : two(time.getSecond());
    return "-" + two(time.getHour()) + two(time.getMinute()) + seconds + again(from);
  }

  private String again(long from) {
    return clock.isRepeat(from) ? "b" : "";
  }

  private static String two(int number) {
    return number < 10 ? "0" + number : String.valueOf(number);
  }
}
