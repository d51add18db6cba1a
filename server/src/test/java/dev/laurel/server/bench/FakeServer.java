package dev.laurel.server.bench;

import dev.laurel.server.client.ClientTls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

/** Answers rank requests, all of them late during a stall, or with whatever a test wants. */
final class FakeServer implements AutoCloseable {
  static final String RANK = answer("200 OK", "{\"rank\":1}");

  private final ServerSocket socket;
  private final LongFunction<String> answers;
  private final long stallAt;
  private final Duration stall;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong stalledUntil = new AtomicLong();

  /**
   * @param answers by the number of the request, from 1 on; an empty one closes the connection
   * @param stallAt the request that begins the stall
   */
  FakeServer(LongFunction<String> answers, long stallAt, Duration stall) {
    this.answers = answers;
    this.stallAt = stallAt;
    this.stall = stall;
    try {
      socket = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  static FakeServer answering(LongFunction<String> answers) {
    return new FakeServer(answers, -1, Duration.ZERO);
  }

  static String answer(String status, String body) {
    return "HTTP/1.1 %s\r\nContent-Length: %d\r\nx-other: y\r\n\r\n%s"
        .formatted(status, body.length(), body);
  }

  Target target() {
    return target(socket.getLocalPort());
  }

  static Target target(int port) {
    return Target.of("http://127.0.0.1:" + port, null, "board", ClientTls.USUAL);
  }

  long requests() {
    return requests.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = socket.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.isEmpty()) {
          String answer = answers.apply(arrived());
          if (answer.isEmpty()) {
            return;
          }
          connection.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException e) {
      // The client went away.
    }
  }

  /** Returns when the server is not stalled. */
  private long arrived() {
    long number = requests.incrementAndGet();
    long now = System.nanoTime();
    if (number == stallAt) {
      stalledUntil.set(now + stall.toNanos());
    }
    while (stalledUntil.get() != 0 && stalledUntil.get() - System.nanoTime() > 0) {
      LockSupport.parkNanos(stalledUntil.get() - System.nanoTime());
    }
    return number;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
