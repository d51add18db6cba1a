package dev.laurel.benchmarks.sidebyside;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects figures and prints them as Markdown. For one thread. */
final class Report {
  private static final double QUIET = 0.5;

  private final Options options;
  private final String machine;
  private final double loadBefore;
  private final TreeMap<String, String> goals = new TreeMap<>();
  private final Set<Series> measured = new LinkedHashSet<>();

  /**
   * @param loadBefore the load average before anything was started
   */
  Report(Options options, String machine, double loadBefore) {
    this.options = options;
    this.machine = machine;
    this.loadBefore = loadBefore;
  }

  /** A goal that is a ratio of two series; left out if one of them was not measured. */
  void ratio(
      String letter, String what, @Nullable Series ours, @Nullable Series theirs, String goal) {
    if (ours == null || theirs == null || ours.size() == 0 || theirs.size() == 0) {
      return;
    }
    measured.add(ours);
    measured.add(theirs);
    if (options.wants(letter.substring(0, 1))) {
      goals.put(
          letter,
          "| %s | %s | %s | %s | **%.2f** | %.2f | %s |"
              .formatted(
                  letter,
                  what,
                  ours.format(ours.median()),
                  theirs.format(theirs.median()),
                  ours.median() / theirs.median(),
                  ours.best() / theirs.best(),
                  goal));
    }
  }

  /** A goal that is a figure. */
  void figure(String letter, String what, @Nullable Series series, String goal) {
    if (series == null) {
      return;
    }
    measured.add(series);
    goals.put(
        letter,
        "| %s | %s | %s | | **%s** | %s | %s |"
            .formatted(
                letter,
                what,
                series.format(series.median()),
                series.format(series.median()),
                series.format(series.best()),
                goal));
  }

  /** Series without a goal of their own. */
  void more(List<Series> series) {
    measured.addAll(series);
  }

  void print(PrintStream out) {
    out.println("- command: `" + command() + "`");
    out.print(machine);
    out.printf(
        "- load average before the run: %.2f%s%n",
        loadBefore, loadBefore > QUIET ? " (**noisy**: something else ran; do not quote)" : "");
    out.printf(
        "- %,d users; ids by HTTP and of the memory figure are `user_000123` (11 bytes), those of"
            + " redis-benchmark `user_000000000123` (17 bytes; the tool always writes 12 digits), those"
            + " in process (d, h) `user_123`%n",
        options.users());
    out.println(
        "- spread is (highest - lowest) / median: above 10 % do not trust the second digit");
    out.println("- Laurel writes with fsync on; Redis keeps nothing on disk");
    out.println();
    out.println("| | what | Laurel | rival | median | best | goal |");
    out.println("|---|---|---|---|---|---|---|");
    goals.values().forEach(out::println);
    out.println();
    out.println("| measured | rounds | median | best | spread |");
    out.println("|---|---|---|---|---|");
    List<String> lines = new ArrayList<>();
    for (Series series : measured) {
      lines.add(
          "| %s | %d | %s | %s | %.0f %% |"
              .formatted(
                  series.name(),
                  series.size(),
                  series.format(series.median()),
                  series.format(series.best()),
                  100 * series.spread()));
    }
    lines.forEach(out::println);
    out.flush();
  }

  private String command() {
    return "benchmarks/side-by-side --rounds %d --seconds %d --warmup %d --users %d --only %s"
        .formatted(
            options.rounds(),
            options.seconds(),
            options.warmup(),
            options.users(),
            String.join(",", options.only()));
  }
}
