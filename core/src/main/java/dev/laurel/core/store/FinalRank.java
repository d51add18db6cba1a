package dev.laurel.core.store;

/**
 * A user's place in a season that is over.
 *
 * @param position in the one order, from 0, whatever the ties
 * @param prize the number of the tier in the window's list, from 0; -1 for none
 */
public record FinalRank(int user, long position, long rank, long score, long reached, int prize) {
  /** The same of a user with this number. */
  public FinalRank of(int number) {
    return new FinalRank(number, position, rank, score, reached, prize);
  }
}
