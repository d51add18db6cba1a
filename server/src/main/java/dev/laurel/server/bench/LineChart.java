package dev.laurel.server.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Lines over an axis, as SVG whose colours are the page's. */
public final class LineChart {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 280;
  private static final int LEFT = 56;
  private static final int RIGHT = 12;
  private static final int TOP = 12;
  private static final int BOTTOM = 40;

  /**
   * @param style the class of the page that colours it
   * @param shown how a value is written
   */
  public record Line(String name, String style, List<Spot> spots, DoubleFunction<String> shown) {
    /** Of milliseconds. */
    Line(String name, String style, List<Spot> spots) {
      this(name, style, spots, Report::millis);
    }
  }

  public record Spot(double x, double y) {}

  private final Axis xAxis;
  private final Axis yAxis;
  private final StringBuilder svg = new StringBuilder();

  private LineChart(Axis xAxis, Axis yAxis) {
    this.xAxis = xAxis;
    this.yAxis = yAxis;
  }

  public static String draw(String title, String xTitle, Axis xAxis, Axis yAxis, List<Line> lines) {
    LineChart chart = new LineChart(xAxis, yAxis);
    chart.frame(title, xTitle);
    lines.forEach(chart::line);
    return chart.svg.append("</svg>\n").toString();
  }

  private void frame(String title, String xTitle) {
    svg.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n"
            .formatted(WIDTH, HEIGHT, HtmlReport.escape(title)));
    for (Axis.Mark mark : yAxis.marks()) {
      double y = y(mark.value());
      svg.append(stroke("grid", LEFT, y, WIDTH - RIGHT, y));
      svg.append(label(LEFT - 6, y + 4, "end", mark.label()));
    }
    for (Axis.Mark mark : xAxis.marks()) {
      double x = x(mark.value());
      if (x <= WIDTH - RIGHT + 1) {
        svg.append(stroke("tick", x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 5));
        svg.append(label(x, HEIGHT - BOTTOM + 18, "middle", mark.label()));
      }
    }
    svg.append(label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 4, "middle", xTitle));
  }

  private void line(Line line) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (Spot spot : line.spots()) {
      if (Double.isNaN(spot.y())) {
        drawing = false;
        continue;
      }
      path.append(drawing ? 'L' : 'M').append(number(x(spot.x()))).append(' ');
      path.append(number(y(spot.y())));
      drawing = true;
    }
    svg.append(
        "<path class=\"line %s\" d=\"%s\"><title>%s</title></path>\n"
            .formatted(line.style(), path, HtmlReport.escape(line.name())));
    if (line.spots().size() <= 60) {
      for (Spot spot : line.spots()) {
        if (!Double.isNaN(spot.y())) {
          svg.append(dot(line, spot));
        }
      }
    }
  }

  /** Its title shows when the pointer is on it. */
  private String dot(Line line, Spot spot) {
    return "<circle class=\"dot %s\" cx=\"%s\" cy=\"%s\" r=\"2.5\"><title>%s: %s</title></circle>\n"
        .formatted(
            line.style(),
            number(x(spot.x())),
            number(y(spot.y())),
            HtmlReport.escape(line.name()),
            line.shown().apply(spot.y()));
  }

  private static String stroke(String style, double x1, double y1, double x2, double y2) {
    return "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n"
        .formatted(style, number(x1), number(y1), number(x2), number(y2));
  }

  private static String label(double x, double y, String anchor, String text) {
    return "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
        .formatted(number(x), number(y), anchor, HtmlReport.escape(text));
  }

  private double x(double value) {
    return LEFT + xAxis.place(value) * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - yAxis.place(value) * (HEIGHT - TOP - BOTTOM);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
