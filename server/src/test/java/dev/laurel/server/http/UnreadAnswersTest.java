package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers who ask and do not read: what waits for them in memory is bounded. */
class UnreadAnswersTest {
  /** More than the buffers of two sockets take. */
  private static final int LARGE = 24 << 20;

  private static final int MANY = 300;
  private static final int EACH = 100_000;

  private final CountDownLatch asked = new CountDownLatch(3);
  private final CountDownLatch begin = new CountDownLatch(1);
  private final CountDownLatch made = new CountDownLatch(3);
  private final CountDownLatch free = new CountDownLatch(1);

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @BeforeEach
  void start() {
    server =
        TestServer.start(
            s -> s.with(Settings.ANSWER_MEGABYTES, "1").with(Settings.EVENT_LOOPS, "1"),
            table ->
                table
                    .get("/t/large", Kind.HOT, Access.PUBLIC, e -> say(e, LARGE))
                    .get("/t/each", Kind.HOT, Access.PUBLIC, e -> say(e, EACH))
                    .get("/t/busy", Kind.HOT, Access.PUBLIC, this::keepTheLoopBusy)
                    .get("/t/made", Kind.BLOCKING, Access.PUBLIC, this::sayLater));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void say(Exchange exchange, int length) {
    exchange.json(new JsonOut(length + 8).string("~".repeat(length)));
  }

  private void keepTheLoopBusy(Exchange exchange) throws InterruptedException {
    begin.countDown();
    free.await();
    say(exchange, 1);
  }

  private void sayLater(Exchange exchange) throws InterruptedException {
    asked.countDown();
    begin.await();
    say(exchange, 2 << 20);
    made.countDown();
  }

  private Socket ask(String path, int times) throws IOException {
    Socket socket = server.connect();
    socket
        .getOutputStream()
        .write(
            "GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
                .formatted(path)
                .repeat(times)
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** How many of these letters come before the connection ends or all are there. */
  private static long read(Socket socket, long wanted) {
    long found = 0;
    byte[] buffer = new byte[1 << 16];
    try {
      InputStream in = socket.getInputStream();
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        for (int i = 0; i < n; i++) {
          found += buffer[i] == '~' ? 1 : 0;
        }
        if (found >= wanted) {
          break;
        }
      }
    } catch (IOException e) {
      // Closed by the server with answers on their way.
    }
    return found;
  }

  private double metric(String name) {
    return server
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  @Test
  void answers_whichNobodyReads_endTheConnectionThatWaitsLongest() throws IOException {
    try (Socket first = ask("/t/large", 1)) {
      Poll.until("the first waits", () -> metric("laurel_http_unread_bytes") > 0);
      assertThat(metric("laurel_http_unread_closed_total")).as("alone").isZero();
      try (Socket second = ask("/t/large", 1)) {
        Poll.until("the first ends", () -> metric("laurel_http_unread_closed_total") == 1);
        assertThat(read(first, LARGE)).isLessThan(LARGE);
        assertThat(read(second, LARGE)).isEqualTo(LARGE);
      }
    }
    Poll.until("nothing waits", () -> metric("laurel_http_unread_bytes") == 0);
  }

  /** The loop is busy, and those who made the answers are not. */
  @Test
  void answers_madeFasterThanTheyAreSent_areNotKeptInMemory() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        sockets.add(ask("/t/made", 1));
      }
      asked.await();
      sockets.add(ask("/t/busy", 1));
      made.await();
      free.countDown();
      List<String> heads = new ArrayList<>();
      for (Socket socket : sockets) {
        heads.add(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII));
      }
      assertThat(heads)
          .containsExactlyInAnyOrder(
              "HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 503", "HTTP/1.1 503");
    } finally {
      free.countDown();
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void requests_pipelinedByACallerWhoReadsLater_areAllAnswered() throws IOException {
    try (Socket socket = ask("/t/each", MANY)) {
      Poll.until("answers wait", () -> metric("laurel_http_unread_bytes") > 0);
      assertThat(metric("laurel_http_unread_bytes")).isLessThan(1 << 20);
      assertThat(read(socket, (long) MANY * EACH)).isEqualTo((long) MANY * EACH);
    }
  }
}
