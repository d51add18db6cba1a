package dev.laurel.core.time;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time of day of this node, where another clock decides: a witness, as long as it has not
 * jumped itself. Guarded by whoever asks it.
 */
final class OwnClock {
  /** What it has to say about a clock that has jumped. */
  enum Opinion {
    /** It says the same, and has not jumped with it. */
    AGREES,
    /** It has not jumped, and the two had said the same. */
    OBJECTS,
    NONE
  }

  /** For so long after a jump of its own it is no witness: the two may be one clock. */
  private static final long RECENT = TimeUnit.SECONDS.toNanos(60);

  private final TimeSource source;
  private Line base;
  private boolean agreed;
  private boolean asked;
  private boolean together;
  private @Nullable Long jumped;
  private volatile long offset;

  OwnClock(TimeSource source) {
    this.source = source;
    this.base = new Line(source.millis(), source.nanos());
  }

  /** The clock that decides is not in doubt, and says this. */
  void compare(long read, long now) {
    Line line = look(now);
    base = line;
    offset = line.millis() - read;
    agreed = Math.abs(offset) <= Line.TOLERANCE;
    asked = false;
  }

  /** The clock that decides has jumped there. */
  Opinion opinion(long read, long now) {
    Line line = look(now);
    offset = line.millis() - read;
    Long last = jumped;
    boolean jumpedLately = last != null && now - last < RECENT;
    if (!asked) {
      asked = true;
      together = jumpedLately;
    }
    if (together) {
      return Opinion.NONE;
    }
    if (Math.abs(offset) <= Line.TOLERANCE) {
      return Opinion.AGREES;
    }
    return agreed && !jumpedLately ? Opinion.OBJECTS : Opinion.NONE;
  }

  private Line look(long now) {
    long millis = source.millis();
    if (!base.fits(millis, now, source.nanos())) {
      jumped = now;
      base = new Line(millis, now);
    }
    return new Line(millis, now);
  }

  /** How far it is ahead of the one that decides, when they were last compared; any thread. */
  long offset() {
    return offset;
  }
}
