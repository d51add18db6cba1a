package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Answers that are made while they are sent. */
class BodyStreamTest {
  private static final int PIECE = 65_536;
  private static final long ALL = 2048L * PIECE;

  /** What the kernel may hold on both sides of a connection, and some. */
  private static final long BOUND = 32L << 20;

  private final AtomicLong made = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  private void endless(Exchange exchange) {
    BodyStream out = exchange.stream("text/plain");
    while (made.get() < ALL) {
      made.addAndGet(PIECE);
      if (!out.write(new byte[PIECE], PIECE)) {
        refused.incrementAndGet();
        return;
      }
    }
    out.end();
  }

  private TestServer start() {
    return TestServer.start(
        settings -> settings,
        table -> table.get("/endless", Kind.BLOCKING, Access.PUBLIC, this::endless));
  }

  private static void ask(Socket socket) throws IOException {
    socket
        .getOutputStream()
        .write(
            "GET /endless HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void write_toASlowReader_isNeverFarAhead() throws IOException {
    try (TestServer server = start();
        Socket socket = server.connect()) {
      ask(socket);
      InputStream in = socket.getInputStream();
      byte[] some = new byte[PIECE];
      long read = 0;
      for (int n = in.read(some); n >= 0; n = in.read(some)) {
        read += n;
        assertThat(made.get() - read).isLessThan(BOUND);
      }
      assertThat(read).isGreaterThan(ALL);
    }
  }

  @Test
  void write_afterTheReaderHasGone_saysSo() throws IOException {
    try (TestServer server = start()) {
      try (Socket socket = server.connect()) {
        ask(socket);
        assertThat(socket.getInputStream().readNBytes(100)).hasSize(100);
      }
      Poll.until("the handler knows", () -> refused.get() == 1);
      assertThat(made.get()).isLessThan(ALL);
    }
  }
}
