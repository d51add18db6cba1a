package dev.laurel.server.bench;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A result with everything that is needed to understand and to repeat it. */
record Report(
    BenchOptions options,
    RunResult result,
    Instant date,
    Map<String, String> machine,
    String version) {
  /** Those that tables show, of HdrHistogram's scale of 0 to 100. */
  static final double[] PERCENTILES = {50, 90, 95, 99, 99.9, 100};

  static String percentileName(double percentile) {
    return percentile == 100
        ? "max"
        : "p" + (percentile == Math.rint(percentile) ? "" + (long) percentile : "" + percentile);
  }

  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("server", options.url() == null ? "started for this run" : "running before");
    settings.put(
        "load", options.lanes().stream().map(Report::lane).collect(Collectors.joining("; ")));
    settings.put("duration", seconds(options.duration().toMillis()));
    settings.put("warm-up", seconds(options.warmup().toMillis()));
    settings.put("users", String.format(Locale.ROOT, "%,d", options.users()));
    settings.put(
        "choice of users", options.zipf() ? "Zipf, exponent " + options.zipfExponent() : "uniform");
    settings.put("batch", String.format(Locale.ROOT, "%,d users a request", options.batch()));
    settings.put("decimals", Integer.toString(options.decimals()));
    settings.put("windows", String.join(", ", options.windows()));
    settings.put("client threads", Integer.toString(options.threads()));
    settings.put("pipeline", Integer.toString(options.pipeline()));
    settings.put("seed", Long.toString(options.seed()));
    return settings;
  }

  String client() {
    return String.format(
        Locale.ROOT, "The driver itself took %.2f of the cores.", result.clientCores());
  }

  private static String lane(LaneSpec lane) {
    String amounts =
        lane.amounts().entrySet().stream()
            .map(e -> e.getKey().label() + (lane.open() ? " " + number(e.getValue()) + "/s" : ""))
            .collect(Collectors.joining(" + "));
    return "%s on %d connections, %s"
        .formatted(amounts, lane.connections(), lane.open() ? "open loop" : "closed loop");
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.3g s", millis / 1e3);
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  /** Three digits, whatever the size. */
  static String millis(double value) {
    int digits = value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%,.1f MB", bytes / 1e6);
  }
}
