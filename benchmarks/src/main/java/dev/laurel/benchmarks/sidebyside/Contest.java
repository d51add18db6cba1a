package dev.laurel.benchmarks.sidebyside;

import java.util.ArrayList;
import java.util.List;

/**
 * Contestants in turn: each is warmed up, then each has its round, and every round begins with
 * another one, so that a slow minute of the machine hits nobody in particular.
 */
final class Contest {
  /** Something that can be measured for some seconds. */
  interface Load {
    double measure(int seconds);
  }

  private record Contestant(Series series, Load load) {}

  private final List<Contestant> contestants = new ArrayList<>();
  private final Options options;

  Contest(Options options) {
    this.options = options;
  }

  Series add(Series series, Load load) {
    contestants.add(new Contestant(series, load));
    return series;
  }

  Series rate(String name, Load load) {
    return add(Series.rate(name), load);
  }

  void run(String title) {
    if (contestants.isEmpty()) {
      return;
    }
    for (Contestant contestant : contestants) {
      double warm = contestant.load.measure(options.warmup());
      tell(title + ", warm-up", contestant.series, warm);
    }
    for (int round = 0; round < options.rounds(); round++) {
      for (int i = 0; i < contestants.size(); i++) {
        Contestant contestant = contestants.get((i + round) % contestants.size());
        double value = contestant.load.measure(options.seconds());
        contestant.series.add(value);
        tell("%s, round %d".formatted(title, round + 1), contestant.series, value);
      }
    }
  }

  private static void tell(String when, Series series, double value) {
    System.err.printf("  %-18s %-46s %s%n", when, series.name(), series.format(value));
  }
}
