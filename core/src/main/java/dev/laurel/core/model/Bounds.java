package dev.laurel.core.model;

/** The scores a board accepts, in units, both ends included. */
public record Bounds(long min, long max) {
  public Bounds {
    if (min > max) {
      throw new IllegalArgumentException("min: " + min + " (expected: <= max " + max + ")");
    }
  }

  public boolean contains(long score) {
    return score >= min && score <= max;
  }
}
