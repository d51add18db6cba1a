package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What streams say to those who watch. */
class LiveApiTest extends LiveServer {
  @Test
  void stream_top_beginsWithASnapshotAndGoesOnWithUpdates() {
    String board = board("race");
    score(board, "ann", 30);
    score(board, "bob", 20);
    score(board, "cid", 10);
    try (EventReader reader = EventReader.open(server, board + "/stream?top=2")) {
      EventReader.Event snapshot = reader.next("leaderboard.snapshot");
      assertThat(reader.retries).containsExactly(2000);
      assertThat(snapshot.id()).isNotEmpty();
      assertThat(snapshot.data().at("/leaderboardId")).isEqualTo("race");
      assertThat(snapshot.data().at("/season/label")).isEqualTo("race-all-time");
      assertThat(snapshot.data().number("/total")).isEqualTo(3);
      assertThat(snapshot.data().at("/resumed")).isEqualTo("false");
      assertThat(snapshot.data().at("/entries/0/timestamp")).isNotEmpty();
      assertThat(reader.board).containsExactly("ann 30", "bob 20");

      score(board, "cid", 25);
      EventReader.Event left = reader.next("leaderboard.update");
      assertThat(left.data().text())
          .isEqualTo(
              "{\"userId\":\"bob\",\"delta\":0,\"score\":20,\"rank\":null,\"position\":null,"
                  + "\"left\":true,\"total\":3}");
      assertThat(left.id()).isEmpty();
      EventReader.Event came = reader.next("leaderboard.update");
      assertThat(came.data().text())
          .isEqualTo(
              "{\"userId\":\"cid\",\"delta\":15,\"score\":25,\"rank\":2,\"position\":2,"
                  + "\"timestamp\":\""
                  + clock.instant()
                  + "\",\"total\":3}");
      assertThat(came.id()).isNotEmpty().isNotEqualTo(snapshot.id());

      api.delete(board + "/users/ann").is(200);
      reader.until("cid 25", "bob 20");
      score(board, "dee", 1);
      score(board, "cid", 26);
      reader.until("cid 26", "bob 20");
    }
  }

  @Test
  void stream_aroundAUser_followsTheUser() {
    String board = board("around");
    try (EventReader reader = EventReader.open(server, board + "/stream?user=u5&window=1")) {
      assertThat(reader.next("leaderboard.snapshot").data().json().at("/entries").size()).isZero();
      for (int i = 1; i <= 9; i++) {
        score(board, "u" + i, 10L * i);
      }
      reader.until("u6 60", "u5 50", "u4 40");
      score(board, "u4", 45);
      reader.until("u6 60", "u5 50", "u4 45");
      score(board, "u5", 65);
      reader.until("u7 70", "u5 65", "u6 60");
    }
  }

  @Test
  void stream_quietBoard_showsSignsOfLife() {
    try (EventReader reader = EventReader.open(server, board("quiet") + "/stream")) {
      reader.next("leaderboard.snapshot");
      reader.comment();
      reader.comment();
    }
  }

  @Test
  void stream_comesBack_getsWhatItMissedOrASnapshot() {
    String board = board("resume");
    score(board, "ann", 1);
    String lastId;
    try (EventReader other = EventReader.open(server, board + "/stream?top=3")) {
      try (EventReader reader = EventReader.open(server, board + "/stream?top=3")) {
        reader.next("leaderboard.snapshot");
        score(board, "bob", 2);
        reader.until("bob 2", "ann 1");
        lastId = reader.lastId;
      }
      other.until("bob 2", "ann 1");
      for (int i = 3; i < 6; i++) {
        score(board, "cid", i);
        other.until("cid " + i, "bob 2", "ann 1");
      }
    }
    try (EventReader again =
        EventReader.open(server, board + "/stream?top=3", "Last-Event-ID", lastId)) {
      again.board.addAll(List.of("bob 2", "ann 1"));
      again.next("leaderboard.resumed");
      // One after the other, as they happened.
      again.until("cid 3", "bob 2", "ann 1");
      again.until("cid 4", "bob 2", "ann 1");
      again.until("cid 5", "bob 2", "ann 1");
      lastId = again.lastId;
    }
    server = server.restart();
    api = Api.admin(server);
    try (EventReader same =
        EventReader.open(server, board + "/stream?top=3&lastEventId=" + lastId)) {
      // A file that was opened again may be another one, such as a backup.
      same.next("leaderboard.snapshot");
      score(board, "dee", 9);
      same.until("dee 9", "cid 5", "bob 2");
    }
    try (EventReader old =
        EventReader.open(server, board + "/stream?top=2", "Last-Event-ID", lastId)) {
      assertThat(old.next("leaderboard.snapshot").data().at("/resumed")).isEqualTo("false");
      assertThat(old.board).containsExactly("dee 9", "cid 5");
    }
  }

