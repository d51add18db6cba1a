package dev.laurel.core.model;

/**
 * One cycle of one window of a board.
 *
 * @param window the number of the window in its board
 * @param label readable: {@code solo-2026-11-15-daily}
 * @param start epoch milliseconds, included; {@link Board#NO_START} if the board has none
 * @param end excluded; {@link Board#NO_END} if the board has none
 * @param grace how long after the end events of the season are still taken, in milliseconds
 * @param capacity how many places it has; 0 for as many as there are entries
 * @param settled whether its end is for good: its prizes were given, another season of its window
 *     has begun after it, or its window was taken away. One that is over and not settled goes on
 *     when somebody moves its end.
 */
public record Season(
    long id,
    long board,
    int window,
    String label,
    long start,
    long end,
    long grace,
    int capacity,
    SeasonStatus status,
    boolean settled) {

  /** Whether an event of this time belongs here. */
  public boolean covers(long at) {
    return at >= start && at < end;
  }

  /** Whether an event that belongs here may still be written at {@code now}. */
  public boolean isOpen(long now) {
    return status.isWritable() && (end == Board.NO_END || now < end + grace);
  }

  /** Whether its time is over, whatever is still to be done. */
  public boolean isOver() {
    return status.compareTo(SeasonStatus.COMPLETED) >= 0;
  }

  /** What is in the archive is settled. */
  public Season withStatus(SeasonStatus next) {
    boolean archived = next.compareTo(SeasonStatus.ARCHIVING) >= 0;
    return new Season(
        id, board, window, label, start, end, grace, capacity, next, settled || archived);
  }

  public Season withEnd(long newEnd) {
    return within(start, newEnd);
  }

  public Season within(long newStart, long newEnd) {
    return new Season(id, board, window, label, newStart, newEnd, grace, capacity, status, settled);
  }

  /** With what its window says of every season. */
  public Season under(Window rules) {
    return new Season(
        id, board, window, label, start, end, rules.grace(), rules.capacity(), status, settled);
  }

  public Season settle() {
    return new Season(id, board, window, label, start, end, grace, capacity, status, true);
  }

  /** When it stops to take events; {@link Board#NO_END} for never. */
  public long closes() {
    return end == Board.NO_END ? end : end + grace;
  }
}
