package dev.laurel.server;

import dev.laurel.core.time.TimeSource;
import dev.laurel.server.client.ClientTls;
import dev.laurel.server.http.RouteTable;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A real server on a free port with a data folder of its own, and two ways to talk to it. */
public final class TestServer implements Reachable, AutoCloseable {
  public static final String ADMIN_KEY = "test-admin-key-0123456789";

  private final Path folder;
  private final Configuration settings;
  private final Laurel laurel;
  private final TimeSource clock;
  private final HttpClient client;

  private TestServer(Path folder, Configuration settings, Laurel laurel, TimeSource clock) {
    // A certificate without an authority behind it is its own.
    this.client = ClientTls.of(settings.find(Settings.TLS_CERT), null, null).client();
    this.folder = folder;
    this.settings = settings;
    this.laurel = laurel;
    this.clock = clock;
  }

  public static TestServer start() {
    return start(settings -> settings, _ -> {});
  }

  /** With a clock to turn by hand. */
  public static TestServer start(TimeSource clock) {
    return start(settings -> settings, clock, _ -> {});
  }

  public static TestServer start(
      UnaryOperator<Configuration> settings, Consumer<RouteTable> moreRoutes) {
    return start(settings, TimeSource.system(), moreRoutes);
  }

  public static TestServer start(
      UnaryOperator<Configuration> settings, TimeSource clock, Consumer<RouteTable> moreRoutes) {
    try {
      Path folder = Files.createTempDirectory("laurel-test");
      Configuration base =
          Configuration.defaults()
              .with(Settings.PORT, "0")
              .with(Settings.DATA, folder.toString())
              .with(Settings.ADMIN_KEY, ADMIN_KEY)
              // Receivers of webhooks and issuers are on this machine.
              .with(Settings.WEBHOOK_PRIVATE, "allow")
              // Tests call more often than people do.
              .with(Settings.ADDRESS_RATE, "0")
              .with(Settings.ADDRESS_READ_RATE, "0")
              .with(Settings.USER_RATE, "0")
              .with(Settings.AWARD_RATE, "0")
              // The machine may be busy.
              .with(Settings.AWARD_SLOW_MILLIS, "60000");
      return start(folder, settings.apply(base), clock, moreRoutes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TestServer start(
      Path folder, Configuration settings, TimeSource clock, Consumer<RouteTable> moreRoutes)
      throws IOException {
    try {
      return new TestServer(folder, settings, Laurel.start(settings, clock, moreRoutes), clock);
    } catch (RuntimeException e) {
      remove(folder); // a test may want that it does not start
      throw e;
    }
  }

  /** Stops it, and starts another one on the same data, port and clock. */
  public TestServer restart() {
    return restart(() -> {});
  }

  /** The same with something that happens in between. */
  public TestServer restart(Runnable between) {
    return restart(
        settings -> {
          between.run();
          return settings;
        });
  }

  /** The same with other settings. */
  public TestServer restart(UnaryOperator<Configuration> change) {
    String port = Integer.toString(port());
    client.close();
    laurel.close();
    Configuration again = change.apply(settings).with(Settings.PORT, port);
    return new TestServer(folder, again, Laurel.start(again, clock, _ -> {}), clock);
  }

  public Laurel laurel() {
    return laurel;
  }

  /** Where its database is, if it is a file. */
  public String sqliteUrl() {
    return "jdbc:sqlite:" + laurel.dataFolder().resolve("laurel.db");
  }

  public int port() {
    return laurel.port();
  }

  /** A request with the admin key. */
  public HttpRequest.Builder request(String path) {
    return anonymous(path).header("X-API-Key", ADMIN_KEY);
  }

  @Override
  public HttpRequest.Builder anonymous(String path) {
    return HttpRequest.newBuilder(URI.create(laurel.url() + path)).timeout(Duration.ofMinutes(2));
  }

  public HttpResponse<String> get(String path) {
    return send(request(path));
  }

  public HttpResponse<String> post(String path, String json) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json)));
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

  /** The whole of it; of a stream, which has no end, only that there is one. */
  static HttpResponse.BodySubscriber<String> body(HttpResponse.ResponseInfo head) {
    return head.headers().firstValue("content-type").orElse("").equals("text/event-stream")
        ? new NoBody()
        : HttpResponse.BodyHandlers.ofString().apply(head);
  }

  private static final class NoBody implements HttpResponse.BodySubscriber<String> {
    @Override
    public CompletionStage<String> getBody() {
      return CompletableFuture.completedFuture("a stream");
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.cancel();
    }

    @Override
    public void onNext(List<ByteBuffer> item) {}

    @Override
    public void onError(Throwable throwable) {}

    @Override
    public void onComplete() {}
  }

  @Override
  public Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(120_000);
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** Sends bytes as they are and returns everything until the server closes. */
  public String raw(String bytes) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      return readAll(socket);
    }
  }

  /** Everything until the server closes; a reset counts as a close. */
  public static String readAll(Socket socket) throws IOException {
    StringBuilder all = new StringBuilder();
    InputStream in = socket.getInputStream();
    byte[] some = new byte[8192];
    try {
      for (int n = in.read(some); n >= 0; n = in.read(some)) {
        all.append(new String(some, 0, n, StandardCharsets.ISO_8859_1));
      }
    } catch (java.net.SocketException e) {
      all.append("[").append(e.getMessage()).append("]");
    }
    return all.toString();
  }

  @Override
  public void close() {
    client.close();
    laurel.close();
    try {
      remove(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