  @Test
  void stream_seasonEnds_goesOnWithTheNext() {
    String board = board("daily", "'windows':[{'schedule':'daily'}]");
    score(board, "ann", 5);
    String first = api.get(board + "/seasons").is(200).at("/seasons/0/instanceId");
    try (EventReader reader = EventReader.open(server, board + "/stream");
        EventReader fixed = EventReader.open(server, board + "/stream?season=" + first)) {
      reader.next("leaderboard.snapshot");
      fixed.next("leaderboard.snapshot");
      clock.set(Instant.parse("2026-11-15T12:00:00Z"));
      EventReader.Event change = reader.next("leaderboard.season");
      assertThat(change.data().at("/old/label")).isEqualTo("daily-2026-11-14-daily");
      assertThat(change.data().at("/new/label")).isEqualTo("daily-2026-11-15-daily");
      assertThat(change.data().at("/new/endsAt")).isEqualTo("2026-11-16T00:00:00Z");
      reader.next("leaderboard.snapshot");
      assertThat(reader.board).isEmpty();
      score(board, "bob", 1);
      reader.until("bob 1");
      assertThat(fixed.board).containsExactly("ann 5");
    }
  }

  @Test
  void stream_somebodyComesInBelowTheRange_tellsTheTotal() {
    String board = board("below");
    score(board, "ann", 30);
    try (EventReader reader = EventReader.open(server, board + "/stream?top=1")) {
      reader.next("leaderboard.snapshot");
      score(board, "bob", 20);
      EventReader.Event info = reader.next("leaderboard.info");
      assertThat(info.data().number("/total")).isEqualTo(2);
      assertThat(info.id()).isNotEmpty();
      try (EventReader again =
          EventReader.open(server, board + "/stream?top=1&lastEventId=" + info.id())) {
        again.next("leaderboard.resumed");
      }
    }
  }

  @Test
  void stream_seasonOrBoardEnds_tellsTheirStatus() {
    String board = board("ending", "'windows':[{'name':'d','schedule':'daily'}]");
    score(board, "ann", 5);
    String first = api.get(board + "/seasons").is(200).at("/seasons/0/instanceId");
    try (EventReader fixed = EventReader.open(server, board + "/stream?season=" + first);
        EventReader newest = EventReader.open(server, board + "/stream")) {
      EventReader.Event begin = fixed.next("leaderboard.snapshot");
      newest.next("leaderboard.snapshot");
      assertThat(begin.data().at("/status")).isEqualTo("ACTIVE");
      assertThat(begin.data().at("/season/status")).isEqualTo("ACTIVE");
      clock.set(Instant.parse("2026-11-15T12:00:00Z"));
      EventReader.Event over = fixed.next("leaderboard.info");
      assertThat(over.data().at("/season/status")).isEqualTo("COMPLETED");
      assertThat(over.data().at("/status")).isEqualTo("ACTIVE");
      assertThat(fixed.board).containsExactly("ann 5");
      newest.next("leaderboard.season");
      newest.next("leaderboard.snapshot");
      api.patch(board, "{'status':'PAUSED'}").is(200);
      assertThat(newest.next("leaderboard.info").data().at("/status")).isEqualTo("PAUSED");
      // Whoever comes back with the id of before hears of it as well.
      try (EventReader again =
          EventReader.open(
              server, board + "/stream?season=" + first + "&lastEventId=" + begin.id())) {
        EventReader.Event told = again.next();
        while (!told.name().equals("leaderboard.info")
            && !told.name().equals("leaderboard.snapshot")) {
          told = again.next();
        }
        assertThat(told.data().at("/season/status")).isEqualTo("COMPLETED");
      }
    }
  }

