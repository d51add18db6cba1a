package dev.laurel.server.api;

import dev.laurel.server.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What somebody has who watches many boards on one connection and believes what it says, as
 * docs/live.md tells to. Comes back with its last ids when the connection ends. Thread-safe.
 */
final class StreamedBoards implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final TestServer server;
  private final List<Watch> watches;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<Integer, Seen> seen = new ConcurrentHashMap<>();
  private final Map<Integer, String> ids = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * @param fields more fields of the question, with single quotes
   * @param places how many rows the range has
   */
  record Watch(String board, String fields, int places) {}

  /** A range as REST has it; rows as JSON with everything that they say. */
  record Seen(String status, long total, long from, List<Row> rows, String outsider) {}

  /** A row of a range. */
  record Row(String userId, String displayName, String rank, String score, String timestamp) {
    static Row of(JsonNode row) {
      return new Row(
          row.path("userId").asString(""),
          row.path("displayName").asString(""),
          row.path("rank").asString(""),
          row.path("score").asString(""),
          row.path("timestamp").asString(""));
    }
  }

  StreamedBoards(TestServer server, List<Watch> watches) {
    this.server = server;
    this.watches = watches;
    Thread.ofVirtual().start(this::run);
  }

  /** Null before anything was said of it. */
  @Nullable Seen seen(int watch) {
    return seen.get(watch);
  }

  private void run() {
    while (!closed) {
      try {
        read();
      } catch (IOException e) {
        // It comes back.
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void read() throws IOException, InterruptedException {
    StringBuilder asked = new StringBuilder();
    for (int i = 0; i < watches.size(); i++) {
      Watch watch = watches.get(i);
      String id = ids.get(i);
      asked
          .append(asked.isEmpty() ? "" : ",")
          .append("{'board':'" + watch.board + "'," + watch.fields)
          .append(id == null ? "}" : ",'lastEventId':'" + id + "'}");
    }
    var request =
        server
            .anonymous("/api/v1/stream")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(("{'watch':[" + asked + "]}").replace('\'', '"')));
    HttpResponse<InputStream> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    Map<String, Integer> names = new ConcurrentHashMap<>();
    Map<Integer, List<JsonNode>> pending = new ConcurrentHashMap<>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          JsonNode event = JSON.readTree(line.substring("data: ".length()));
          take(event, names, pending);
        }
      }
    }
  }

  private void take(
      JsonNode event, Map<String, Integer> names, Map<Integer, List<JsonNode>> pending) {
    JsonNode data = event.path("data");
    String name = event.path("event").asString("");
    if (name.equals("stream.opened")) {
      names.put(data.path("stream").asString(""), data.path("watch").asInt());
      return;
    }
    Integer watch = names.get(event.path("stream").asString(""));
    if (watch == null) {
      return;
    }
    Seen before = seen.get(watch);
    switch (name) {
      case "leaderboard.snapshot" -> {
        List<Row> rows = new ArrayList<>();
        data.path("entries").forEach(row -> rows.add(Row.of(row)));
        pending.remove(watch);
        JsonNode user = data.path("user");
        seen.put(
            watch,
            new Seen(
                data.path("status").asString(""),
                data.path("total").asLong(),
                data.path("from").asLong(),
                rows,
                user.isMissingNode() ? "" : Row.of(user).toString()));
      }
      case "leaderboard.info" ->
          seen.put(
              watch,
              new Seen(
                  data.path("status").asString(""),
                  data.path("total").asLong(),
                  Objects.requireNonNull(before).from,
                  before.rows,
                  before.outsider));
      case "leaderboard.update" -> pending.computeIfAbsent(watch, _ -> new ArrayList<>()).add(data);
      default -> {
        // A season or a resumption says nothing of rows.
      }
    }
    if (!event.path("id").isMissingNode()) {
      ids.put(watch, event.path("id").asString(""));
      List<JsonNode> updates = pending.remove(watch);
      Seen now = seen.get(watch);
      if (updates != null && now != null) {
        seen.put(watch, applied(now, updates, watches.get(watch).places));
      }
    }
  }

  private static Seen applied(Seen before, List<JsonNode> updates, int places) {
    List<Row> rows = new ArrayList<>(before.rows);
    for (JsonNode update : updates) {
      String user = update.path("userId").asString("");
      rows.removeIf(row -> row.userId.equals(user));
    }
    updates.stream()
        .filter(update -> !update.path("position").isNull())
        .sorted((a, b) -> Long.compare(a.path("position").asLong(), b.path("position").asLong()))
        .forEach(
            update ->
                rows.add(
                    (int) Math.min(rows.size(), update.path("position").asLong() - before.from),
                    Row.of(update)));
    return new Seen(
        before.status,
        updates.getLast().path("total").asLong(),
        before.from,
        List.copyOf(rows.subList(0, Math.min(places, rows.size()))),
        before.outsider);
  }

  @Override
  public void close() {
    closed = true;
    client.shutdownNow();
  }
}
