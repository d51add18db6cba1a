package dev.laurel.server.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A scale of a chart: values to 0..1, and where it is marked. Immutable. */
public record Axis(double from, double to, boolean logarithmic, List<Mark> marks) {
  private static final int MARKS = 5;

  public record Mark(double value, String label) {}

  /** From 0 to a round number. */
  public static Axis linear(double greatest) {
    List<Mark> marks = rounds(greatest);
    return new Axis(0, marks.getLast().value(), false, marks);
  }

  /** From 0 to just this, with marks at round numbers. */
  public static Axis upTo(double end) {
    List<Mark> marks = rounds(end).stream().filter(m -> m.value() <= end * 1.001).toList();
    return new Axis(0, end, false, marks);
  }

  private static List<Mark> rounds(double greatest) {
    double top = greatest > 0 ? greatest : 1;
    double magnitude = Math.pow(10, Math.floor(Math.log10(top / MARKS)));
    double ratio = top / MARKS / magnitude;
    double step = magnitude * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
    int steps = (int) Math.max(1, Math.ceil(top / step - 1e-9));
    List<Mark> marks = new ArrayList<>();
    for (int i = 0; i <= steps; i++) {
      marks.add(new Mark(i * step, label(i * step)));
    }
    return marks;
  }

  /** In powers of ten that include both, with 2 and 5 between them where there is room. */
  static Axis logarithmic(double least, double greatest) {
    double low = Math.pow(10, Math.floor(Math.log10(least)));
    double high = Math.pow(10, Math.ceil(Math.log10(greatest)));
    if (high <= low) {
      high = 10 * low;
    }
    boolean few = high / low < 1e3;
    List<Mark> marks = new ArrayList<>();
    for (double power = low; power <= high * 1.001; power *= 10) {
      marks.add(new Mark(power, label(power)));
      if (few && power < high * 0.999) {
        marks.add(new Mark(2 * power, label(2 * power)));
        marks.add(new Mark(5 * power, label(5 * power)));
      }
    }
    return new Axis(low, high, true, marks);
  }

  /** Percentiles, each nine as wide as the one before. */
  static Axis percentiles(double last) {
    double greatest = 1 / (1 - Math.min(last, 99.9999) / 100);
    List<Mark> marks = new ArrayList<>();
    for (double p : new double[] {0, 50, 90, 99, 99.9, 99.99, 99.999}) {
      if (1 / (1 - p / 100) <= greatest * 1.001) {
        marks.add(new Mark(1 / (1 - p / 100), p == 0 ? "0" : Report.percentileName(p)));
      }
    }
    return new Axis(1, Math.max(10, greatest), true, marks);
  }

  double place(double value) {
    return logarithmic
        ? Math.log(Math.max(value, from) / from) / Math.log(to / from)
        : (value - from) / (to - from);
  }

  private static String label(double value) {
    double size = Math.abs(value);
    if (size >= 1e6) {
      return trim(value / 1e6) + "M";
    }
    if (size >= 1e4) {
      return trim(value / 1e3) + "k";
    }
    return trim(value);
  }

  private static String trim(double value) {
    String text = String.format(Locale.ROOT, "%.4f", value);
    return text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }
}
