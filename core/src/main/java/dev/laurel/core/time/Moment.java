package dev.laurel.core.time;

/**
 * What time it is, in epoch milliseconds. Mostly one time; while a clock has jumped and nobody
 * knows whether it is right now or was right before, it is one of two. What cannot be undone waits
 * for the earlier one; what depends on which of them it is cannot be decided now.
 *
 * @param earliest equal to {@code latest} if the time is known
 */
public record Moment(long earliest, long latest) {
  public static Moment of(long millis) {
    return new Moment(millis, millis);
  }

  static Moment either(long one, long other) {
    return new Moment(Math.min(one, other), Math.max(one, other));
  }

  public boolean isKnown() {
    return earliest == latest;
  }
}
