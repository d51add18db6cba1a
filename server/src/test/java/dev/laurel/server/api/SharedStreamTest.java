package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Many boards on one connection. */
class SharedStreamTest extends LiveServer {
  private final class Shared implements AutoCloseable {
    private final HttpClient client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final BufferedReader lines;

    /** What each stream's events carry, by the place in the question. */
    final Map<String, String> streams = new HashMap<>();

    Shared(String watch, String... headers) throws IOException, InterruptedException {
      var request =
          server
              .anonymous("/api/v1/stream")
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(("{'watch':[" + watch + "]}").replace('\'', '"')));
      if (headers.length > 0) {
        request.headers(headers);
      }
      var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      assertThat(answer.statusCode()).isEqualTo(200);
      lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    Answer next() throws IOException {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          Answer event =
              Answer.of(
                  200,
                  java.net.http.HttpHeaders.of(Map.of(), (_, _) -> true),
                  line.substring("data: ".length()));
          if (event.at("/event").equals("stream.opened")) {
            streams.put(event.at("/data/stream"), event.at("/data/watch"));
          }
          return event;
        }
      }
      return Answer.of(200, java.net.http.HttpHeaders.of(Map.of(), (_, _) -> true), "{}");
    }

    @Override
    public void close() {
      client.shutdownNow();
    }
  }

  @Test
  void stream_ofManyBoards_tellsOfEachAndRefusesOne() throws Exception {
    for (int i = 0; i < 20; i++) {
      board("m" + i);
      score(Api.BOARDS + "/m" + i, "ann", i);
    }
    api.board("hidden");
    StringBuilder watch = new StringBuilder("{'board':'hidden'}");
    for (int i = 0; i < 20; i++) {
      watch.append(",{'board':'m" + i + "','top':" + (1 + i % 3) + "}");
    }
    watch.append(",{'board':'m3','user':'ann','window':0},{'board':'m3','top':0}");
    try (Shared shared = new Shared(watch.toString())) {
      Set<String> begun = new TreeSet<>();
      Set<String> refused = new TreeSet<>();
      Map<String, String> ids = new HashMap<>();
      while (begun.size() < 21 || refused.size() < 2) {
        Answer event = shared.next();
        switch (event.at("/event")) {
          case "leaderboard.snapshot" -> {
            begun.add(shared.streams.get(event.at("/stream")));
            ids.put(event.at("/data/leaderboardId"), event.at("/id"));
          }
          case "stream.refused" ->
              refused.add(event.at("/data/watch") + " " + event.at("/data/code"));
          default -> assertThat(event.at("/event")).isEqualTo("stream.opened");
        }
      }
      assertThat(refused).containsExactly("0 UNAUTHENTICATED", "22 VALIDATION_ERROR");
      assertThat(gauge("leaderboard_sse_clients")).isEqualTo("1.0");
      score(Api.BOARDS + "/m7", "bob", 70);
      Answer update = shared.next();
      assertThat(update.at("/event")).isEqualTo("leaderboard.update");
      assertThat(shared.streams.get(update.at("/stream"))).isEqualTo("8");
      try (Shared again =
          new Shared("{'board':'m6','top':1,'lastEventId':'" + ids.get("m6") + "'}")) {
        assertThat(again.next().at("/event")).isEqualTo("stream.opened");
        assertThat(again.next().at("/event")).isEqualTo("leaderboard.resumed");
      }
    }
  }

  @Test
  void stream_oneBoardBecomesPrivate_endsAndRefusesThatOneOnly() throws Exception {
    board("open");
    board("closing");
    String watch = "{'board':'open'},{'board':'closing'}";
    try (Shared shared = new Shared(watch)) {
      for (int i = 0; i < 4; i++) {
        shared.next();
      }
      api.patch(Api.BOARDS + "/closing", "{'visibility':'PRIVATE'}").is(200);
      assertThat(shared.next().text()).isEqualTo("{}");
    }
    try (Shared shared = new Shared(watch)) {
      Set<String> events = new TreeSet<>();
      for (int i = 0; i < 3; i++) {
        events.add(shared.next().at("/event"));
      }
      assertThat(events).containsExactly("leaderboard.snapshot", "stream.opened", "stream.refused");
    }
  }
}
