package dev.laurel.benchmarks.sidebyside;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Where and with what it was measured: a figure without that is none. */
final class Machine {
  private Machine() {}

  static String describe(Children children) throws IOException {
    return """
    - date: %s
    - machine: %s, %d cores (client and server share them), Linux %s, data on %s
    - Java %s; %s; Node %s; %s
    """
        .formatted(
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'")
                .format(ZonedDateTime.now(ZoneOffset.UTC)),
            cpu(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.version"),
            Files.getFileStore(children.folder()).type(),
            System.getProperty("java.vendor.version") + " " + System.getProperty("java.version"),
            first(children, "redis-server", "--version"),
            first(children, "node", "--version"),
            children.run(List.of("sh", "-c", "wrk -v 2>&1 | cut -d' ' -f1,2 | head -n 1")).strip());
  }

  /** What others do on this machine; above 0.5 before anything runs the figures are noisy. */
  static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static String cpu() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
      if (line.startsWith("model name")) {
        return line.substring(line.indexOf(':') + 1).strip();
      }
    }
    return System.getProperty("os.arch");
  }

  private static String first(Children children, String... command) {
    String output = children.run(List.of(command)).strip();
    int sha = output.indexOf(" sha=");
    return sha < 0 ? output : output.substring(0, sha);
  }
}
