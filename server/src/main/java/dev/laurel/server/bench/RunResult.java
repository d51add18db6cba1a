package dev.laurel.server.bench;

import java.util.List;
import java.util.Map;

/**
 * A run: sums, and how it went over time.
 *
 * @param clientCores processors that the driver itself kept busy
 */
public record RunResult(
    double seconds, double clientCores, List<OperationResult> operations, List<Point> points) {
  /**
   * About a second.
   *
   * @param at seconds since the warm-up ended
   * @param length of this point, in seconds
   */
  public record Point(double at, double length, Map<Operation, Sample> samples) {}

  /** Latencies in milliseconds, not a number if there was no request. */
  public record Sample(double perSecond, double p50, double p99) {}

  public long errorCount() {
    return operations.stream().mapToLong(OperationResult::errorCount).sum();
  }
}
