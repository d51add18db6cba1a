package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Units;
import dev.laurel.server.http.JsonOut;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** Rows as lines of a file; {@code laurel import --ignore-extra} reads the CSV. Not thread-safe. */
final class ExportRows {
  private final String contentType;
  private final Line line;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 17);

  private interface Line {
    byte[] of(long rank, String userId, long score, long reached);
  }

  private ExportRows(String contentType, String header, Line line) {
    this.contentType = contentType;
    this.line = line;
    bytes.writeBytes(header.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * As RFC 4180 has it.
   *
   * @param spreadsheet whether ids that a spreadsheet would take for a formula begin with an
   *     apostrophe; they are not the ids any more, so only who wants it gets it
   */
  static ExportRows csv(int decimals, boolean spreadsheet) {
    return new ExportRows(
        "text/csv; charset=utf-8",
        "userId,rank,score,timestamp\r\n",
        (rank, userId, score, reached) ->
            (quoted(spreadsheet && isFormula(userId) ? "'" + userId : userId)
                    + ","
                    + rank
                    + ","
                    + Units.format(score, decimals)
                    + ","
                    + Instant.ofEpochMilli(reached)
                    + "\r\n")
                .getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isFormula(String text) {
    return "=+-@".indexOf(text.charAt(0)) >= 0;
  }

  private static String quoted(String text) {
    boolean plain = text.indexOf(',') < 0 && text.indexOf('"') < 0 && text.strip().equals(text);
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  static ExportRows jsonLines(Board board) {
    return new ExportRows(
        "application/jsonl",
        "",
        (rank, userId, score, reached) -> {
          JsonOut out = new JsonOut(160);
          out.beginObject();
          out.name(Answers.USER_ID).string(userId);
          out.name(Answers.RANK).number(rank);
          out.name(Answers.SCORE).units(score, board.decimals());
          out.name(Answers.TIMESTAMP).timestamp(reached);
          byte[] json = out.endObject().toByteArray();
          byte[] line = Arrays.copyOf(json, json.length + 1);
          line[json.length] = '\n';
          return line;
        });
  }

  String contentType() {
    return contentType;
  }

  void add(long rank, String userId, long score, long reached) {
    bytes.writeBytes(line.of(rank, userId, score, reached));
  }

  /** What was added since the last time. */
  byte[] take() {
    byte[] taken = bytes.toByteArray();
    bytes.reset();
    return taken;
  }
}
