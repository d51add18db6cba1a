package dev.laurel.server.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/** One file that opens anywhere: style and drawings are in it, nothing is fetched. */
final class HtmlReport {
  private static final Pattern HOLE = Pattern.compile("\\{\\{(\\w+)}}");

  private final Report report;

  private HtmlReport(Report report) {
    this.report = report;
  }

  static String write(Report report) {
    return new HtmlReport(report).write();
  }

  private String write() {
    Map<String, String> parts =
        Map.ofEntries(
            Map.entry("date", escape(report.date().toString())),
            Map.entry("version", escape(report.version())),
            Map.entry("command", escape(report.options().command())),
            Map.entry("results", results()),
            Map.entry("errors", errors()),
            Map.entry("client", escape(report.client())),
            Map.entry("throughput", throughput()),
            Map.entry("latency", latency()),
            Map.entry("percentiles", percentiles()),
            Map.entry("settings", facts(report.settings())),
            Map.entry("machine", facts(report.machine())));
    return HOLE.matcher(template())
        .replaceAll(
            hole -> Matcher.quoteReplacement(Objects.requireNonNull(parts.get(hole.group(1)))));
  }

  private static String template() {
    try (InputStream in =
        Objects.requireNonNull(HtmlReport.class.getResourceAsStream("report.html"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String results() {
    StringBuilder html =
        new StringBuilder("<tr><th>operation<th>loop<th>requests<th>per s<th>users/s");
    for (double percentile : Report.PERCENTILES) {
      html.append("<th>").append(Report.percentileName(percentile));
    }
    html.append("<th>errors<th>received\n");
    for (OperationResult result : report.result().operations()) {
      html.append("<tr><th><span class=\"key ")
          .append(style(result.operation()))
          .append("\"></span>");
      html.append(result.operation().label());
      html.append("<td>").append(result.open() ? "open" : "closed");
      html.append("<td>").append(Report.number((double) result.latencies().getTotalCount()));
      html.append("<td>").append(Report.number(result.perSecond()));
      html.append("<td>").append(Report.number(result.perSecond() * result.items()));
      for (double percentile : Report.PERCENTILES) {
        html.append("<td>").append(Report.millis(result.millisAt(percentile)));
      }
      html.append(result.errorCount() > 0 ? "<td class=\"bad\">" : "<td>");
      html.append(Report.number((double) result.errorCount()));
      html.append("<td>").append(Report.megabytes(result.bytesIn())).append('\n');
    }
    return html.toString();
  }

  private String errors() {
    StringBuilder html = new StringBuilder();
    for (OperationResult result : report.result().operations()) {
      result
          .errors()
          .forEach(
              (what, count) ->
                  html.append("<p class=\"bad\">")
                      .append(result.operation().label())
                      .append(": ")
                      .append(Report.number(count))
                      .append(" × ")
                      .append(escape(what))
                      .append("</p>\n"));
    }
    return html.toString();
  }

  private String throughput() {
    List<LineChart.Line> lines = new ArrayList<>();
    for (OperationResult result : report.result().operations()) {
      lines.add(overTime(result.operation(), "", "/s", RunResult.Sample::perSecond));
    }
    return LineChart.draw(
        "Throughput over time", "seconds", time(), Axis.linear(greatest(lines)), lines);
  }

  private String latency() {
    List<LineChart.Line> lines = new ArrayList<>();
    for (OperationResult result : report.result().operations()) {
      lines.add(overTime(result.operation(), " thin", " p50", RunResult.Sample::p50));
      lines.add(overTime(result.operation(), "", " p99", RunResult.Sample::p99));
    }
    return LineChart.draw("Latency over time", "seconds", time(), latencyAxis(lines), lines);
  }

  private String percentiles() {
    List<LineChart.Line> lines = new ArrayList<>();
    double last = 90;
    for (OperationResult result : report.result().operations()) {
      Histogram histogram = result.latencies();
      List<LineChart.Spot> spots = new ArrayList<>();
      // As far as there are requests to tell: beyond, it would be the slowest one drawn wide.
      double end = 100 - 100.0 / Math.max(10, histogram.getTotalCount());
      for (double tail = 1; 100 - 100 / tail <= end; tail *= 1.12) {
        double percentile = 100 - 100 / tail;
        spots.add(new LineChart.Spot(tail, histogram.getValueAtPercentile(percentile) / 1e6));
      }
      last = Math.max(last, end);
      lines.add(new LineChart.Line(result.operation().label(), style(result.operation()), spots));
    }
    return LineChart.draw(
        "Latency by percentile", "percentile", Axis.percentiles(last), latencyAxis(lines), lines);
  }

  private Axis time() {
    List<RunResult.Point> points = report.result().points();
    return Axis.upTo(points.isEmpty() ? 1 : points.getLast().at());
  }

  private static Axis latencyAxis(List<LineChart.Line> lines) {
    double least = Double.POSITIVE_INFINITY;
    for (LineChart.Line line : lines) {
      for (LineChart.Spot spot : line.spots()) {
        if (spot.y() > 0) {
          least = Math.min(least, spot.y());
        }
      }
    }
    double greatest = greatest(lines);
    return greatest > 0 ? Axis.logarithmic(least, greatest) : Axis.logarithmic(1, 10);
  }

  private static double greatest(List<LineChart.Line> lines) {
    double greatest = 0;
    for (LineChart.Line line : lines) {
      for (LineChart.Spot spot : line.spots()) {
        greatest = spot.y() > greatest ? spot.y() : greatest;
      }
    }
    return greatest;
  }

  private LineChart.Line overTime(
      Operation operation, String thin, String suffix, ToDoubleFunction<RunResult.Sample> value) {
    List<LineChart.Spot> spots = new ArrayList<>();
    for (RunResult.Point point : report.result().points()) {
      RunResult.Sample sample = point.samples().get(operation);
      if (sample != null) {
        spots.add(new LineChart.Spot(point.at(), value.applyAsDouble(sample)));
      }
    }
    return new LineChart.Line(operation.label() + suffix, style(operation) + thin, spots);
  }

  private static String style(Operation operation) {
    return "op-" + operation.label();
  }

  private static String facts(Map<String, String> facts) {
    StringBuilder html = new StringBuilder();
    facts.forEach(
        (name, value) ->
            html.append("<tr><th>")
                .append(escape(name))
                .append("<td>")
                .append(escape(value))
                .append('\n'));
    return html.toString();
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
