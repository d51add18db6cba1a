package dev.laurel.benchmarks.soak;

import dev.laurel.server.bench.Axis;
import dev.laurel.server.bench.LineChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Four charts over the time of a run, as one SVG that stands for itself. */
final class SoakPlot {
  private static final int HEIGHT = 280;
  private static final int TITLE = 34;
  private static final List<String> COLOURS = List.of("#1f6f8b", "#c8553d", "#5b8c5a");

  private static final String STYLE =
      """
      <style>
      svg { font: 12px system-ui, sans-serif; }
      text { fill: #444; }
      .name { font-size: 14px; font-weight: 600; }
      .grid { stroke: #e2e2e2; }
      .tick { stroke: #888; }
      .line { fill: none; stroke-width: 1.4; }
      .dot { stroke: none; }
      .c0 { stroke: #1f6f8b; } .c1 { stroke: #c8553d; } .c2 { stroke: #5b8c5a; }
      </style>
      """;

  private final List<Samples.Sample> samples;
  private final StringBuilder svg = new StringBuilder();
  private int top;

  private SoakPlot(List<Samples.Sample> samples) {
    this.samples = samples;
  }

  record Curve(String name, ToDoubleFunction<Samples.Sample> value) {}

  static String draw(List<Samples.Sample> samples) {
    SoakPlot plot = new SoakPlot(samples);
    plot.chart(
        "megabytes",
        new Curve("heap after a collection", Samples.Sample::heap),
        new Curve("resident", Samples.Sample::resident),
        new Curve("heap after a full collection", Samples.Sample::live));
    plot.chart(
        "threads and descriptors",
        new Curve("threads", Samples.Sample::threads),
        new Curve("descriptors", Samples.Sample::descriptors));
    plot.chart("longest answer of a health probe, in ms", new Curve("ms", Samples.Sample::health));
    plot.chart(
        "requests",
        new Curve("answered a second", Samples.Sample::requests),
        new Curve("503 between two looks", Samples.Sample::overloaded));
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 "
        + plot.top
        + "\">\n"
        + STYLE
        + "<rect width=\"860\" height=\""
        + plot.top
        + "\" fill=\"#fff\"/>\n"
        + plot.svg
        + "</svg>\n";
  }

  private void chart(String title, Curve... curves) {
    svg.append("<text class=\"name\" x=\"8\" y=\"%d\">%s</text>\n".formatted(top + 20, title));
    List<LineChart.Line> lines = new ArrayList<>();
    double greatest = 1;
    for (int i = 0; i < curves.length; i++) {
      List<LineChart.Spot> spots = new ArrayList<>();
      for (Samples.Sample sample : samples) {
        double value = curves[i].value.applyAsDouble(sample);
        spots.add(new LineChart.Spot(sample.seconds() / 60, value));
        greatest = Double.isNaN(value) ? greatest : Math.max(greatest, value);
      }
      lines.add(
          new LineChart.Line(
              curves[i].name, "c" + i, spots, value -> String.format(Locale.ROOT, "%.1f", value)));
      svg.append(
          "<text x=\"%d\" y=\"%d\" style=\"fill:%s\">%s</text>\n"
              .formatted(330 + 180 * i, top + 20, COLOURS.get(i), curves[i].name));
    }
    String chart =
        LineChart.draw(
            title,
            "minutes",
            Axis.upTo(samples.getLast().seconds() / 60),
            Axis.linear(greatest),
            lines);
    svg.append(
        chart.replaceFirst(
            "<svg ", "<svg y=\"%d\" width=\"860\" height=\"%d\" ".formatted(top + TITLE, HEIGHT)));
    top += TITLE + HEIGHT;
  }
}
