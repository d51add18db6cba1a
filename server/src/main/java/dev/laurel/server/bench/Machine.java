package dev.laurel.server.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a figure was measured on: without it, it is worth little. */
final class Machine {
  private Machine() {}

  static Map<String, String> describe() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", processor());
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory());
    facts.put(
        "system",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + ", "
            + System.getProperty("os.arch"));
    facts.put("java", Runtime.version() + " (" + System.getProperty("java.vm.name") + ")");
    facts.put("client flags", String.join(" ", flags()));
    return facts;
  }

  /** Without paths of this machine. */
  private static Iterable<String> flags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.contains("/") && !flag.startsWith("-D"))
        .toList();
  }

  private static String memory() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      return String.format(
          Locale.ROOT, "%.1f GiB", system.getTotalMemorySize() / (double) (1 << 30));
    }
    return "unknown";
  }

  private static String processor() {
    Path file = Path.of("/proc/cpuinfo");
    if (Files.isReadable(file)) {
      try {
        for (String line : Files.readAllLines(file)) {
          if (line.startsWith("model name")) {
            return line.substring(line.indexOf(':') + 1).strip();
          }
        }
      } catch (IOException e) {
        // It is only a description.
      }
    }
    return "unknown";
  }
}
