package dev.laurel.core.time;

import java.util.List;

/**
 * What a node makes of the clock, for the other nodes and for the next start. All are epoch
 * milliseconds of the one clock that decides.
 *
 * @param node a random number that the process has; 0 where there is only one
 * @param number views are numbered as they are written, by all nodes together ({@link Witnesses})
 * @param since since when it has watched
 * @param claimed what the clock says
 * @param trusted what it should say; the same if the node has no doubt
 * @param objects whether a clock that had agreed contradicts: the node's own, or another's of which
 *     it heard
 * @param confirmed when an operator has confirmed the clock at this node; 0 for never
 */
public record ClockView(
    long node,
    long number,
    long since,
    long claimed,
    long trusted,
    boolean objects,
    long confirmed) {
  /** Of a view that is going to be written when these are stored. */
  public static long nextNumber(List<ClockView> stored) {
    return 1 + stored.stream().mapToLong(ClockView::number).max().orElse(0);
  }

  public boolean isKnown() {
    return claimed == trusted;
  }
}
