package dev.laurel.server.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The tallies of all loops put together, second by second. For one thread, not a loop's. */
final class Collected {
  /** Shorter ends are added to the second before. */
  private static final double SHORTEST_POINT = 0.3;

  private final List<LoadLoop> loops;
  private final LoadPlan plan;
  private final Window window;
  private final Map<Operation, Histogram> totals = new EnumMap<>(Operation.class);
  private final Map<Operation, Histogram> current = new EnumMap<>(Operation.class);
  private final List<RunResult.Point> points = new ArrayList<>();
  private long lastPoint;
  private long requests;

  Collected(List<LoadLoop> loops, LoadPlan plan, Window window) {
    this.loops = loops;
    this.plan = plan;
    this.window = window;
    this.lastPoint = window.from();
    for (LaneSpec lane : plan.lanes()) {
      for (Operation operation : lane.amounts().keySet()) {
        totals.put(operation, histogram());
        current.put(operation, histogram());
      }
    }
  }

  private static Histogram histogram() {
    return new Histogram(Tally.LONGEST, Tally.DIGITS);
  }

  private static Histogram of(Map<Operation, Histogram> histograms, Operation operation) {
    return Objects.requireNonNull(histograms.get(operation));
  }

  /** Ends a second. */
  void point(long now) {
    gather();
    double length = (now - lastPoint) / 1e9;
    Map<Operation, RunResult.Sample> samples = new EnumMap<>(Operation.class);
    current.forEach(
        (operation, histogram) -> {
          samples.put(operation, sample(histogram, length));
          of(totals, operation).add(histogram);
          histogram.reset();
        });
    if (length >= SHORTEST_POINT || points.isEmpty()) {
      points.add(new RunResult.Point((now - window.from()) / 1e9, length, samples));
    }
    lastPoint = now;
  }

  private static RunResult.Sample sample(Histogram histogram, double length) {
    long count = histogram.getTotalCount();
    return count == 0
        ? new RunResult.Sample(0, Double.NaN, Double.NaN)
        : new RunResult.Sample(
            count / length,
            histogram.getValueAtPercentile(50) / 1e6,
            histogram.getValueAtPercentile(99) / 1e6);
  }

  /** Takes over what the loops have recorded. */
  private void gather() {
    for (LoadLoop loop : loops) {
      loop.tallies()
          .forEach(
              (operation, tally) -> {
                Histogram some = tally.interval();
                requests += some.getTotalCount();
                of(current, operation).add(some);
              });
    }
  }

  /** Requests that count and have ended. */
  long requestsSoFar() {
    gather();
    return requests;
  }

  /** Since the warm-up ended. */
  double secondsSoFar() {
    return (System.nanoTime() - window.from()) / 1e9;
  }

  /** Once the loops are done. */
  RunResult result(double clientCores) {
    double seconds = Math.min(window.seconds(), (lastPoint - window.from()) / 1e9);
    List<OperationResult> results = new ArrayList<>();
    for (LaneSpec lane : plan.lanes()) {
      lane.amounts()
          .forEach((operation, amount) -> results.add(sum(lane, operation, amount, seconds)));
    }
    return new RunResult(seconds, clientCores, results, points);
  }

  private OperationResult sum(LaneSpec lane, Operation operation, double amount, double seconds) {
    long sent = 0;
    long answered = 0;
    long good = 0;
    long bytesIn = 0;
    long bytesOut = 0;
    Map<String, Long> errors = new TreeMap<>();
    for (LoadLoop loop : loops) {
      Tally tally = loop.tallies().get(operation);
      if (tally != null) {
        sent += tally.sentInAll();
        answered += tally.answeredInAll();
        good += tally.good();
        bytesIn += tally.bytesIn();
        bytesOut += tally.bytesOut();
        tally.errors().forEach((what, count) -> errors.merge(what, count, Long::sum));
      }
    }
    return new OperationResult(
        operation,
        lane.open(),
        lane.open() ? amount : 0,
        sent,
        answered,
        good,
        operation.items(plan.batch()),
        seconds,
        bytesIn,
        bytesOut,
        errors,
        of(totals, operation));
  }
}
