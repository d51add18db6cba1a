package dev.laurel.cron;

import java.time.YearMonth;
import java.util.BitSet;
import java.util.List;

/** Which days of a month an expression means: bit 1 is the first, bit 31 the last. */
@FunctionalInterface
interface MonthDays {
  int SATURDAY = 6;
  int SUNDAY = 7;

  /**
   * @param firstWeekday of the month's first day, Monday is 1
   * @param length of the month
   */
  int in(int firstWeekday, int length);

  default int in(YearMonth month) {
    return in(month.atDay(1).getDayOfWeek().getValue(), month.lengthOfMonth());
  }

  static MonthDays either(List<MonthDays> several) {
    if (several.size() == 1) {
      return several.getFirst();
    }
    return (first, length) -> {
      int days = 0;
      for (MonthDays one : several) {
        days |= one.in(first, length);
      }
      return days;
    };
  }

  static MonthDays ofMonth(BitSet days) {
    int all = days.stream().map(day -> 1 << day).reduce(0, (a, b) -> a | b);
    return (_, length) -> all & (-1 >>> (31 - length));
  }

  static MonthDays ofWeek(BitSet weekdays) {
    return (first, length) -> {
      int days = 0;
      for (int day = 1; day <= length; day++) {
        days |= weekdays.get(weekday(first, day)) ? 1 << day : 0;
      }
      return days;
    };
  }

  /** {@code L}, {@code L-3}: so many days before the last; not in months that are too short. */
  static MonthDays fromLast(int before) {
    return (_, length) -> day(length - before, length);
  }

  /** {@code LW}: the last day from Monday to Friday. */
  static MonthDays lastWorkday() {
    return (first, length) -> 1 << (length - Math.max(0, weekday(first, length) - (SATURDAY - 1)));
  }

  /**
   * {@code 15W}: the day from Monday to Friday that is nearest to the 15th, in the same month. Not
   * in months that have no such day.
   */
  static MonthDays workdayNear(int wanted) {
    return (first, length) -> {
      if (wanted > length) {
        return 0;
      }
      return switch (weekday(first, wanted)) {
        case SATURDAY -> 1 << (wanted == 1 ? 3 : wanted - 1);
        case SUNDAY -> 1 << (wanted == length ? length - 2 : wanted + 1);
        default -> 1 << wanted;
      };
    };
  }

  /** {@code FRI#2}: the second Friday. */
  static MonthDays nthOfWeek(int weekday, int nth) {
    return (first, length) -> day(1 + Math.floorMod(weekday - first, 7) + 7 * (nth - 1), length);
  }

  /** {@code 6L} in Quartz: the last Friday. */
  static MonthDays lastOfWeek(int weekday) {
    return (first, length) -> 1 << (length - Math.floorMod(weekday(first, length) - weekday, 7));
  }

  private static int day(int day, int length) {
    return day >= 1 && day <= length ? 1 << day : 0;
  }

  private static int weekday(int first, int day) {
    return (first + day - 2) % 7 + 1;
  }
}
