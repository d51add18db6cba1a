package dev.laurel.cron;

import dev.laurel.core.season.CronFirings;
import dev.laurel.core.season.Cycle;
import dev.laurel.core.season.LocalClock;
import java.time.LocalDateTime;
import java.util.OptionalLong;

/**
 * When a clock that is set forward and back shows the readings of an expression. As in the cron of
 * Debian and Red Hat there are two kinds:
 *
 * <ul>
 *   <li>Certain hours ({@code 0 30 2 * * ?}) mean a job a day, and that happens exactly once: when
 *       a reading is skipped, at the moment the clock jumps; when it is repeated, the first time.
 *   <li>Every hour ({@code 0 30 * * * ?}) means a pace: it fires whenever the clock shows it, so
 *       not in a skipped hour and twice in a repeated one.
 * </ul>
 *
 * <p>cron-utils is not asked: it leaves out a day whose time is skipped (02:30 in Berlin, midnight
 * in Cairo), and looking for a far day takes it milliseconds.
 */
record ZonedFirings(LocalFirings local, LocalClock clock) implements CronFirings {
  @Override
  public OptionalLong next(long after) {
    if (local.times().isEveryHour()) {
      return nextShown(after);
    }
    LocalDateTime reading = local.next(clock.furthest(after));
    return reading == null ? OptionalLong.empty() : OptionalLong.of(clock.reaches(reading));
  }

  @Override
  public OptionalLong last(long atOrBefore) {
    if (local.times().isEveryHour()) {
      return lastShown(atOrBefore);
    }
    LocalDateTime reading = local.last(clock.furthest(atOrBefore));
    return reading == null ? OptionalLong.empty() : OptionalLong.of(clock.reaches(reading));
  }

  /** Era by era. One more after the last reading: a clock that is set back may show it again. */
  private OptionalLong nextShown(long after) {
    long time = after;
    LocalDateTime shown = clock.reading(after);
    for (int without = 0; without < 2; ) {
      Cycle era = clock.era(time);
      LocalDateTime reading = local.next(shown);
      if (reading == null) {
        without++;
      } else {
        long instant = instant(reading, time);
        if (instant < era.end()) {
          return OptionalLong.of(instant);
        }
      }
      if (era.end() == Long.MAX_VALUE) {
        break;
      }
      time = era.end();
      // The clock may be set to a reading that fires at once.
      shown = clock.reading(time).minusSeconds(1);
    }
    return OptionalLong.empty();
  }

  private OptionalLong lastShown(long atOrBefore) {
    long time = atOrBefore;
    for (int without = 0; without < 2; ) {
      Cycle era = clock.era(time);
      LocalDateTime reading = local.last(clock.reading(time));
      if (reading == null) {
        without++;
      } else {
        long instant = instant(reading, time);
        if (instant >= era.start()) {
          return OptionalLong.of(instant);
        }
      }
      if (era.start() == Long.MIN_VALUE) {
        break;
      }
      time = era.start() - 1;
    }
    return OptionalLong.empty();
  }

  private long instant(LocalDateTime reading, long inEraOf) {
    return LocalClock.millis(reading.toEpochSecond(clock.offset(inEraOf)));
  }
}
