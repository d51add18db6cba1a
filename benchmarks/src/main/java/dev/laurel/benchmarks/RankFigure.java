package dev.laurel.benchmarks;

import dev.laurel.core.model.Ties;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The time of rank(userId) in process, on one core, at several sizes in turn. JMH does the same
 * more carefully ({@link RankIndexBenchmark}); this one takes seconds and can take turns with a
 * rival.
 *
 * <p>{@code java -Xmx4g -XX:+UseCompactObjectHeaders -XX:+UseTransparentHugePages -cp
 * benchmarks/target/benchmarks.jar dev.laurel.benchmarks.RankFigure ROUNDS SECONDS 1000000
 * 10000000}
 *
 * <p>Ids are made in blocks outside of the timed part: as in a server they are warm when they are
 * looked up, while what the index has about the user is not.
 */
public final class RankFigure {
  private static final int BLOCK = 4096;

  private final int users;
  private final Season season;
  private final SplittableRandom random = new SplittableRandom(5);
  private final String[] ids = new String[BLOCK];
  private long checksum;

  private RankFigure(int users) {
    this.users = users;
    this.season = Season.of(users, Ties.EARLIEST_FIRST);
  }

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    int seconds = Integer.parseInt(args[1]);
    RankFigure[] sizes =
        Arrays.stream(args, 2, args.length)
            .map(users -> new RankFigure(Integer.parseInt(users)))
            .toArray(RankFigure[]::new);
    for (RankFigure size : sizes) {
      size.measure(seconds);
    }
    for (int round = 0; round < rounds; round++) {
      for (RankFigure size : sizes) {
        System.out.printf("users %d nanos %.1f%n", size.users, size.measure(seconds));
      }
    }
    if (Arrays.stream(sizes).anyMatch(size -> size.checksum == 0)) {
      throw new AssertionError("nobody has a rank");
    }
  }

  private double measure(int seconds) {
    long timed = 0;
    long asked = 0;
    while (timed < seconds * 1_000_000_000L) {
      for (int i = 0; i < BLOCK; i++) {
        ids[i] = "user_" + (1 + random.nextInt(users));
      }
      long began = System.nanoTime();
      for (int i = 0; i < BLOCK; i++) {
        checksum += season.snapshot().rank(season.ids().find(ids[i]));
      }
      timed += System.nanoTime() - began;
      asked += BLOCK;
    }
    return (double) timed / asked;
  }
}
