package dev.laurel.server.imports;

import dev.laurel.core.model.RejectedException;
import dev.laurel.server.http.Json;
import dev.laurel.server.http.JsonOut;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A CSV file with a header line that names its columns. Belongs to one thread. */
final class CsvLines implements LineSource {
  static final List<String> REQUIRED = List.of("userId", "score");
  static final List<String> OPTIONAL = List.of("timestamp", "eventId", "mode", "metadata");
  private static final String EXPECTED =
      " (expected: userId and score, and if wanted timestamp, eventId, mode, metadata)";
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,5})?");

  private final TextLines lines;
  private final String header;
  private final List<String> columns;

  /** Whether ids have a mark of the export before them where a spreadsheet would run them. */
  private final boolean guarded;

  /** Lines that were read ahead in search of a closing quote that was not there. */
  private final Deque<TextLines.Line> readAhead = new ArrayDeque<>();

  CsvLines(TextLines lines, CsvOptions options) throws IOException {
    this.lines = lines;
    TextLines.Line first = lines.next();
    if (first == null) {
      throw new ImportException("the file is empty" + EXPECTED);
    }
    if (first.fault() != null) {
      throw new ImportException("line 1: " + first.fault() + " (expected: the names of columns)");
    }
    header = first.text();
    if (!(CsvRecord.parse(header) instanceof CsvRecord.Fields(var names))) {
      throw new ImportException("line 1: malformed CSV (expected: the names of the columns)");
    }
    columns = names.stream().map(String::strip).toList();
    check(options.ignoreExtra());
    guarded = options.spreadsheet() && columns.containsAll(DerivedFields.NAMES);
  }

  private void check(boolean ignoreExtra) {
    Set<String> seen = new HashSet<>();
    for (String column : columns) {
      boolean known =
          REQUIRED.contains(column)
              || OPTIONAL.contains(column)
              || DerivedFields.NAMES.contains(column);
      if (!known && !ignoreExtra) {
        throw new ImportException(
            "line 1: unknown column \"" + column + "\"" + EXPECTED + "; --ignore-extra skips it");
      }
      if (known && !seen.add(column)) {
        throw new ImportException("line 1: column " + column + " is there twice");
      }
    }
    for (String column : REQUIRED) {
      if (!seen.contains(column)) {
        throw new ImportException("line 1: no column " + column + " in: " + header + EXPECTED);
      }
    }
  }

  @Override
  public String header() {
    return header;
  }

  @Override
  public @Nullable ImportLine next() throws IOException {
    TextLines.Line line = take();
    while (line != null && line.fault() == null && line.text().isBlank()) {
      line = take();
    }
    if (line == null) {
      return null;
    }
    if (line.fault() != null) {
      return malformed(line, line.fault());
    }
    return switch (CsvRecord.parse(line.text())) {
      case CsvRecord.Fields(var values) -> record(line.number(), line.text(), values);
      case CsvRecord.Malformed(var why) -> malformed(line, why);
      case CsvRecord.Open _ -> continued(line);
    };
  }

  private TextLines.@Nullable Line take() throws IOException {
    TextLines.Line line = readAhead.poll();
    return line != null ? line : lines.next();
  }

  /** A record of several lines; if its quote is never closed, only its first line is at fault. */
  private ImportLine continued(TextLines.Line first) throws IOException {
    StringBuilder text = new StringBuilder(first.text());
    Deque<TextLines.Line> taken = new ArrayDeque<>();
    while (text.length() <= TextLines.MAX_BYTES) {
      TextLines.Line more = take();
      if (more == null) {
        break;
      }
      taken.add(more);
      if (more.fault() != null) {
        break;
      }
      text.append('\n').append(more.text());
      // Without a quote of its own a line cannot close the field.
      if (more.text().indexOf('"') >= 0) {
        switch (CsvRecord.parse(text.toString())) {
          case CsvRecord.Fields(var values) -> {
            return record(first.number(), text.toString(), values);
          }
          case CsvRecord.Malformed _ -> {
            giveBack(taken);
            return malformed(first, "a quote that is not closed");
          }
          case CsvRecord.Open _ -> {
            // It goes on.
          }
        }
      }
    }
    giveBack(taken);
    return malformed(first, "a quote that is not closed");
  }

  private void giveBack(Deque<TextLines.Line> taken) {
    while (!taken.isEmpty()) {
      readAhead.addFirst(taken.removeLast());
    }
  }

  private ImportLine record(long number, String text, List<String> values) {
    if (values.size() != columns.size()) {
      return new ImportLine.Bad(
          number,
          text,
          "MALFORMED_CSV",
          values.size() + " fields (expected: " + columns.size() + ", as in the header)");
    }
    JsonOut out = new JsonOut(text.length() + 64);
    String userId = null;
    out.beginObject();
    for (int i = 0; i < values.size(); i++) {
      String column = columns.get(i);
      String value = values.get(i);
      switch (column) {
        case "userId" -> {
          userId = guarded ? CsvText.bare(value) : value;
          out.name(column).string(userId);
        }
        case "score" -> score(out.name(column), value.strip());
        case "timestamp", "mode", "eventId" -> {
          String given = column.equals("eventId") ? value : value.strip();
          if (!given.isEmpty()) {
            out.name(column).string(given);
          }
        }
        case "metadata" -> {
          if (!value.isBlank()) {
            try {
              out.name(column).raw(Json.object(value.getBytes(StandardCharsets.UTF_8)).raw());
            } catch (RejectedException e) {
              return new ImportLine.Bad(
                  number,
                  text,
                  e.rejection().code().name(),
                  "metadata: " + e.rejection().message());
            }
          }
        }
        default -> {
          // A column that is computed, or that --ignore-extra allows.
        }
      }
    }
    return JsonLines.checked(number, text, userId, out.endObject().toByteArray());
  }

  /** What is no number is sent as text: the server says what it thinks of it, in its own words. */
  private static void score(JsonOut out, String value) {
    if (NUMBER.matcher(value).matches()) {
      out.raw(value);
    } else {
      out.string(value);
    }
  }

  private static ImportLine malformed(TextLines.Line line, String why) {
    return new ImportLine.Bad(line.number(), line.text(), "MALFORMED_CSV", why);
  }
}
