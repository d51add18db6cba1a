package dev.laurel.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Where threads stand, looked at every few milliseconds: shares of wall-clock time, waiting
 * included, which CPU times do not show. Samples are taken at safepoints, so a share says in which
 * stage a thread was, not in which line of it.
 */
final class StageSampler implements AutoCloseable {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The part of a frame that a stage is known by, innermost frame first. */
  private final Map<String, String> stages;

  private final String[] threads;
  private final Map<String, Map<String, Integer>> seen = new TreeMap<>();
  private final Thread sampler;
  private volatile boolean closed;

  /**
   * @param stages the name of a stage by a part of {@code Class.method}
   * @param threads how the names of those looked at begin
   */
  StageSampler(Map<String, String> stages, String... threads) {
    this.stages = stages;
    this.threads = threads;
    this.sampler = Thread.ofPlatform().daemon().name("stages").start(this::run);
  }

  private void run() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    long[] ids =
        Arrays.stream(bean.getThreadInfo(bean.getAllThreadIds()))
            .filter(
                t -> t != null && Arrays.stream(threads).anyMatch(t.getThreadName()::startsWith))
            .mapToLong(ThreadInfo::getThreadId)
            .toArray();
    while (!closed) {
      for (ThreadInfo thread : bean.getThreadInfo(ids, Integer.MAX_VALUE)) {
        if (thread != null) {
          seen.computeIfAbsent(thread.getThreadName(), t -> new TreeMap<>())
              .merge(stage(thread.getStackTrace()), 1, Integer::sum);
        }
      }
      LockSupport.parkNanos(INTERVAL_NANOS);
    }
  }

  private String stage(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName() + "." + frame.getMethodName();
      for (Map.Entry<String, String> stage : stages.entrySet()) {
        if (name.endsWith(stage.getKey())) {
          return stage.getValue();
        }
      }
    }
    return stack.length > 0 && stack[0].getMethodName().equals("park") ? "idle" : "other";
  }

  /** Ends it and prints a line a thread. */
  @Override
  public void close() throws InterruptedException {
    closed = true;
    sampler.join();
    seen.forEach(
        (thread, counts) -> {
          int all = counts.values().stream().mapToInt(Integer::intValue).sum();
          StringBuilder line = new StringBuilder("  %-16s".formatted(thread));
          counts.entrySet().stream()
              .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
              .forEach(
                  e ->
                      line.append(
                          " %s %.0f %%;".formatted(e.getKey(), 100.0 * e.getValue() / all)));
          System.out.println(line);
        });
  }
}
