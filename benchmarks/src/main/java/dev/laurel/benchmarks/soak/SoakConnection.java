package dev.laurel.benchmarks.soak;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection to a server on this machine, with the admin key. For one thread. */
final class SoakConnection implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;
  private final InputStream in;
  private boolean closing;

  SoakConnection(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  record Answer(int status, String body) {}

  Answer call(String method, String path, String body) throws IOException {
    return call(method, path, "", SoakServer.ascii(body));
  }

  /**
   * @param headers each with its line end
   */
  Answer call(String method, String path, String headers, byte[] body) throws IOException {
    String head =
        "%s %s HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\n%s"
                .formatted(method, path, SoakServer.KEY, headers)
            + (body.length == 0
                ? ""
                : "Content-Type: application/json\r\nContent-Length: %d\r\n"
                    .formatted(body.length));
    send(SoakServer.ascii(head + "\r\n"));
    try {
      send(body);
    } catch (IOException e) {
      // Refused before it was all sent; the answer may be there nevertheless.
      closing = true;
    }
    return answer();
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  Answer answer() throws IOException {
    String status = line();
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length: ")) {
        length = Integer.parseInt(line.substring(16));
      }
      closing |= lower.equals("connection: close");
    }
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Answer(Integer.parseInt(status.substring(9, 12)), body);
  }

  /** Whether no other request can follow. */
  boolean isClosing() {
    return closing;
  }

  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("closed");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Takes what comes until the other side closes, or nothing comes for long. */
  long drain() throws IOException {
    byte[] some = new byte[8192];
    long sum = 0;
    for (int n = in.read(some); n >= 0; n = in.read(some)) {
      sum += n;
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
