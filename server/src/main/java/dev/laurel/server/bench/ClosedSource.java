package dev.laurel.server.bench;

import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** As fast as answers come, at random by shares. Its latencies say nothing of a given rate. */
final class ClosedSource implements Source {
  private final Operation[] operations;
  private final double[] upTo;
  private final SplittableRandom random;
  private Window window = new Window(0, 0, 0, 0);
  private long left;
  private long begunAt;

  /**
   * @param limit after how many it ends
   */
  ClosedSource(Map<Operation, Double> shares, long limit, SplittableRandom random) {
    this.operations = shares.keySet().toArray(Operation[]::new);
    this.upTo = shares.values().stream().mapToDouble(Double::doubleValue).toArray();
    this.left = limit;
    this.random = random;
    for (int i = 1; i < upTo.length; i++) {
      upTo[i] += upTo[i - 1];
    }
  }

  @Override
  public void begin(Window newWindow) {
    window = newWindow;
  }

  @Override
  public @Nullable Operation next(long now) {
    if (left == 0 || window.isOver(now)) {
      return null;
    }
    left--;
    begunAt = now;
    if (operations.length == 1) {
      return operations[0];
    }
    double at = random.nextDouble() * upTo[upTo.length - 1];
    int i = 0;
    while (at >= upTo[i]) {
      i++;
    }
    return operations[i];
  }

  @Override
  public long begunAt() {
    return begunAt;
  }

  @Override
  public long untilNext(long now) {
    return left == 0 || window.isOver(now) ? NEVER : 0;
  }

  /** By the end, else many slow requests at the edge would be counted on one side only. */
  @Override
  public boolean counts(Window run, long begun, long ended) {
    return run.counts(ended);
  }
}
