package dev.laurel.core.season;

/**
 * One turn of a window, in epoch milliseconds; what becomes a season.
 *
 * @param start included; {@link Long#MIN_VALUE} if it has always been running
 * @param end excluded; {@link Long#MAX_VALUE} if it never ends
 */
public record Cycle(long start, long end) {
  static final Cycle ALWAYS = new Cycle(Long.MIN_VALUE, Long.MAX_VALUE);

  public Cycle {
    if (start >= end) {
      throw new IllegalArgumentException("end: " + end + " (expected: after " + start + ")");
    }
  }

  public boolean covers(long time) {
    return time >= start && time < end;
  }
}
