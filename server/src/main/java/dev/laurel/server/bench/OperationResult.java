package dev.laurel.server.bench;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What became of an operation.
 *
 * @param sent in all, also in the warm-up
 * @param answered in all, with whatever status
 * @param good answered well between the warm-up and the end
 * @param items users a request is about
 * @param errors of the whole run, the warm-up too
 * @param latencies in nanoseconds, of all requests that count, however they ended
 */
public record OperationResult(
    Operation operation,
    boolean open,
    double askedPerSecond,
    long sent,
    long answered,
    long good,
    int items,
    double seconds,
    long bytesIn,
    long bytesOut,
    Map<String, Long> errors,
    Histogram latencies) {
  public double perSecond() {
    return good / seconds;
  }

  public long errorCount() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }

  public double millisAt(double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e6;
  }
}
