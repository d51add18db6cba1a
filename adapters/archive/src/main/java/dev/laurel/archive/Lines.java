package dev.laurel.archive;

import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Units;
import dev.laurel.core.store.FinalRank;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The two kinds of lines, each an object. */
final class Lines {
  static final JsonMapper JSON = JsonMapper.builder().build();

  private Lines() {}

  /** Scores are texts, as a JSON number is a double to many; times are epoch milliseconds. */
  static byte[] row(ArchivedRow row, int decimals) {
    FinalRank rank = row.rank();
    Entry entry = row.entry();
    ObjectNode line = JSON.createObjectNode();
    line.put("position", rank.position());
    line.put("rank", rank.rank());
    line.put("userId", row.userId());
    line.put("score", Units.format(rank.score(), decimals));
    line.put("reached", rank.reached());
    if (rank.prize() >= 0) {
      line.put("prize", rank.prize());
    }
    line.put("seen", entry.seen());
    line.put("line", entry.line());
    line.put("last", entry.last());
    String metadata = entry.metadata();
    if (metadata != null) {
      // As a text: it comes back to the byte, however it was written.
      line.put("metadata", metadata);
    }
    return JSON.writeValueAsBytes(line);
  }

  /**
   * @throws RuntimeException if it is no such line
   */
  static ArchivedRow row(String text, int decimals) {
    JsonNode line = JSON.readTree(text);
    long score =
        Units.parse(line.required("score").asString(), decimals)
            .orElseThrow(() -> new IllegalArgumentException("score of " + text));
    long reached = number(line, "reached");
    JsonNode prize = line.get("prize");
    JsonNode metadata = line.get("metadata");
    @Nullable String kept = metadata == null ? null : metadata.asString();
    return new ArchivedRow(
        line.required("userId").asString(),
        new FinalRank(
            0,
            number(line, "position"),
            number(line, "rank"),
            score,
            reached,
            prize == null ? -1 : prize.asInt()),
        new Entry(
            score,
            reached,
            number(line, "seen"),
            number(line, "line"),
            number(line, "last"),
            false,
            kept));
  }

  private static long number(JsonNode line, String name) {
    return line.required(name).asLong();
  }

  static byte[] user(SortedIds.Id id) {
    ObjectNode line = JSON.createObjectNode();
    line.put("userId", new String(id.id(), StandardCharsets.UTF_8));
    line.put("position", id.position());
    return JSON.writeValueAsBytes(line);
  }

  /** A user and the position of the row. */
  record Place(String userId, long position) {}

  static Place place(String text) {
    JsonNode line = JSON.readTree(text);
    return new Place(line.required("userId").asString(), number(line, "position"));
  }
}
