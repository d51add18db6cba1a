package dev.laurel.server.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The server's HTTP surface as a client sees it. Thread-safe. */
record Api(HttpClient client, String url, Duration patience) {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int PAGE = 97;

  Api(HttpClient client, String url) {
    this(client, url, Duration.ofMinutes(2));
  }

  /** An answer, word for word. */
  record Answer(int status, String body, boolean replayed) {
    JsonNode json() {
      return JSON.readTree(body);
    }
  }

  /**
   * @throws IOException if no answer came: the write happened or did not
   */
  Answer send(Write write) throws IOException {
    HttpRequest.Builder request = request(write.path());
    if (write.key() != null) {
      request.header("Idempotency-Key", write.key());
    }
    String body = write.body();
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    return send(
        request.method(
            write.method(),
            body.isEmpty()
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(body)));
  }

  void create(TestBoard board) throws IOException {
    call("POST", "/api/v1/leaderboards", board.definition(), 201);
  }

  Answer get(String path) throws IOException {
    Answer answer = send(request(path).GET());
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  Answer call(String method, String path, String body, int status) throws IOException {
    Answer answer =
        send(
            request(path)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    return answer;
  }

  /** The whole board, page by page. */
  List<Expected.Row> top(TestBoard board) throws IOException {
    List<Expected.Row> rows = new ArrayList<>();
    String from = "";
    while (true) {
      JsonNode page =
          get("/api/v1/leaderboards/" + board.uuid() + "/top?limit=" + PAGE + from).json();
      for (JsonNode user : page.get("users")) {
        rows.add(
            new Expected.Row(
                user.get("rank").asLong(),
                user.get("userId").asString(),
                user.get("score").asLong(),
                millis(user.get("timestamp"))));
      }
      JsonNode next = page.get("nextCursor");
      if (next == null) {
        assertThat(page.get("totalUsers").asInt()).isEqualTo(rows.size());
        return rows;
      }
      from = "&cursor=" + next.asString();
    }
  }

  static long millis(JsonNode timestamp) {
    return Instant.parse(timestamp.asString()).toEpochMilli();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .timeout(patience)
        .header("X-API-Key", LaurelProcess.ADMIN_KEY);
  }

  private Answer send(HttpRequest.Builder request) throws IOException {
    HttpResponse<String> response = exchange(request);
    return new Answer(
        response.statusCode(),
        response.body(),
        response.headers().firstValue("Idempotent-Replayed").isPresent());
  }

  /** The first places of a board, whatever the answer is. */
  HttpResponse<String> look(TestBoard board) throws IOException {
    return exchange(request("/api/v1/leaderboards/" + board.uuid() + "/top?limit=10").GET());
  }

  private HttpResponse<String> exchange(HttpRequest.Builder request) throws IOException {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
