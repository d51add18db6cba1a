package dev.laurel.server.kill;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One request that changes a board, as often as it is sent.
 *
 * @param key the Idempotency-Key
 */
record Write(TestBoard board, Kind kind, List<Line> lines, @Nullable String key) {
  enum Kind {
    PUT,
    BATCH,
    DELETE
  }

  /**
   * What happens to one user.
   *
   * @param value less than zero is what the board's bounds refuse
   * @param at null for the server's time
   */
  record Line(String user, long value, @Nullable Long at, @Nullable String eventId) {
    String fields() {
      return "\"score\":"
          + value
          + (at == null ? "" : ",\"timestamp\":\"" + Instant.ofEpochMilli(at) + "\"")
          + (eventId == null ? "" : ",\"eventId\":\"" + eventId + "\"");
    }
  }

  String method() {
    return switch (kind) {
      case PUT -> "PUT";
      case BATCH -> "POST";
      case DELETE -> "DELETE";
    };
  }

  String path() {
    String base = "/api/v1/leaderboards/" + board.uuid();
    return kind == Kind.BATCH ? base + "/scores" : base + "/users/" + lines.getFirst().user();
  }

  String body() {
    return switch (kind) {
      case PUT -> "{" + lines.getFirst().fields() + "}";
      case DELETE -> "";
      case BATCH -> batch(lines);
    };
  }

  static String batch(List<Line> lines) {
    return lines.stream()
        .map(line -> "{\"userId\":\"" + line.user() + "\"," + line.fields() + "}")
        .collect(Collectors.joining(",", "{\"scores\":[", "]}"));
  }

  /** Whether sending it again tells that it was done before. */
  boolean isNamed() {
    return key != null || lines.stream().allMatch(line -> line.eventId() != null);
  }
}
