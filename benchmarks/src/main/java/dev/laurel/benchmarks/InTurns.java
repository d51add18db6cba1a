package dev.laurel.benchmarks;

import dev.laurel.core.model.Board;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The same lines to two boards, in turns, so that what the machine does meanwhile meets both. Each
 * has a store of its own: entries are put off, and on a shared one each would pay for what the
 * other left. A round is long enough to pay for its own.
 */
final class InTurns {
  private static final int LINES = 300_000;

  private InTurns() {}

  /** One of the two. */
  record Side(String name, InProcess core, Board board) {
    private double rate(Random random, int lines) {
      return core.rate(board, random, lines, LINES);
    }
  }

  /**
   * How many times as long the second takes, the median of the rounds.
   *
   * @param lines of a request
   */
  static double cost(Side first, Side second, int lines, int rounds) {
    Random random = new Random(lines);
    first.rate(random, lines); // warm
    second.rate(random, lines);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      double before = first.rate(random, lines);
      double after = second.rate(random, lines);
      ratios.add(before / after);
      System.out.printf(
          "%,d a request: %s %,.0f lines/s, %s %,.0f lines/s: costs %.3f%n",
          lines, first.name, before, second.name, after, before / after);
    }
    ratios.sort(null);
    return ratios.get(rounds / 2);
  }
}
