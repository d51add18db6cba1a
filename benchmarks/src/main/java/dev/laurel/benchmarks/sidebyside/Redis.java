package dev.laurel.benchmarks.sidebyside;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Debian's redis-server, in memory only, with the board twice: once for each form of ids. */
final class Redis {
  /** The board behind the thin services. */
  static final String BOARD = "bench";

  /** The board that redis-benchmark asks. */
  static final String RAW = "raw";

  private static final int BATCH = 1000;
  private static final Pattern RATE = Pattern.compile("\",\"([0-9.]+)\"");
  private static final Pattern MEMORY = Pattern.compile("used_memory:(\\d+)");

  private final Children children;
  private final int port;
  private final double bytesPerMember;

  private Redis(Children children, int port, double bytesPerMember) {
    this.children = children;
    this.port = port;
    this.bytesPerMember = bytesPerMember;
  }

  static Redis start(Children children, Users users) {
    int port = Children.freePort();
    List<String> command =
        List.of(
            "redis-server",
            "--port",
            "" + port,
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            children.folder().toString());
    children.start("redis", command, children.folder(), Map.of(), _ -> answers(port));
    try (Connection connection = new Connection(port)) {
      long before = connection.usedMemory();
      connection.load(BOARD, users, Users::id);
      double each = (double) (connection.usedMemory() - before) / users.count();
      connection.load(RAW, users, Users::rawId);
      return new Redis(children, port, each);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  /** Of the board with ids of 11 bytes. */
  double bytesPerMember() {
    return bytesPerMember;
  }

  long usedMemory() {
    try (Connection connection = new Connection(port)) {
      return connection.usedMemory();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Requests a second by redis-benchmark with 64 connections and random members. */
  double benchmark(int users, long requests, int pipeline, String... command) {
    String[] fixed = {
      "redis-benchmark",
      "-h",
      "127.0.0.1",
      "-p",
      "" + port,
      "-c",
      "64",
      "-r",
      "" + users,
      "-n",
      "" + requests,
      "-P",
      "" + pipeline,
      "--csv"
    };
    List<String> all = new java.util.ArrayList<>(List.of(fixed));
    all.addAll(List.of(command));
    String output = children.run(all);
    Matcher found = RATE.matcher(output);
    if (!found.find()) {
      throw new IllegalStateException("redis-benchmark: " + output);
    }
    return Double.parseDouble(found.group(1));
  }

  private static boolean answers(int port) {
    try (Connection connection = new Connection(port)) {
      return connection.call("PING").equals("+PONG");
    } catch (IOException e) {
      return false;
    }
  }

  /** Enough of the protocol to load a board. */
  private static final class Connection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Connection(int port) throws IOException {
      socket = new Socket("127.0.0.1", port);
      in = new BufferedInputStream(socket.getInputStream());
      out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
    }

    void load(String key, Users users, IntFunction<String> id) throws IOException {
      for (int from = 0; from < users.count(); from += BATCH) {
        int to = Math.min(users.count(), from + BATCH);
        String[] command = new String[2 + 2 * (to - from)];
        command[0] = "ZADD";
        command[1] = key;
        for (int user = from, at = 2; user < to; user++) {
          command[at++] = Integer.toString(users.scores()[user]);
          command[at++] = id.apply(user);
        }
        String reply = call(command);
        if (!reply.equals(":" + (to - from))) {
          throw new IllegalStateException("ZADD: " + reply);
        }
      }
    }

    long usedMemory() throws IOException {
      Matcher found = MEMORY.matcher(call("INFO", "memory"));
      if (!found.find()) {
        throw new IllegalStateException("INFO memory has no used_memory");
      }
      return Long.parseLong(found.group(1));
    }

    /** The first line of the reply, and of a bulk reply the content. */
    String call(String... command) throws IOException {
      StringBuilder text = new StringBuilder().append('*').append(command.length).append("\r\n");
      for (String part : command) {
        text.append('$').append(part.length()).append("\r\n").append(part).append("\r\n");
      }
      out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
      out.flush();
      String line = line();
      if (!line.startsWith("$")) {
        return line;
      }
      int length = Integer.parseInt(line.substring(1));
      return new String(in.readNBytes(length + 2), StandardCharsets.US_ASCII);
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c != '\r'; c = in.read()) {
        if (c < 0) {
          throw new IOException("Redis closed the connection");
        }
        line.append((char) c);
      }
      in.read();
      return line.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
