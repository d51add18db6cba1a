package dev.laurel.benchmarks.sidebyside;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one client of everything that speaks HTTP: wrk with one thread.
 *
 * @param scripts the folder of the Lua scripts
 */
record Wrk(Children children, Path scripts, int users) {
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");

  /** Requests a second; throws if any answer was not a success. */
  double run(Api api, String script, int connections, int seconds, String kind) {
    List<String> command =
        List.of(
            "wrk",
            "-t1",
            "-c" + connections,
            "-d" + seconds + "s",
            "--timeout",
            "10s",
            "-s",
            scripts.resolve(script).toString(),
            api.url(),
            "--",
            "" + users,
            api.key(),
            kind);
    String output = children.run(command);
    Matcher rate = RATE.matcher(output);
    // A figure with refusals in it is none: they are faster than answers.
    if (!rate.find() || output.contains("Non-2xx") || output.contains("Socket errors")) {
      throw new IllegalStateException(String.join(" ", command) + "\n" + output);
    }
    return Double.parseDouble(rate.group(1));
  }
}
