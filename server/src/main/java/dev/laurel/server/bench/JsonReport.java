package dev.laurel.server.bench;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The result for programs; times in milliseconds. */
final class JsonReport {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private JsonReport() {}

  static String write(Report report) {
    ObjectNode root = JSON.createObjectNode();
    root.put("date", report.date().toString());
    root.put("version", report.version());
    root.put("command", report.options().command());
    texts(root.putObject("settings"), report.settings());
    texts(root.putObject("machine"), report.machine());
    root.put("seconds", report.result().seconds());
    if (!Double.isNaN(report.result().clientCores())) {
      root.put("clientCores", report.result().clientCores());
    }
    root.put("errors", report.result().errorCount());
    ObjectNode operations = root.putObject("operations");
    for (OperationResult result : report.result().operations()) {
      operation(operations.putObject(result.operation().label()), result);
    }
    ArrayNode points = root.putArray("points");
    for (RunResult.Point point : report.result().points()) {
      ObjectNode node = points.addObject();
      node.put("at", point.at());
      point
          .samples()
          .forEach(
              (operation, sample) -> {
                ObjectNode values = node.putObject(operation.label());
                values.put("perSecond", sample.perSecond());
                if (sample.perSecond() > 0) {
                  values.put("p50", sample.p50()).put("p99", sample.p99());
                }
              });
    }
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
  }

  private static void operation(ObjectNode node, OperationResult result) {
    node.put("loop", result.open() ? "open" : "closed");
    if (result.open()) {
      node.put("askedPerSecond", result.askedPerSecond());
    }
    node.put("perSecond", result.perSecond());
    node.put("usersPerSecond", result.perSecond() * result.items());
    node.put("requests", result.latencies().getTotalCount());
    node.put("good", result.good());
    node.put("sentWithWarmup", result.sent());
    node.put("answeredWithWarmup", result.answered());
    node.put("bytesReceived", result.bytesIn());
    node.put("bytesSentWithWarmup", result.bytesOut());
    ObjectNode latency = node.putObject("latency");
    for (double percentile : Report.PERCENTILES) {
      latency.put(Report.percentileName(percentile), result.millisAt(percentile));
    }
    latency.put("mean", result.latencies().getMean() / 1e6);
    ObjectNode errors = node.putObject("errors");
    result.errors().forEach(errors::put);
  }

  private static void texts(ObjectNode node, Map<String, String> texts) {
    texts.forEach(node::put);
  }
}
