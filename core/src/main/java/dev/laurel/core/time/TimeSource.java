package dev.laurel.core.time;

import java.time.InstantSource;

/**
 * The two clocks of a machine: the time of day, which is set now and then, and one that nobody sets
 * and that tells how much time has passed.
 */
public interface TimeSource extends InstantSource {
  /**
   * Nanoseconds since some moment. It goes on while the machine sleeps, where the system can tell.
   */
  long nanos();

  static TimeSource system() {
    return SystemTime.INSTANCE;
  }
}
