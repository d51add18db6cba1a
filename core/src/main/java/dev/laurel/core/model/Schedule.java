package dev.laurel.core.model;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.Temporal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * When a window begins anew. Values: equal schedules have equal {@link #text}s, which is how they
 * are stored. What cannot be is refused with a {@link RejectedException} when it is made; only
 * whether a cron expression makes sense is left to the cron parser.
 */
public sealed interface Schedule {
  /** One cycle for all of the board's time. */
  record AllTime() implements Schedule {
    @Override
    public String text() {
      return "all-time";
    }
  }

  /** The hours of the local clock; in the repeated hour of autumn there are two. */
  record Hourly() implements Schedule {
    @Override
    public String text() {
      return "hourly";
    }
  }

  /** Local days, of 23, 24 or 25 hours. */
  record Daily() implements Schedule {
    @Override
    public String text() {
      return "daily";
    }
  }

  /** Seven local days. */
  record Weekly(DayOfWeek firstDay) implements Schedule {
    @Override
    public String text() {
      return "weekly:" + firstDay;
    }
  }

  record Monthly() implements Schedule {
    @Override
    public String text() {
      return "monthly";
    }
  }

  /** Some local days or weeks, counted from a date; there is nothing before it. */
  record Every(int n, Unit unit, LocalDate from) implements Schedule {
    public static final int MAX_N = 1000;

    public Every {
      if (n < 1 || n > MAX_N) {
        throw Rejection.invalid("every", n, "1.." + MAX_N).asException();
      }
      if (from.getYear() < 1 || from.getYear() > 9999) {
        throw Rejection.invalid("from", from, "a date of the years 1..9999").asException();
      }
    }

    public int days() {
      return unit == Unit.WEEKS ? 7 * n : n;
    }

    /** The date that begins the cycle in which a date is, as if it had always been going on. */
    public Temporal floor(Temporal date) {
      long since = date.getLong(ChronoField.EPOCH_DAY) - from.toEpochDay();
      return date.minus(Math.floorMod(since, days()), ChronoUnit.DAYS);
    }

    @Override
    public String text() {
      return "every:" + n + ":" + unit + ":" + from;
    }
  }

  /** What {@link Every} counts. */
  enum Unit {
    DAYS,
    WEEKS
  }

  /**
   * From each firing to the next, or for a duration if that is shorter.
   *
   * @param expression kept in capitals with single spaces, so that equal ones compare equal
   * @param duration its whole days are local days, so that seven days from midnight end at midnight
   *     also when the clock is changed in between; the rest is time that passes
   */
  record Cron(String expression, @Nullable Duration duration) implements Schedule {
    public static final int MAX_LENGTH = 120;
    private static final Duration LONGEST = Duration.ofDays(36_600);

    public Cron {
      // Before the regular expression: what is too long is not even looked at.
      if (expression.length() > MAX_LENGTH) {
        throw Rejection.invalid(
                "cronExpression", expression, "at most " + MAX_LENGTH + " characters")
            .asException();
      }
      expression = expression.strip().replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
      if (expression.isEmpty()) {
        throw Rejection.invalid("cronExpression", "", "a cron expression").asException();
      }
      if (duration != null
          && (duration.getSeconds() < 1
              || duration.getNano() != 0
              || duration.compareTo(LONGEST) > 0)) {
        throw Rejection.invalid("duration", duration, "whole seconds, PT1S.." + LONGEST)
            .asException();
      }
    }

    @Override
    public String text() {
      return "cron:" + (duration == null ? "" : duration) + ":" + expression;
    }
  }

  /** The one canonical form; {@link #parse} reads it back. */
  String text();

  /** Reads a {@link #text}. */
  static Schedule parse(String text) {
    String[] parts = text.split(":", 2);
    try {
      return switch (parts[0]) {
        case "weekly" -> new Weekly(DayOfWeek.valueOf(parts[1]));
        case "every" -> every(parts[1].split(":", -1));
        case "cron" -> cron(parts[1].split(":", 2));
        default ->
            switch (text) {
              case "all-time" -> new AllTime();
              case "hourly" -> new Hourly();
              case "daily" -> new Daily();
              case "monthly" -> new Monthly();
              default -> throw unknown(text);
            };
      };
    } catch (RejectedException e) {
      throw e;
    } catch (RuntimeException e) {
      // Of enums, numbers, dates, durations and missing parts; all mean the same to the caller.
      throw unknown(text);
    }
  }

  private static Schedule every(String[] parts) {
    if (parts.length != 3) {
      throw new IllegalArgumentException();
    }
    return new Every(Integer.parseInt(parts[0]), Unit.valueOf(parts[1]), LocalDate.parse(parts[2]));
  }

  private static Schedule cron(String[] parts) {
    return new Cron(parts[1], parts[0].isEmpty() ? null : Duration.parse(parts[0]));
  }

  private static RejectedException unknown(String text) {
    return Rejection.invalid(
            "schedule",
            text,
            "all-time | hourly | daily | weekly:DAY | monthly | every:N:DAYS|WEEKS:DATE"
                + " | cron:[DURATION]:EXPRESSION")
        .asException();
  }
}
