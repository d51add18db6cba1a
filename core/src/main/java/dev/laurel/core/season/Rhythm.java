package dev.laurel.core.season;

import java.time.Duration;
import java.time.LocalDate;
import java.time.Period;
import java.time.temporal.TemporalAdjuster;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The cycles of a schedule on the whole time line, before a board's start and end cut them. */
sealed interface Rhythm {
  /** The cycle that covers the time. */
  @Nullable Cycle at(long time);

  /** The first cycle that begins strictly after the time. */
  @Nullable Cycle next(long time);

  /** A single cycle without ends. */
  record Once() implements Rhythm {
    @Override
    public Cycle at(long time) {
      return Cycle.ALWAYS;
    }

    @Override
    public @Nullable Cycle next(long time) {
      return null;
    }
  }

  /**
   * A new one whenever the clock shows a full hour or is set. So a repeated hour is a second cycle,
   * and a clock that is set by half an hour makes a shorter one; there is never a gap.
   */
  record Hours(LocalClock clock) implements Rhythm {
    private static final long HOUR = 3_600;

    @Override
    public Cycle at(long time) {
      Cycle era = clock.era(time);
      long second = Math.floorDiv(time, 1000L);
      long first = second - Math.floorMod(second + clock.offset(time).getTotalSeconds(), HOUR);
      long start = LocalClock.millis(first);
      long end = LocalClock.millis(first + HOUR);
      return new Cycle(Math.max(start, era.start()), Math.min(end, era.end()));
    }

    @Override
    public @Nullable Cycle next(long time) {
      long end = at(time).end();
      return end == Long.MAX_VALUE ? null : at(end);
    }
  }

  /**
   * From the first instant of a local date to that of another one. A date that the zone skipped has
   * no instant and so no cycle of its own.
   *
   * @param floor gives the date that begins the cycle in which a date is
   */
  record Days(LocalClock clock, TemporalAdjuster floor, Period length) implements Rhythm {
    @Override
    public Cycle at(long time) {
      LocalDate first = clock.furthest(time).toLocalDate().with(floor);
      return new Cycle(begins(first), begins(first.plus(length)));
    }

    @Override
    public @Nullable Cycle next(long time) {
      long end = at(time).end();
      return end == Long.MAX_VALUE ? null : at(end);
    }

    private long begins(LocalDate date) {
      return clock.reaches(date.atStartOfDay());
    }
  }

  /** From a firing to the next one, or until the duration is over. */
  record Firings(CronFirings cron, @Nullable Duration duration, LocalClock clock)
      implements Rhythm {
    @Override
    public @Nullable Cycle at(long time) {
      Cycle last = from(cron.last(time));
      return last != null && last.covers(time) ? last : null;
    }

    @Override
    public @Nullable Cycle next(long time) {
      return from(cron.next(time));
    }

    private @Nullable Cycle from(OptionalLong firing) {
      if (firing.isEmpty()) {
        return null;
      }
      long start = firing.getAsLong();
      return new Cycle(start, Math.min(over(start), cron.next(start).orElse(Long.MAX_VALUE)));
    }

    private long over(long start) {
      if (duration == null) {
        return Long.MAX_VALUE;
      }
      long days = duration.toDays();
      long rest = duration.minusDays(days).toMillis();
      long then = days == 0 ? start : clock.reaches(clock.reading(start).plusDays(days));
      return then > Long.MAX_VALUE - rest ? Long.MAX_VALUE : then + rest;
    }
  }
}
