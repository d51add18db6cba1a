package dev.laurel.core.season;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * The clock on the wall of a zone, to the second. It is set forward (readings are skipped) and back
 * (readings are repeated), by an hour in most places, but also by 30 minutes (Lord Howe) or a whole
 * day (Apia), over midnight (Cairo), or a minute after it (St. John's until 2011). Immutable.
 *
 * <p>Everything that is to happen once at a reading uses the pair {@link #furthest} and {@link
 * #reaches}: the furthest reading the clock has shown so far only grows with time, so "the day has
 * begun" never becomes untrue, and a reading is reached exactly once. For every time {@code t} and
 * reading {@code r}: {@code reaches(r) <= t} if and only if {@code r <= furthest(t)}.
 */
public final class LocalClock {
  private final ZoneRules rules;

  public LocalClock(ZoneId zone) {
    rules = zone.getRules();
  }

  public ZoneOffset offset(long time) {
    return rules.getOffset(Instant.ofEpochMilli(time));
  }

  /** What the clock shows, without the fraction of the second. */
  public LocalDateTime reading(long time) {
    return LocalDateTime.ofEpochSecond(Math.floorDiv(time, 1000L), 0, offset(time));
  }

  /** The latest reading that has been shown up to the time; later than now's in a repeated hour. */
  public LocalDateTime furthest(long time) {
    LocalDateTime reading = reading(time);
    ZoneOffsetTransition change = rules.getTransition(reading);
    return change != null && isSecondPass(change, time)
        ? change.getDateTimeBefore().minusSeconds(1)
        : reading;
  }

  /**
   * The first instant at which the clock shows this reading or a later one: a skipped reading is
   * reached when the clock jumps over it, a repeated one the first time.
   */
  public long reaches(LocalDateTime reading) {
    ZoneOffsetTransition change = rules.getTransition(reading);
    if (change == null) {
      return millis(reading.toEpochSecond(rules.getOffset(reading)));
    }
    return millis(
        change.isGap() ? change.toEpochSecond() : reading.toEpochSecond(change.getOffsetBefore()));
  }

  /** Whether the clock has shown this very reading before. */
  public boolean isRepeat(long time) {
    ZoneOffsetTransition change = rules.getTransition(reading(time));
    return change != null && isSecondPass(change, time);
  }

  /** The stretch around the time in which nobody sets the clock. */
  public Cycle era(long time) {
    Instant second = Instant.ofEpochSecond(Math.floorDiv(time, 1000L));
    // previousTransition is strict, and a change at this very second has happened.
    ZoneOffsetTransition before = rules.previousTransition(second.plus(1, ChronoUnit.SECONDS));
    ZoneOffsetTransition after = rules.nextTransition(second);
    return new Cycle(
        before == null ? Long.MIN_VALUE : millis(before.toEpochSecond()),
        after == null ? Long.MAX_VALUE : millis(after.toEpochSecond()));
  }

  private static boolean isSecondPass(ZoneOffsetTransition change, long time) {
    return change.isOverlap() && time >= millis(change.toEpochSecond());
  }

  /** Saturating: the ends of the time line stay ends. */
  public static long millis(long seconds) {
    if (seconds > Long.MAX_VALUE / 1000) {
      return Long.MAX_VALUE;
    }
    return seconds < Long.MIN_VALUE / 1000 ? Long.MIN_VALUE : seconds * 1000;
  }
}
