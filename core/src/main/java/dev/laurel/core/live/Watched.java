package dev.laurel.core.live;

/**
 * What is watched: a range of a window's newest season, or of a certain one, and in which form it
 * is told.
 *
 * @param leaderboardId of the board: in another epoch its number may be another board's
 * @param season the season's number; {@link #NEWEST} to go on with the next one
 */
public record Watched(
    long board, String leaderboardId, int window, long season, Range range, Encoding encoding) {
  public static final long NEWEST = 0;
}
