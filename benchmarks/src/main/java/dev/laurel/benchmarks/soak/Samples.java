package dev.laurel.benchmarks.soak;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What was seen of the server, every few seconds; also in a file of comma-separated values. */
final class Samples implements AutoCloseable {
  /**
   * One look.
   *
   * @param seconds since the beginning
   * @param heap megabytes after the last collection
   * @param live megabytes after the last full collection
   * @param health the longest answer of a probe since the last look, in milliseconds
   * @param requests answered since the last look, a second
   * @param overloaded answers 503 since the last look
   */
  record Sample(
      double seconds,
      double heap,
      double live,
      double resident,
      double threads,
      double descriptors,
      double health,
      double requests,
      double overloaded) {
    String csv() {
      return String.format(
          Locale.ROOT,
          "%.0f,%.0f,%.0f,%.1f,%.0f,%.0f,%.2f,%.1f,%.0f%n",
          seconds,
          heap,
          live,
          resident,
          threads,
          descriptors,
          health,
          requests,
          overloaded);
    }
  }

  private final List<Sample> all = new ArrayList<>();
  private final Writer file;

  Samples(Path path) throws IOException {
    file = Files.newBufferedWriter(path);
    file.write(
        "seconds,heap_after_gc_mb,live_mb,rss_mb,threads,descriptors,health_ms,requests_per_s,overloaded\n");
  }

  void add(Sample sample) throws IOException {
    all.add(sample);
    file.write(sample.csv());
    file.flush();
  }

  List<Sample> all() {
    return all;
  }

  /** The mean of the second tenth of the run and of its last one: the first tenth warms up. */
  String beginAndEnd(ToDoubleFunction<Sample> value) {
    int tenth = Math.max(1, all.size() / 10);
    return String.format(
        Locale.ROOT,
        "%.0f, %.0f",
        mean(all.subList(Math.min(tenth, all.size() - 1), Math.min(2 * tenth, all.size())), value),
        mean(all.subList(all.size() - tenth, all.size()), value));
  }

  double greatest(ToDoubleFunction<Sample> value) {
    return all.stream().mapToDouble(value).filter(v -> !Double.isNaN(v)).max().orElse(0);
  }

  private static double mean(List<Sample> some, ToDoubleFunction<Sample> value) {
    return some.stream().mapToDouble(value).filter(v -> !Double.isNaN(v)).average().orElse(0);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
