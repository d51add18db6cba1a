package dev.laurel.server.imports;

import dev.laurel.core.model.RejectedException;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file with one JSON object a line, with the fields of the batch route, or a line of an export.
 */
final class JsonLines implements LineSource {
  private static final byte[] BEFORE = "{\"scores\":[".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] AFTER = "]}".getBytes(StandardCharsets.US_ASCII);

  private final TextLines lines;

  JsonLines(TextLines lines) {
    this.lines = lines;
  }

  @Override
  public @Nullable String header() {
    return null;
  }

  @Override
  public @Nullable ImportLine next() throws IOException {
    TextLines.Line line = lines.next();
    while (line != null && line.fault() == null && line.text().isBlank()) {
      line = lines.next();
    }
    if (line == null) {
      return null;
    }
    if (line.fault() != null) {
      return new ImportLine.Bad(line.number(), line.text(), "MALFORMED_JSON", line.fault());
    }
    String text = line.text().strip();
    return checked(line.number(), text, null, DerivedFields.removed(text));
  }

  /**
   * Reads it as the server will, alone in a batch: what cannot be read would fail the lines beside
   * it as well, and what ends the batch early would smuggle something in.
   */
  static ImportLine checked(long number, String text, @Nullable String userId, byte[] json) {
    byte[] batch = new byte[BEFORE.length + json.length + AFTER.length];
    System.arraycopy(BEFORE, 0, batch, 0, BEFORE.length);
    System.arraycopy(json, 0, batch, BEFORE.length, json.length);
    System.arraycopy(AFTER, 0, batch, BEFORE.length + json.length, AFTER.length);
    try {
      Fields fields = Json.object(batch);
      List<@Nullable Fields> scores = fields.objectsOrNulls("scores", 1, 1);
      fields.done();
      Fields score = scores.getFirst();
      return new ImportLine.Good(
          number,
          text,
          userId == null ? userId(score) : userId,
          score != null && score.has("timestamp"),
          json);
    } catch (RejectedException e) {
      return new ImportLine.Bad(number, text, e.rejection().code().name(), e.rejection().message());
    }
  }

  private static @Nullable String userId(@Nullable Fields line) {
    try {
      return line == null ? null : line.optionalString("userId");
    } catch (RejectedException e) {
      return null; // the server refuses it, with the reason
    }
  }
}
