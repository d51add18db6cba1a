package dev.laurel.benchmarks.attacks;

import dev.laurel.benchmarks.soak.SoakServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection to the server, on which anything can be sent. For one thread. */
final class Wire implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket = new Socket();
  private final InputStream in;
  private boolean closing;

  /**
   * @param from the address of the caller, on this machine
   */
  Wire(String from, int port) throws IOException {
    socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  record Answer(int status, String body) {}

  static String head(String method, String path, String key, int length) {
    return "%s %s HTTP/1.1\r\nHost: x\r\n".formatted(method, path)
        + (key.isEmpty() ? "" : "X-API-Key: " + key + "\r\n")
        + (length == 0
            ? "\r\n"
            : "Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n");
  }

  Answer call(String method, String path, String key, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    send(head(method, path, key, body.length));
    try {
      socket.getOutputStream().write(body);
    } catch (IOException e) {
      closing = true; // refused before all of it was sent; the answer may be there
    }
    return answer();
  }

  void send(String ascii) throws IOException {
    send(SoakServer.ascii(ascii));
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Its body only if it has a length. */
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
    return new Answer(
        Integer.parseInt(status.substring(9, 12)),
        new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  /** Some bytes of whatever comes; -1 at the end. */
  int take(byte[] some) throws IOException {
    return in.read(some);
  }

  boolean isClosing() {
    return closing;
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
