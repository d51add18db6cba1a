package dev.laurel.core.guard;

import dev.laurel.core.store.GuardRule;

/**
 * What is measured of one submission.
 *
 * @param userZScore 0 as long as there is too little to compare with
 * @param boardZScore likewise
 * @param jump in units of the board
 * @param usersPerAddress 0 if the address is not known
 */
public record Features(
    int perMinute,
    int perHour,
    double userZScore,
    double boardZScore,
    double jump,
    int usersPerAddress) {

  /**
   * @param unit how many units of the board one point has: thresholds are in points
   */
  public double of(GuardRule.Kind kind, double unit) {
    return switch (kind) {
      case PER_MINUTE -> perMinute;
      case PER_HOUR -> perHour;
      case USER_Z_SCORE -> Math.abs(userZScore);
      case BOARD_Z_SCORE -> Math.abs(boardZScore);
      case JUMP -> jump / unit;
      case USERS_PER_ADDRESS -> usersPerAddress;
      case REPORTED -> 0;
    };
  }
}
