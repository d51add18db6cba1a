package dev.laurel.benchmarks.soak;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How requests were answered. Thread-safe. */
final class Counts {
  private static final int NO_ANSWER = 0;

  private final Map<Integer, LongAdder> byStatus = new ConcurrentHashMap<>();

  void answered(int status) {
    byStatus.computeIfAbsent(status, _ -> new LongAdder()).increment();
  }

  /** No answer came, as when the server closes a connection. */
  void lost() {
    answered(NO_ANSWER);
  }

  long of(int status) {
    LongAdder count = byStatus.get(status);
    return count == null ? 0 : count.sum();
  }

  long all() {
    return byStatus.values().stream().mapToLong(LongAdder::sum).sum();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(byStatus)
        .forEach(
            (status, count) ->
                text.append(text.isEmpty() ? "" : ", ")
                    .append(status == NO_ANSWER ? "no answer" : status)
                    .append(": ")
                    .append("%,d".formatted(count.sum())));
    return text.toString();
  }
}
