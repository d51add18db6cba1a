package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who may watch, how many, and when it is over. */
class LiveAccessTest extends LiveServer {
  @Test
  void stream_privateBoard_isForKeysAndTickets() {
    String board = api.board("secret");
    score(board, "ann", 7);
    Api.anonymous(server).get(board + "/stream").refused(401, "UNAUTHENTICATED");
    Api.anonymous(server).post(board + "/tickets", "").refused(401, "UNAUTHENTICATED");
    String key = api.secret("reader", "read");
    try (EventReader reader = EventReader.open(server, board + "/stream", "X-API-Key", key)) {
      reader.next("leaderboard.snapshot");
    }
    Answer issued = api.post(board + "/tickets", "").is(201);
    assertThat(issued.at("/expiresAt")).isEqualTo(clock.instant().plusSeconds(60).toString());
    String ticket = issued.at("/ticket");
    String stream = board + "/stream?ticket=";
    try (EventReader reader = EventReader.open(server, stream + ticket)) {
      reader.next("leaderboard.snapshot");
      reader.until("ann 7");
    }
    Api nobody = Api.anonymous(server);
    String other = api.board("other");
    nobody.get(other + "/stream?ticket=" + ticket).refused(401, "UNAUTHENTICATED");
    char last = ticket.charAt(ticket.length() - 5);
    String forged =
        ticket.substring(0, ticket.length() - 5)
            + (last == 'A' ? 'B' : 'A')
            + ticket.substring(ticket.length() - 4);
    nobody.get(stream + forged).refused(401, "UNAUTHENTICATED");
    nobody.get(stream + "nonsense").refused(401, "UNAUTHENTICATED");
    server = server.restart();
    try (EventReader reader = EventReader.open(server, stream + ticket)) {
      reader.next("leaderboard.snapshot");
    }
    clock.turn(Duration.ofSeconds(61));
    Api.anonymous(server).get(stream + ticket).refused(401, "UNAUTHENTICATED");
  }

  @Test
  void streams_switchedOff_areRefusedAndReadsGoOn() {
    try (TestServer off = TestServer.start(s -> s.with(Settings.STREAMS, "false"), _ -> {})) {
      Api admin = Api.admin(off);
      String quiet = admin.board("quiet", "'visibility':'PUBLIC'");
      admin.score(quiet, "ann", "'score':1").is(200);
      Api nobody = Api.anonymous(off);
      for (String path : new String[] {quiet + "/stream", "/v1/stream/leaderboard", "/v1/ws"}) {
        Answer refused = nobody.get(path).refused(503, "STREAMS_DISABLED");
        assertThat(refused.header("Retry-After")).isNotEmpty();
      }
      admin.post(quiet + "/tickets", "").refused(503, "STREAMS_DISABLED");
      admin.post("/api/v1/stream", "{'watch':[{'UUID':'quiet'}]}").refused(503, "STREAMS_DISABLED");
      nobody.get(quiet + "/top?limit=1").is(200);
    }
  }

  @Test
  void stream_boardBecomesPrivate_ends() {
    String board = board("open");
    try (EventReader reader = EventReader.open(server, board + "/stream")) {
      reader.next("leaderboard.snapshot");
      api.patch(board, "{'visibility':'PRIVATE'}").is(200);
      reader.end();
    }
  }

  @Test
  void stream_tooManyFromOneAddress_isRefused() {
    String board = board("crowd");
    EventReader[] readers = new EventReader[5];
    for (int i = 0; i < readers.length; i++) {
      readers[i] = EventReader.open(server, board + "/stream");
    }
    Answer refused = api.get(board + "/stream").refused(429, "RATE_LIMITED");
    assertThat(refused.header("Retry-After")).isNotEmpty();
    readers[0].close();
    Poll.until("a place is free", () -> gauge("leaderboard_sse_clients").equals("4.0"));
    try (EventReader reader = EventReader.open(server, board + "/stream")) {
      reader.next("leaderboard.snapshot");
    }
    for (EventReader reader : readers) {
      reader.close();
    }
  }

  @Test
  void stream_slowReader_isDroppedAndOthersGoOn() throws Exception {
    String board = board("slow");
    StringBuilder scores = new StringBuilder("{'scores':[");
    for (int i = 0; i < 100; i++) {
      String id = "player-with-a-long-name-".repeat(4) + i;
      scores.append(i == 0 ? "" : ",").append("{'userId':'").append(id).append("','score':%d}");
    }
    String batch = scores.append("]}").toString();
    try (Socket slow = new Socket();
        EventReader steady = EventReader.open(server, board + "/stream?top=1")) {
      slow.setReceiveBufferSize(4096);
      slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      slow.getOutputStream()
          .write(
              ("GET " + board + "/stream?top=100 HTTP/1.1\r\nHost: x\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      Poll.until("both watch", () -> gauge("leaderboard_sse_clients").equals("2.0"));
      steady.next("leaderboard.snapshot");
      long[] round = {1};
      Poll.until(
          "the slow one is dropped",
          () -> {
            clock.turn(Duration.ofMillis(1));
            api.post(board + "/scores", batch.replace("%d", "" + round[0]++)).is(200);
            return gauge("laurel_live_dropped_total").equals("1.0");
          });
      Poll.until("its place is free", () -> gauge("leaderboard_sse_clients").equals("1.0"));
      score(board, "ann", 1_000_000);
      steady.until("ann 1000000");
      InputStream rest = slow.getInputStream();
      byte[] some = new byte[8192];
      try {
        int read;
        do {
          read = rest.read(some);
        } while (read >= 0);
      } catch (java.net.SocketException e) {
        assertThat(e).hasMessageContaining("reset");
      }
    }
  }

  @Test
  void close_openStreams_endWithATimeToComeBack() {
    EventReader reader = EventReader.open(server, board("stop") + "/stream");
    reader.next("leaderboard.snapshot");
    long begin = System.nanoTime();
    server = server.restart();
    reader.end();
    assertThat(reader.retries).hasSize(2);
    assertThat(reader.retries.getLast()).isBetween(1000, 6000);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SHUTDOWN.dividedBy(2));
    reader.close();
  }
}
