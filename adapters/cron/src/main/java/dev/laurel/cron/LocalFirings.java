package dev.laurel.cron;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The readings of a clock that an expression means, without any zone.
 *
 * @param years counted from {@link CronFields#FIRST_YEAR}; null for all
 */
record LocalFirings(DayTimes times, @Nullable BitSet years, BitSet months, MonthDays days) {
  /**
   * So many years are looked at before it is said that there is no such day. All of Quartz's years;
   * and the rarest day, a 29 February that is a certain weekday, comes every 40 years at least.
   */
  private static final int MAX_YEARS = 130;

  boolean everFires() {
    return next(LocalDateTime.of(CronFields.FIRST_YEAR - 1, 12, 31, 23, 59, 59)) != null;
  }

  /** The first one after the reading; null if there is none. */
  @Nullable LocalDateTime next(LocalDateTime after) {
    LocalDateTime from = after.plusSeconds(1);
    LocalDate date = from.toLocalDate();
    if (matches(date)) {
      int time = times.ceiling(from.toLocalTime().toSecondOfDay());
      if (time >= 0) {
        return date.atTime(LocalTime.ofSecondOfDay(time));
      }
    }
    LocalDate later = dayAfter(date);
    return later == null ? null : later.atTime(LocalTime.ofSecondOfDay(times.first()));
  }

  /** The last one that is not after the reading; null if there is none. */
  @Nullable LocalDateTime last(LocalDateTime atOrBefore) {
    LocalDate date = atOrBefore.toLocalDate();
    if (matches(date)) {
      int time = times.floor(atOrBefore.toLocalTime().toSecondOfDay());
      if (time >= 0) {
        return date.atTime(LocalTime.ofSecondOfDay(time));
      }
    }
    LocalDate earlier = dayBefore(date);
    return earlier == null ? null : earlier.atTime(LocalTime.ofSecondOfDay(times.last()));
  }

  private boolean matches(LocalDate date) {
    return yearFrom(date.getYear()) == date.getYear()
        && months.get(date.getMonthValue())
        && (days.in(YearMonth.from(date)) & 1 << date.getDayOfMonth()) != 0;
  }

  private @Nullable LocalDate dayAfter(LocalDate date) {
    int year = yearFrom(date.getYear());
    for (int n = 0; n < MAX_YEARS && year != NONE; n++, year = yearFrom(year + 1)) {
      boolean same = year == date.getYear();
      int month = months.nextSetBit(same ? date.getMonthValue() : 1);
      for (; month > 0; month = months.nextSetBit(month + 1)) {
        int found = days.in(YearMonth.of(year, month));
        if (same && month == date.getMonthValue()) {
          found &= ~(-1 >>> (31 - date.getDayOfMonth()));
        }
        if (found != 0) {
          return LocalDate.of(year, month, Integer.numberOfTrailingZeros(found));
        }
      }
    }
    return null;
  }

  private @Nullable LocalDate dayBefore(LocalDate date) {
    int year = yearTo(date.getYear());
    for (int n = 0; n < MAX_YEARS && year != NONE; n++, year = yearTo(year - 1)) {
      boolean same = year == date.getYear();
      int month = months.previousSetBit(same ? date.getMonthValue() : 12);
      for (; month > 0; month = months.previousSetBit(month - 1)) {
        int found = days.in(YearMonth.of(year, month));
        if (same && month == date.getMonthValue()) {
          found &= (1 << date.getDayOfMonth()) - 1;
        }
        if (found != 0) {
          return LocalDate.of(year, month, 31 - Integer.numberOfLeadingZeros(found));
        }
      }
    }
    return null;
  }

  /** No year that a clock shows. */
  private static final int NONE = Integer.MIN_VALUE;

  private int yearFrom(int year) {
    if (years == null) {
      return year;
    }
    int found = years.nextSetBit(Math.max(0, year - CronFields.FIRST_YEAR));
    return found < 0 ? NONE : CronFields.FIRST_YEAR + found;
  }

  private int yearTo(int year) {
    if (years == null) {
      return year;
    }
    int found = years.previousSetBit(Math.max(-1, year - CronFields.FIRST_YEAR));
    return found < 0 ? NONE : CronFields.FIRST_YEAR + found;
  }
}
