package dev.laurel.benchmarks.sidebyside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Latencies at a given rate, by {@code ./laurel bench} on a board of its own: requests are due by a
 * schedule, and one that waits for a stalled server counts its waiting (see docs/bench.md).
 */
final class OpenLoop {
  private static final String BOARD = "open-loop";

  private final Children children;
  private final Path root;
  private final LaurelServer laurel;
  private final Options options;

  private OpenLoop(Children children, Path root, LaurelServer laurel, Options options) {
    this.children = children;
    this.root = root;
    this.laurel = laurel;
    this.options = options;
  }

  /** Makes and loads the board, and warms up every request that will be sent. */
  static OpenLoop prepare(Children children, Path root, LaurelServer laurel, Options options) {
    OpenLoop loop = new OpenLoop(children, root, laurel, options);
    loop.bench(options.warmup(), "--keep", "--connections", "rank=32,top=16,put=64");
    return loop;
  }

  /** Rank reads a second, as many as there can be. */
  double most() {
    return bench(options.seconds(), "--reuse", "--connections", "rank=64").of("rank", "perSecond");
  }

  Figures at(String rates, String connections) {
    return bench(options.seconds(), "--reuse", "--rate", rates, "--connections", connections);
  }

  private Figures bench(int seconds, String board, String... load) {
    Path json = children.folder().resolve("bench.json");
    List<String> command =
        new ArrayList<>(
            List.of(
                root.resolve("laurel").toString(),
                "bench",
                "--url",
                laurel.api().url(),
                "--board",
                BOARD,
                board,
                "--users",
                "" + options.users(),
                "--warmup",
                // The driver is a Java of its own each time: its compiler must be done, too.
                2 * options.warmup() + "s",
                "--duration",
                seconds + "s",
                "--json",
                json.toString()));
    command.addAll(List.of(load));
    children.run(command, Map.of("LAUREL_ADMIN_KEY", LaurelServer.ADMIN_KEY));
    try {
      return new Figures(Files.readString(json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What {@code laurel bench --json} wrote; it exits with an error if one answer was none. */
  record Figures(String json) {
    /**
     * @param name {@code perSecond}, or a percentile in milliseconds such as {@code p99}
     */
    double of(String operation, String name) {
      Matcher found =
          Pattern.compile(
                  "\"operations\" : .*?\"%s\" : \\{.*?\"%s\" : ([0-9.E-]+)"
                      .formatted(operation, name),
                  Pattern.DOTALL)
              .matcher(json);
      if (!found.find()) {
        throw new IllegalStateException(name + " of " + operation + " is not in " + json);
      }
      return Double.parseDouble(found.group(1));
    }
  }
}
