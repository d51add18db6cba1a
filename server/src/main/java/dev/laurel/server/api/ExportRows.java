package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Units;
import dev.laurel.core.query.Pages;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.imports.CsvText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** Rows as lines of a file that {@code laurel import} reads. Not thread-safe. */
final class ExportRows {
  private final String contentType;
  private final Line line;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 17);

  private interface Line {
    byte[] of(Pages.Row row);
  }

  private ExportRows(String contentType, String header, Line line) {
    this.contentType = contentType;
    this.line = line;
    bytes.writeBytes(header.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * As RFC 4180 has it.
   *
   * @param spreadsheet whether ids and prizes that a spreadsheet would take for a formula begin
   *     with an apostrophe ({@link CsvText}); metadata begins with a brace
   */
  static ExportRows csv(int decimals, boolean spreadsheet) {
    return new ExportRows(
        "text/csv; charset=utf-8",
        "userId,rank,score,timestamp,metadata,prize\r\n",
        row ->
            (text(row.userId(), spreadsheet)
                    + ","
                    + row.rank()
                    + ","
                    + Units.format(row.score(), decimals)
                    + ","
                    + Instant.ofEpochMilli(row.reached())
                    + ","
                    + (row.metadata() == null ? "" : CsvText.quoted(oneLine(row.metadata())))
                    + ","
                    + (row.prize() == null ? "" : text(row.prize(), spreadsheet))
                    + "\r\n")
                .getBytes(StandardCharsets.UTF_8));
  }

  private static String text(String text, boolean spreadsheet) {
    return CsvText.quoted(spreadsheet ? CsvText.guarded(text) : text);
  }

  /** Line breaks in JSON are between its tokens, where a space does as well. */
  private static String oneLine(String json) {
    return json.replace('\r', ' ').replace('\n', ' ');
  }

  static ExportRows jsonLines(Board board) {
    return new ExportRows(
        "application/jsonl",
        "",
        row -> {
          JsonOut out = new JsonOut(160);
          out.beginObject();
          out.name(Answers.USER_ID).string(row.userId());
          out.name(Answers.RANK).number(row.rank());
          out.name(Answers.SCORE).units(row.score(), board.decimals());
          out.name(Answers.TIMESTAMP).timestamp(row.reached());
          if (row.metadata() != null) {
            out.name("metadata").raw(oneLine(row.metadata()));
          }
          if (row.prize() != null) {
            out.name("prize").string(row.prize());
          }
          byte[] json = out.endObject().toByteArray();
          byte[] line = Arrays.copyOf(json, json.length + 1);
          line[json.length] = '\n';
          return line;
        });
  }

  String contentType() {
    return contentType;
  }

  void add(Pages.Row row) {
    bytes.writeBytes(line.of(row));
  }

  /** What was added since the last time. */
  byte[] take() {
    byte[] taken = bytes.toByteArray();
    bytes.reset();
    return taken;
  }
}
