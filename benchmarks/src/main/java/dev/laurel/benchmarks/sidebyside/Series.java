package dev.laurel.benchmarks.sidebyside;

import java.util.ArrayList;
import java.util.List;

/** The rounds of one contestant. For one thread. */
final class Series {
  private final String name;
  private final String unit;
  private final boolean lowerIsBetter;
  private final List<Double> rounds = new ArrayList<>();

  private Series(String name, String unit, boolean lowerIsBetter) {
    this.name = name;
    this.unit = unit;
    this.lowerIsBetter = lowerIsBetter;
  }

  static Series rate(String name) {
    return new Series(name, "/s", false);
  }

  static Series cost(String name, String unit) {
    return new Series(name, unit, true);
  }

  Series add(double value) {
    rounds.add(value);
    return this;
  }

  String name() {
    return name;
  }

  int size() {
    return rounds.size();
  }

  double median() {
    List<Double> sorted = rounds.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  double best() {
    var sorted = rounds.stream().mapToDouble(Double::doubleValue);
    return (lowerIsBetter ? sorted.min() : sorted.max()).orElse(Double.NaN);
  }

  /** How far the rounds are apart, as a part of the median. */
  double spread() {
    var all = rounds.stream().mapToDouble(Double::doubleValue).summaryStatistics();
    return (all.getMax() - all.getMin()) / median();
  }

  String format(double value) {
    return (value >= 1000 ? "%,.0f" : value >= 100 ? "%.0f" : "%.2f").formatted(value)
        + (unit.startsWith("/") ? unit : " " + unit);
  }
}
