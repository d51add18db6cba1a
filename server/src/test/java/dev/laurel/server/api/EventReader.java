package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads a stream of events, and keeps a board by what docs/live.md says about them. */
final class EventReader implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 120;
  private static final String COMMENT = "comment";
  private static final String END = "end";

  /** One event; of a comment or the end only the name says something. */
  record Event(String name, String id, Answer data) {}

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final HttpResponse<InputStream> response;
  final List<String> board = new ArrayList<>();
  String lastId = "";

  /** What it was told to wait before it comes back, in milliseconds. */
  final List<Integer> retries = new CopyOnWriteArrayList<>();

  private long from = 1;

  private EventReader(HttpRequest request) {
    try {
      response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static EventReader open(TestServer server, String path, String... headers) {
    HttpRequest.Builder request = server.anonymous(path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    EventReader reader = new EventReader(request.build());
    assertThat(reader.response.statusCode()).isEqualTo(200);
    assertThat(reader.response.headers().firstValue("content-type")).hasValue("text/event-stream");
    Thread.ofVirtual().start(reader::read);
    return reader;
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      String name = "";
      String data = "";
      String id = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("retry: ")) {
          retries.add(Integer.valueOf(line.substring(7)));
        } else if (line.startsWith(":")) {
          events.add(event(COMMENT, "", ""));
        } else if (line.isEmpty() && !name.isEmpty()) {
          events.add(event(name, id, data));
          name = "";
          id = "";
        }
      }
    } catch (IOException e) {
      // The connection broke, as some tests want it to.
    }
    events.add(event(END, "", ""));
  }

  private Event event(String name, String id, String data) {
    return new Event(name, id, Answer.of(200, response.headers(), data));
  }

  /** The next that is no comment, applied. */
  Event next() {
    Event event = any();
    while (event.name.equals(COMMENT)) {
      event = any();
    }
    apply(event);
    return event;
  }

  Event next(String name) {
    Event event = next();
    assertThat(event.name).as(event.toString()).isEqualTo(name);
    return event;
  }

  /** The data of the next, which is not applied. */
  Answer unread(String name) {
    Event event = any();
    while (event.name.equals(COMMENT)) {
      event = any();
    }
    assertThat(event.name).isEqualTo(name);
    return event.data;
  }

  void comment() {
    assertThat(any().name).isEqualTo(COMMENT);
  }

  void end() {
    assertThat(next().name).isEqualTo(END);
  }

  /** Reads on until the board is this. */
  void until(String... rows) {
    while (!board.equals(List.of(rows))) {
      assertThat(next().name).as("before " + List.of(rows) + ", at " + board).isNotEqualTo(END);
    }
  }

  /** Reads on until an update says that a user is in the range, and returns the delta. */
  String came(String user) {
    while (true) {
      Event event = next("leaderboard.update");
      if (event.data.at("/userId").equals(user) && event.data.at("/left").isEmpty()) {
        return event.data.json().at("/delta").toString();
      }
    }
  }

  private Event any() {
    try {
      Event event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(event)
          .as("an event within %d s; the board is %s", PATIENCE_SECONDS, board)
          .isNotNull();
      return event;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void apply(Event event) {
    if (!event.id.isEmpty()) {
      lastId = event.id;
    }
    switch (event.name) {
      case "leaderboard.snapshot" -> {
        board.clear();
        from = event.data.number("/from");
        for (int i = 0; i < event.data.json().at("/entries").size(); i++) {
          String row = "/entries/" + i;
          board.add(row(event.data.at(row + "/userId"), event.data.at(row + "/score")));
        }
      }
      case "leaderboard.update" -> {
        String user = event.data.at("/userId");
        board.removeIf(row -> row.startsWith(user + " "));
        if (event.data.at("/left").isEmpty()) {
          // In place of a whole tick: those to come are at their old places for a moment.
          int index = (int) (event.data.number("/position") - from);
          board.add(Math.min(index, board.size()), row(user, event.data.at("/score")));
        }
      }
      default -> {}
    }
  }

  private static String row(String user, @Nullable String score) {
    return user + " " + score;
  }

  @Override
  public void close() {
    try {
      response.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    client.shutdownNow();
  }
}
