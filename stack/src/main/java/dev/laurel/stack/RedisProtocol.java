package dev.laurel.stack;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** As much of Redis' protocol as it takes to tell a server of ours something. */
final class RedisProtocol {
  private static final int TIMEOUT_MILLIS = 5000;

  private RedisProtocol() {}

  static String call(int port, String... command) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      StringBuilder text = new StringBuilder().append('*').append(command.length).append("\r\n");
      for (String part : command) {
        int length = part.getBytes(StandardCharsets.UTF_8).length;
        text.append('$').append(length).append("\r\n").append(part).append("\r\n");
      }
      socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
      return reply(new BufferedInputStream(socket.getInputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String reply(InputStream in) throws IOException {
    String line = line(in);
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '-' -> throw new IllegalStateException(rest);
      case '$' -> {
        int length = Integer.parseInt(rest);
        yield length < 0
            ? ""
            : new String(in.readNBytes(length + 2), StandardCharsets.UTF_8).substring(0, length);
      }
      case '*' -> {
        List<String> parts = new ArrayList<>();
        for (int i = Integer.parseInt(rest); i > 0; i--) {
          parts.add(reply(in));
        }
        yield String.join("\n", parts);
      }
      default -> rest;
    };
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\r'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the server closed the connection");
      }
      line.append((char) c);
    }
    in.read();
    return line.toString();
  }
}