  @Test
  void stream_aroundAUserBeyondTheLastPlace_hasTheUsersOwnRow() {
    String board = board("few", "'windows':[{'name':'w','schedule':'all-time','capacity':2}]");
    score(board, "ann", 90);
    score(board, "bob", 80);
    score(board, "cid", 60);
    try (EventReader reader = EventReader.open(server, board + "/stream?user=cid&window=0")) {
      EventReader.Event first = reader.next("leaderboard.snapshot");
      assertThat(first.data().at("/user/userId")).isEqualTo("cid");
      assertThat(first.data().at("/user/score")).isEqualTo("60");
      assertThat(first.data().at("/user/outside")).isEqualTo("true");
      assertThat(first.data().json().at("/entries")).isEmpty();
      score(board, "cid", 70);
      assertThat(reader.next("leaderboard.snapshot").data().at("/user/score")).isEqualTo("70");
      score(board, "cid", 85);
      reader.until("cid 85");
    }
  }

  @Test
  void stream_capacityIsEdited_tellsThePlacesThatAreLeft() {
    String board =
        board("shrinking", "'windows':[{'name':'w','schedule':'all-time','capacity':4}]");
    score(board, "ann", 90);
    score(board, "bob", 80);
    score(board, "cid", 60);
    try (EventReader reader = EventReader.open(server, board + "/stream?top=5")) {
      reader.until("ann 90", "bob 80", "cid 60");
      api.put(board + "/windows/w", "{'schedule':'all-time','capacity':2}").is(200);
      reader.until("ann 90", "bob 80");
    }
  }

  @Test
  void head_ofAStream_isRefusedWhereTheStreamIs() {
    String board = board("headed");
    assertThat(head(board + "/stream")).isEqualTo(200);
    assertThat(head(board + "/stream?period=none")).isEqualTo(404);
    assertThat(head(board + "/stream?top=0")).isEqualTo(400);
  }

  private int head(String path) {
    return server.send(server.anonymous(path).method("HEAD", BodyPublishers.noBody())).statusCode();
  }

  @Test
  void close_socketThatNeitherReadsNorAnswers_isNotWaitedFor() throws Exception {
    String board = board("silent");
    score(board, "ann", 3);
    try (Socket socket = server.connect()) {
      String request =
          "GET "
              + board
              + "/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      Poll.until("it is open", () -> gauge("leaderboard_sse_clients").equals("1.0"));
      long begin = System.nanoTime();
      server.laurel().close();
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
    }
  }

  @Test
  void stream_ofDocument004_hasItsFields() {
    String board = board("global");
    score(board, "ann", 7);
    try (EventReader reader =
        EventReader.open(server, "/v1/stream/leaderboard?board=global&limit=5")) {
      // Its fields are not those that the reader keeps a board by.
      assertThat(snapshotOf004(reader)).isEqualTo("ann 7 1");
    }
    api.get("/v1/stream/leaderboard?limit=51").refused(400, "VALIDATION_ERROR");
  }

  private static String snapshotOf004(EventReader reader) {
    Answer data = reader.unread("leaderboard.snapshot");
    assertThat(data.at("/board")).isEqualTo("global");
    assertThat(data.at("/as_of")).isNotEmpty();
    return data.at("/entries/0/user_id")
        + " "
        + data.at("/entries/0/total")
        + " "
        + data.at("/entries/0/rank");
  }

