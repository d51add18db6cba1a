package dev.laurel.server;

import dev.laurel.server.cli.ExitCode;
import dev.laurel.server.http.Authenticator;
import dev.laurel.server.http.BuiltInRoutes;
import dev.laurel.server.http.ConnectionCap;
import dev.laurel.server.http.HttpListener;
import dev.laurel.server.http.HttpMetrics;
import dev.laurel.server.http.HttpOptions;
import dev.laurel.server.http.RouteTable;
import dev.laurel.server.settings.Settings;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wiring: every part is made here, with plain {@code new}, in the order in which it depends on
 * others, and closed in the reverse order. Nothing else in the server makes a part.
 */
public final class Laurel implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Laurel.class);

  private final Settings settings;
  private final Path dataFolder;
  private final AdminKey adminKey;
  private final RouteTable routes;
  private final HttpListener listener;
  private final ProcessMetrics processMetrics;

  private Laurel(Settings settings, Consumer<RouteTable> moreRoutes) {
    this.settings = settings;
    dataFolder = openDataFolder(Path.of(settings.get(Settings.DATA)));
    adminKey = AdminKey.of(settings.find(Settings.ADMIN_KEY));

    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    processMetrics = new ProcessMetrics(registry);

    // The store, the rank index and the pipeline go here; their handlers into the table below.

    Authenticator authenticator = adminKey;
    routes = new RouteTable();
    new BuiltInRoutes(registry).addTo(routes);
    moreRoutes.accept(routes);

    int asked = settings.get(Settings.MAX_CONNECTIONS);
    ConnectionCap cap = new ConnectionCap(asked == 0 ? ConnectionCap.limitOfProcess() : asked);
    HttpMetrics metrics = new HttpMetrics(registry, cap, Long::toString);
    listener = listen(HttpOptions.of(settings), authenticator, metrics, cap);
  }

  /**
   * @throws StartException with words for the person who started it
   */
  public static Laurel start(Settings settings) {
    return start(settings, _ -> {});
  }

  /** With routes beside the built-in ones, for tests. */
  public static Laurel start(Settings settings, Consumer<RouteTable> moreRoutes) {
    long begin = System.nanoTime();
    Laurel laurel = new Laurel(settings, moreRoutes);
    LOG.atInfo()
        .addKeyValue("version", Version.current())
        .addKeyValue("port", laurel.port())
        .addKeyValue("millis", (System.nanoTime() - begin) / 1_000_000)
        .log("started");
    return laurel;
  }

  public int port() {
    return listener.port();
  }

  public String url() {
    String host = settings.get(Settings.HOST);
    String shown = host.equals("0.0.0.0") || host.equals("::") ? "localhost" : host;
    return "http://" + (shown.contains(":") ? "[" + shown + "]" : shown) + ":" + port();
  }

  public Path dataFolder() {
    return dataFolder;
  }

  public RouteTable routes() {
    return routes;
  }

  /** The admin key if it was made up for this run; null if it was configured. */
  public @Nullable String generatedAdminKey() {
    return adminKey.generated();
  }

  @Override
  public void close() {
    LOG.info("stopping");
    listener.close();
    processMetrics.close();
    LOG.info("stopped");
  }

  private HttpListener listen(
      HttpOptions options, Authenticator authenticator, HttpMetrics metrics, ConnectionCap cap) {
    try {
      return HttpListener.start(options, routes, authenticator, metrics, cap);
    } catch (Exception e) {
      processMetrics.close();
      throw new StartException(
          ExitCode.CANNOT_LISTEN,
          "cannot listen on %s, port %d: %s. Is another server running there? Choose another with --port."
              .formatted(options.host(), options.port(), e.getMessage()),
          e);
    }
  }

  private static Path openDataFolder(Path folder) {
    Path absolute = folder.toAbsolutePath().normalize();
    try {
      Files.createDirectories(absolute);
      Files.delete(Files.createTempFile(absolute, "writable", ".tmp"));
      return absolute;
    } catch (IOException e) {
      throw new StartException(
          ExitCode.DATA_FOLDER,
          "the data folder %s cannot be written: %s. Choose another with --data."
              .formatted(absolute, e),
          e);
    }
  }
}
