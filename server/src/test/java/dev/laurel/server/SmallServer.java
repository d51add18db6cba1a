package dev.laurel.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server with a small heap: a process of its own, of the classes that the test has. */
public final class SmallServer implements Reachable, AutoCloseable {
  private static final int STOP_SECONDS = 60;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path folder;
  private final Process process;
  private final int port;

  private SmallServer(Path folder, Process process, int port) {
    this.folder = folder;
    this.process = process;
    this.port = port;
  }

  /**
   * @param options of {@code laurel serve}, beside the port and the data folder
   */
  public static SmallServer start(int heapMegabytes, Path folder, List<String> options)
      throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx" + heapMegabytes + "m",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+UseG1GC",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            "dev.laurel.server.Main",
            "serve",
            "--port",
            Integer.toString(port),
            "--data",
            folder.resolve("data").toString()));
    command.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LAUREL_ADMIN_KEY", TestServer.ADMIN_KEY);
    builder.directory(folder.toFile()).redirectOutput(folder.resolve("log").toFile());
    SmallServer server = new SmallServer(folder, builder.start(), port);
    Poll.until(
        "it is ready",
        () -> {
          if (!server.isAlive()) {
            throw new AssertionError(server.log());
          }
          return server.isReady();
        });
    return server;
  }

  private boolean isReady() {
    try {
      return send(anonymous("/api/v1/ready")).statusCode() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** What it has said. */
  public String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public HttpRequest.Builder anonymous(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofMinutes(2));
  }

  @Override
  public HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), TestServer::body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(120_000);
    socket.setTcpNoDelay(true);
    return socket;
  }

  @Override
  public void close() {
    client.close();
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
