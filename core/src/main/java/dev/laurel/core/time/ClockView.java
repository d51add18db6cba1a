package dev.laurel.core.time;

/**
 * What a node makes of the clock, for the other nodes and for the next start. All are epoch
 * milliseconds of the one clock that decides.
 *
 * @param node a random number that the process has; 0 where there is only one
 * @param since since when it has watched
 * @param claimed what the clock says
 * @param trusted what it should say; the same if the node has no doubt
 * @param objects whether the node's own clock, which had agreed, contradicts
 * @param confirmed when an operator has confirmed the clock at this node; 0 for never
 */
public record ClockView(
    long node, long since, long claimed, long trusted, boolean objects, long confirmed) {
  public boolean isKnown() {
    return claimed == trusted;
  }
}
