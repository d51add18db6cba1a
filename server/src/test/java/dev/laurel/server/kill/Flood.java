package dev.laurel.server.kill;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** Raw connections to a server on this machine, many at once, and what became of them. */
final class Flood {
  private static final int PATIENCE_MILLIS = 60_000;

  private final int port;
  final AtomicInteger accepted = new AtomicInteger();
  final AtomicInteger overloaded = new AtomicInteger();

  /** No answer came: what was sent may have been applied. */
  final AtomicInteger unknown = new AtomicInteger();

  final AtomicInteger other = new AtomicInteger();

  Flood(String url) {
    this.port = URI.create(url).getPort();
  }

  Socket connect() throws IOException {
    Socket socket = new Socket();
    // As much as an impatient machine lets wait; the default of the test's own is no subject here.
    socket.connect(
        new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  static String head(String method, String path, boolean known, int length) {
    return "%s %s HTTP/1.1\r\nHost: x\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        .formatted(
            method, path, known ? "X-API-Key: " + LaurelProcess.ADMIN_KEY + "\r\n" : "", length);
  }

  /** Sends one request on a connection of its own, and counts its answer. */
  void send(String head, byte[] body) {
    String answer;
    try (Socket socket = connect()) {
      try {
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(body);
      } catch (IOException e) {
        // Refused before it was all sent; the answer may be there nevertheless.
      }
      answer = head(socket.getInputStream());
    } catch (IOException e) {
      answer = "";
    }
    if (answer.startsWith("HTTP/1.1 200 ")) {
      accepted.incrementAndGet();
    } else if (answer.startsWith("HTTP/1.1 503 ") && answer.contains("retry-after: ")) {
      overloaded.incrementAndGet();
    } else if (answer.isEmpty()) {
      unknown.incrementAndGet();
    } else {
      other.incrementAndGet();
    }
  }

  /** The head of an answer; empty if none came. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    byte[] some = new byte[2048];
    for (int n = in.read(some); n >= 0; n = in.read(some)) {
      head.append(new String(some, 0, n, StandardCharsets.ISO_8859_1));
      if (head.indexOf("\r\n\r\n") >= 0) {
        return head.toString();
      }
    }
    return "";
  }

  @Override
  public String toString() {
    return "%d accepted, %d overloaded, %d without an answer, %d other"
        .formatted(accepted.get(), overloaded.get(), unknown.get(), other.get());
  }

  /** Asks a server how it is, all the time, and keeps the longest it took. */
  static final class Probe implements AutoCloseable {
    private final Callable<Integer> ask;
    private final Thread thread;
    private volatile boolean over;
    private volatile long longestNanos;
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();

    /**
     * @param ask for the status of an answer
     */
    Probe(Callable<Integer> ask) {
      this.ask = ask;
      this.thread = Thread.ofPlatform().daemon().start(this::run);
    }

    private void run() {
      while (!over) {
        long start = System.nanoTime();
        try {
          if (ask.call() != 200) {
            failed.incrementAndGet();
          }
        } catch (Exception e) {
          failed.incrementAndGet();
        }
        asked.incrementAndGet();
        longestNanos = Math.max(longestNanos, System.nanoTime() - start);
      }
    }

    int failed() {
      return failed.get();
    }

    @Override
    public void close() {
      over = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public String toString() {
      return "%d probes, %d failed, the longest took %d ms"
          .formatted(asked.get(), failed.get(), longestNanos / 1_000_000);
    }
  }
}
