package dev.laurel.core.rank;

import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A ranking as one would write it on a slate: a list that is sorted again after every change. */
final class SortedOracle {
  record Line(int user, byte[] id, long score, long reached, boolean hasMetadata) {}

  private final Map<Integer, Line> lines = new HashMap<>();
  private final List<String> ids;
  private final Ties ties;
  final Comparator<Line> order;
  List<Line> sorted = List.of();
  long[] ranks = {};

  SortedOracle(Order order, Ties ties, List<String> ids) {
    this.ids = ids;
    this.ties = ties;
    Comparator<Line> byScore =
        order == Order.HIGHEST_FIRST
            ? (a, b) -> Long.compare(b.score(), a.score())
            : (a, b) -> Long.compare(a.score(), b.score());
    this.order =
        byScore.thenComparingLong(Line::reached).thenComparing(Line::id, Arrays::compareUnsigned);
  }

  Line line(int user, long score, long reached, boolean hasMetadata) {
    byte[] id = ids.get(user - 1).getBytes(StandardCharsets.UTF_8);
    return new Line(user, id, score, reached, hasMetadata);
  }

  void put(int user, long score, long reached, boolean hasMetadata) {
    lines.put(user, line(user, score, reached, hasMetadata));
  }

  boolean remove(int user) {
    return lines.remove(user) != null;
  }

  /** To be called after changes, before questions. */
  void sort() {
    sorted = new ArrayList<>(lines.values());
    sorted.sort(order);
    ranks = new long[sorted.size()];
    for (int i = 0; i < ranks.length; i++) {
      boolean tie = i > 0 && sorted.get(i).score() == sorted.get(i - 1).score();
      ranks[i] =
          switch (ties) {
            case EARLIEST_FIRST -> i + 1;
            case SHARED -> tie ? ranks[i - 1] : i + 1;
            case DENSE -> i == 0 ? 1 : ranks[i - 1] + (tie ? 0 : 1);
          };
    }
  }

  long better(long score, Order direction) {
    return sorted.stream()
        .filter(
            line -> direction == Order.HIGHEST_FIRST ? line.score() > score : line.score() < score)
        .count();
  }

  long countUpTo(Line place) {
    return sorted.stream().filter(line -> order.compare(line, place) <= 0).count();
  }
}