  @Test
  void socket_sameEvents_asMessages() throws Exception {
    String board = board("global");
    score(board, "ann", 7);
    BlockingQueue<Answer> messages = new LinkedBlockingQueue<>();
    try (HttpClient client = HttpClient.newHttpClient()) {
      WebSocket socket = connect(client, "/v1/ws?board=global", messages);
      Answer snapshot = message(messages);
      assertThat(snapshot.at("/event")).isEqualTo("leaderboard.snapshot");
      assertThat(snapshot.at("/id")).isNotEmpty();
      assertThat(snapshot.at("/data/entries/0/user_id")).isEqualTo("ann");
      score(board, "ann", 9);
      Answer update = message(messages);
      assertThat(update.json().at("/data").toString())
          .isEqualTo("{\"user_id\":\"ann\",\"delta\":2,\"new_total\":9,\"rank\":1}");
      socket.sendText("whatever", true).join();
      score(board, "ann", 10);
      assertThat(message(messages).at("/data/new_total")).isEqualTo("10");
      assertThat(gauge("leaderboard_sse_clients")).isEqualTo("1.0");
      socket.sendClose(1000, "").join();
      Poll.until("the place is free", () -> gauge("leaderboard_sse_clients").equals("0.0"));

      WebSocket ofTheBoard = connect(client, board + "/stream?top=3", messages);
      assertThat(message(messages).at("/data/leaderboardId")).isEqualTo("global");
      ofTheBoard.abort();
      Poll.until("the connection is gone", () -> gauge("leaderboard_sse_clients").equals("0.0"));
    }
    // Those of the clients that ask.
    Poll.until("no connection is left", () -> gauge("laurel_http_connections").equals("1.0"));
    api.get("/v1/ws").refused(400, "VALIDATION_ERROR");
  }

  private WebSocket connect(HttpClient client, String path, BlockingQueue<Answer> messages) {
    return client
        .newWebSocketBuilder()
        .buildAsync(
            URI.create("ws://127.0.0.1:" + server.port() + path),
            new WebSocket.Listener() {
              private final StringBuilder text = new StringBuilder();

              @Override
              public @Nullable CompletionStage<?> onText(
                  WebSocket socket, CharSequence data, boolean last) {
                text.append(data);
                if (last) {
                  messages.add(
                      Answer.of(
                          200,
                          java.net.http.HttpHeaders.of(java.util.Map.of(), (_, _) -> true),
                          text.toString()));
                  text.setLength(0);
                }
                socket.request(1);
                return null;
              }
            })
        .join();
  }

  private static Answer message(BlockingQueue<Answer> messages) throws InterruptedException {
    Answer message = messages.poll(2, TimeUnit.MINUTES);
    assertThat(message).isNotNull();
    return message;
  }

  @Test
  void stream_oldHttp_endsWithTheConnection() throws Exception {
    String board = board("old");
    score(board, "ann", 3);
    try (Socket socket = server.connect()) {
      socket
          .getOutputStream()
          .write(("GET " + board + "/stream HTTP/1.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      StringBuilder text = new StringBuilder();
      byte[] some = new byte[4096];
      while (text.indexOf("ann") < 0) {
        int n = socket.getInputStream().read(some);
        assertThat(n).as(text.toString()).isPositive();
        text.append(new String(some, 0, n, StandardCharsets.UTF_8));
      }
      assertThat(text.toString())
          .doesNotContain("chunked")
          .contains("\r\n\r\nretry: 2000\n\nid: ")
          .contains("event: leaderboard.snapshot\ndata: {");
    }
  }

  @Test
  void stream_wrongQuestions_areRefusedByName() {
    String board = board("asked");
    api.get(board + "/stream?top=101").refused(400, "VALIDATION_ERROR");
    api.get(board + "/stream?top=5&user=ann").refused(400, "VALIDATION_ERROR");
    api.get(board + "/stream?window=5").refused(400, "VALIDATION_ERROR");
    api.get(board + "/stream?period=hourly").refused(404, "PERIOD_NOT_FOUND");
    api.get(board + "/stream?season=previous").refused(404, "SEASON_NOT_FOUND");
    api.get(Api.BOARDS + "/nothing/stream").refused(404, "BOARD_NOT_FOUND");
  }
}
