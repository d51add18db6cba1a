package dev.laurel.benchmarks.sidebyside;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What to measure and how long.
 *
 * @param only the letters of the goals, as in docs/benchmarks.md
 */
record Options(int rounds, int seconds, int warmup, int users, Set<String> only) {
  private static final String ALL = "a,b,c,d,e,f,g,h,i,j,k,l";
  private static final String MORE = ALL + ",n,r,s,t";

  static final String HELP =
      """
      benchmarks/side-by-side [options]: Laurel and its rivals, in turn, on this machine.
        --rounds N     rounds of each contestant (default 3, at least 3 for a figure to quote)
        --seconds N    length of a round (default 5)
        --warmup N     seconds of load on each contestant before the first round (default 10)
        --users N      users on the board (default 1000000)
        --only a,b     only these goals:
             a  rank reads by HTTP over raw Redis        f  durable single writes over (a)
             b  ... over the better thin service         g  durable batch writes
             c  ... over a bare handler                  h  rank time at ten times the users
             d  rank in process over Redis -P 128        i  restart to the first right answer
             e  bytes an entry over Redis                j  ranks by POST, 1,000 a request
             k  p99 of rank reads at half of the most, with 5,000 writes/s and without
             l  10,000 reads/s and 5,000 writes/s: p95 and p99
             not in the default:
             n  reads a CPU second of two nodes on PostgreSQL, over one node's
             r  rank reads of a Laurel with its ranks in Redis, over the Lettuce service
             s  ... top 10
             t  top 10 of everybody, for information
      It takes about 11 minutes, 4 GB of memory, and the machine: run nothing else meanwhile.
      """;

  static Options parse(List<String> args) {
    int rounds = 3;
    int seconds = 5;
    int warmup = 10;
    int users = 1_000_000;
    String only = ALL;
    for (int i = 0; i < args.size(); i += 2) {
      String name = args.get(i);
      String value = i + 1 < args.size() ? args.get(i + 1) : "";
      switch (name) {
        case "--rounds" -> rounds = number(name, value, 1, 100);
        case "--seconds" -> seconds = number(name, value, 1, 600);
        case "--warmup" -> warmup = number(name, value, 1, 600);
        case "--users" -> users = number(name, value, 1000, 5_000_000);
        case "--only" -> only = value;
        default -> throw new IllegalArgumentException(name + " (expected: see --help)");
      }
    }
    Set<String> letters = new LinkedHashSet<>(List.of(only.split(",")));
    for (String letter : letters) {
      if (!MORE.contains(letter) || letter.length() != 1) {
        throw new IllegalArgumentException("--only: " + letter + " (expected: " + MORE + ")");
      }
    }
    return new Options(rounds, seconds, warmup, users, letters);
  }

  private static int number(String name, String text, int min, int max) {
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException("%s: %s (expected: %d..%d)".formatted(name, text, min, max));
  }

  boolean wants(String letters) {
    return letters.chars().anyMatch(c -> only.contains(Character.toString(c)));
  }
}
