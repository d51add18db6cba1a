package dev.laurel.core.model;

/**
 * The bounds that a season had before somebody moved them. Lines say at what time they count and in
 * which windows; the season is the one whose bounds covered that time when the line was written.
 *
 * @param window the number of the season's window
 * @param untilLine the last line of the shard that was written under them
 * @param start as in {@link Season}, like the others
 */
public record FormerBounds(
    long season, int window, long untilLine, long start, long end, long grace) {

  public static FormerBounds of(Season season, long untilLine) {
    return new FormerBounds(
        season.id(), season.window(), untilLine, season.start(), season.end(), season.grace());
  }

  public boolean covers(long at) {
    return at >= start && at < end;
  }

  /** As {@link Season#closes}. */
  public long closes() {
    return end == Board.NO_END ? end : end + grace;
  }
}
