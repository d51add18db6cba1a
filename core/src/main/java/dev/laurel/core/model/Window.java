package dev.laurel.core.model;

import java.time.ZoneId;
import java.util.List;

/**
 * A named recurrence of a board: each of its cycles is a season.
 *
 * @param number its place in the board for ever, also when windows come and go; a bit in ledger
 *     lines
 * @param zone whose days, weeks and months are meant
 * @param until no cycle begins at or after it; {@link Board#NO_END} if there is no such limit
 * @param grace how long after its end a season still takes events of its time, in milliseconds
 * @param capacity how many places a season has; 0 for as many as there are entries
 * @param prizes the first tier that includes a user counts
 */
public record Window(
    int number,
    String name,
    Schedule schedule,
    ZoneId zone,
    long until,
    long grace,
    int capacity,
    List<PrizeTier> prizes) {

  /** Bits of a long, less the sign. */
  public static final int MAX_PER_BOARD = 16;

  /** The window of a board that names none. */
  public static final String ALL_TIME = "all-time";
}
