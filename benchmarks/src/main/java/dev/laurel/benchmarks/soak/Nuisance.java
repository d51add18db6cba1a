package dev.laurel.benchmarks.soak;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Callers who do not behave: bad requests, bodies that do not end, streams that come and go. */
record Nuisance(int port, Counts counts) {
  private static final int BODY = 1 << 20;
  private static final long BODY_HELD_MILLIS = 20_000;
  private static final long STREAM_MILLIS = 60_000;

  private static final List<String> BAD =
      List.of(
          "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n",
          "GET /api/v1/keys HTTP/1.1\r\nHost: x\r\nX-API-Key: wrong\r\n\r\n",
          "PUT /api/v1/leaderboards/soak/users/u1 HTTP/1.1\r\nHost: x\r\nX-API-Key: "
              + SoakServer.KEY
              + "\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{\"score\":",
          "POST /api/v1/leaderboards/soak/scores HTTP/1.1\r\nHost: x\r\nX-API-Key: "
              + SoakServer.KEY
              + "\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{",
          "POST /api/v1/leaderboards/soak/scores HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n{}",
          "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
          "nonsense\r\n\r\n",
          "GET /" + "a".repeat(9000) + " HTTP/1.1\r\nHost: x\r\n\r\n");

  void badRequest() throws IOException {
    try (SoakConnection connection = new SoakConnection(port)) {
      connection.send(SoakServer.ascii(BAD.get(ThreadLocalRandom.current().nextInt(BAD.size()))));
      counts.answered(connection.answer().status());
    }
  }

  /** Some of them without a key. */
  void unfinishedBody() throws IOException {
    boolean known = ThreadLocalRandom.current().nextInt(3) > 0;
    try (SoakConnection connection = new SoakConnection(port)) {
      connection.send(
          SoakServer.ascii(
              "POST /api/v1/leaderboards/soak/ranks HTTP/1.1\r\nHost: x\r\n"
                  + (known ? "X-API-Key: " + SoakServer.KEY + "\r\n" : "")
                  + "Content-Type: application/json\r\nContent-Length: "
                  + BODY
                  + "\r\n\r\n"));
      connection.send(SoakServer.ascii(" ".repeat(BODY - 1)));
      long deadline = System.currentTimeMillis() + BODY_HELD_MILLIS;
      counts.answered(connection.answer().status());
      SoakLoad.pause(Math.max(0, deadline - System.currentTimeMillis()));
    }
  }

  /** Somebody who watches for a minute. */
  void watch() throws IOException {
    boolean socket = ThreadLocalRandom.current().nextInt(4) == 0;
    try (SoakConnection connection = new SoakConnection(port)) {
      connection.send(
          SoakServer.ascii(
              "GET /api/v1/leaderboards/soak/stream HTTP/1.1\r\nHost: x\r\n"
                  + (socket
                      ? "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
                      : "Accept: text/event-stream\r\n\r\n")));
      String status = connection.line();
      counts.answered(Integer.parseInt(status.substring(9, 12)));
      Thread.ofVirtual()
          .start(
              () -> {
                SoakLoad.pause(STREAM_MILLIS);
                try {
                  connection.close();
                } catch (IOException e) {
                  // Gone already.
                }
              });
      try {
        connection.drain();
      } catch (IOException e) {
        // The minute is over.
      }
    }
  }
}
