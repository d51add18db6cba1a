package dev.laurel.server.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table on standard output. */
final class TableReport {
  private TableReport() {}

  static String write(Report report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(header());
    for (OperationResult operation : report.result().operations()) {
      rows.add(row(operation));
    }
    StringBuilder text = new StringBuilder();
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String format = i == 0 ? "%-" + widths[i] + "s" : "%" + (widths[i] + 2) + "s";
        line.append(String.format(Locale.ROOT, format, row.get(i)));
      }
      text.append(line).append('\n');
    }
    text.append(notes(report));
    return text.toString();
  }

  private static List<String> header() {
    List<String> cells =
        new ArrayList<>(List.of("operation", "loop", "requests", "per s", "users/s"));
    for (double percentile : Report.PERCENTILES) {
      cells.add(Report.percentileName(percentile) + " ms");
    }
    cells.addAll(List.of("errors", "received"));
    return cells;
  }

  private static List<String> row(OperationResult result) {
    List<String> cells = new ArrayList<>();
    cells.add(result.operation().label());
    cells.add(result.open() ? "open" : "closed");
    cells.add(Report.number((double) result.latencies().getTotalCount()));
    cells.add(Report.number(result.perSecond()));
    cells.add(Report.number(result.perSecond() * result.items()));
    for (double percentile : Report.PERCENTILES) {
      cells.add(Report.millis(result.millisAt(percentile)));
    }
    cells.add(Report.number((double) result.errorCount()));
    cells.add(Report.megabytes(result.bytesIn()));
    return cells;
  }

  private static String notes(Report report) {
    StringBuilder text = new StringBuilder();
    for (OperationResult result : report.result().operations()) {
      if (result.open() && result.perSecond() < 0.99 * result.askedPerSecond()) {
        text.append(
            "%s: %s/s were asked for, %s/s reached\n"
                .formatted(
                    result.operation().label(),
                    Report.number(result.askedPerSecond()),
                    Report.number(result.perSecond())));
      }
      for (Map.Entry<String, Long> error : result.errors().entrySet()) {
        text.append(
            "%s: %s × %s\n"
                .formatted(
                    result.operation().label(), Report.number(error.getValue()), error.getKey()));
      }
    }
    return text.append(report.client()).append('\n').toString();
  }
}
