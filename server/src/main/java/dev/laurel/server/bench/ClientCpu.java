package dev.laurel.server.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much of the processors the driver itself takes while it measures: on a machine that it shares
 * with the server, that is time the server does not have. For one thread.
 */
final class ClientCpu {
  private final Window window;
  private long firstNanos;
  private long firstCpu;
  private long lastNanos;
  private long lastCpu;

  ClientCpu(Window window) {
    this.window = window;
  }

  void look(long now) {
    if (!window.counts(now)) {
      return;
    }
    lastNanos = now;
    lastCpu = cpu();
    if (firstNanos == 0) {
      firstNanos = lastNanos;
      firstCpu = lastCpu;
    }
  }

  /** Of all threads, the JVM's too; not a number if there was not enough time to tell. */
  double cores() {
    return lastNanos == firstNanos
        ? Double.NaN
        : (double) (lastCpu - firstCpu) / (lastNanos - firstNanos);
  }

  private static long cpu() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
