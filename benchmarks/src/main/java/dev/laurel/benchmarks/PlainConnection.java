package dev.laurel.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection for plain requests, with the admin key of what is measured. For one thread. */
final class PlainConnection implements AutoCloseable {
  static final String KEY = "benchmark-admin-key-1";

  private final Socket socket;
  private final InputStream in;

  PlainConnection(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(30_000);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** What came back. */
  record Reply(int status, String body) {}

  void call(String method, String path, String body) throws IOException {
    Reply reply = ask(method, path, body);
    if (reply.status / 100 != 2) {
      throw new IOException(reply.toString());
    }
  }

  Reply ask(String method, String path, String body) throws IOException {
    String head =
        "%s %s HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\n".formatted(method, path, KEY)
            + (body.isEmpty()
                ? ""
                : "Content-Type: application/json\r\nContent-Length: %d\r\n"
                    .formatted(body.length()));
    socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.US_ASCII));
    String status = line();
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
        length = Integer.parseInt(line.substring(16));
      }
    }
    return new Reply(
        Integer.parseInt(status.substring(9, 12)),
        new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  private String line() throws IOException {
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

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
