package dev.laurel.core.live;

/**
 * What is watched: a range of a window's newest season, or of a certain one, and in which form it
 * is told.
 *
 * @param season the season's number; {@link #NEWEST} to go on with the next one
 */
public record Watched(long board, int window, long season, Range range, Encoding encoding) {
  public static final long NEWEST = 0;
}
