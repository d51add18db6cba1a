package dev.laurel.server.http;

import dev.laurel.core.store.RememberedStore;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listening server: one {@link HttpLoop} for each event loop, behind one port. */
public final class HttpListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

  /** For what takes moments. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int OPS_CONNECTIONS = 64;
  private static final long OPS_UNREAD_BYTES = 4 << 20;

  private final Vertx vertx;
  private final BlockingCalls blocking;
  private final AccessLog accessLog;
  private final @Nullable Certificates certificates;
  private final Duration shutdown;
  private final List<HttpLoop> loops = new CopyOnWriteArrayList<>();

  private HttpListener(HttpOptions options, HeapPressure heap, RememberedStore store) {
    this.blocking = new BlockingCalls(options.maxBlocking(), heap, store);
    this.accessLog = new AccessLog(options.accessLog());
    this.shutdown = options.shutdown();
    this.vertx =
        Vertx.builder()
            .with(
                new VertxOptions()
                    .setEventLoopPoolSize(options.eventLoops())
                    // Nothing is served from files by Vert.x: no cache folder in /tmp.
                    .setFileSystemOptions(
                        new FileSystemOptions()
                            .setFileCachingEnabled(false)
                            .setClassPathResolvingEnabled(false)))
            .withTransport(transport())
            .build();
    this.certificates = options.tls() == null ? null : new Certificates(options.tls(), vertx);
  }

  /**
   * Listens, or throws what hindered it.
   *
   * @param store while it is down, answers say that nothing can be written now
   * @throws java.io.IOException if the address cannot be bound
   */
  public static HttpListener start(
      HttpOptions options,
      RouteTable table,
      Authenticator authenticator,
      Limits limits,
      Cors cors,
      HttpMetrics metrics,
      Room room,
      RememberedStore store)
      throws Exception {
    HttpListener listener = new HttpListener(options, room.heap(), store);
    try {
      await(
          listener.vertx.deployVerticle(
              () -> {
                HttpLoop loop =
                    new HttpLoop(
                        options,
                        table,
                        authenticator,
                        limits,
                        cors,
                        metrics,
                        listener.blocking,
                        listener.accessLog,
                        room,
                        store,
                        listener.firstTls());
                listener.loops.add(loop);
                return loop;
              },
              new DeploymentOptions().setInstances(options.eventLoops())));
      return listener;
    } catch (Exception e) {
      listener.close();
      throw e;
    }
  }

  /**
   * Listens for those who ask how the server is, and for nobody else.
   *
   * @param all the routes of the server
   */
  public static HttpListener startOps(
      HttpOptions options, RouteTable all, Cors cors, HttpMetrics metrics, RememberedStore store)
      throws Exception {
    return start(
        options,
        Probes.of(all),
        (_, _) -> null,
        Limits.NONE,
        cors,
        metrics,
        new Room(
            new ConnectionCap(OPS_CONNECTIONS, 0, _ -> false),
            new BodyBudget(0),
            new UnreadAnswers(OPS_UNREAD_BYTES),
            // Nobody tells it: how the server is can always be asked.
            new HeapPressure(System::nanoTime)),
        store);
  }

  private @Nullable ServerSSLOptions firstTls() {
    return certificates == null ? null : certificates.first();
  }

  /**
   * Takes over a certificate that has changed. Connections that are open keep theirs. For one
   * thread, now and then.
   */
  public void followCertificates() {
    ServerSSLOptions changed = certificates == null ? null : certificates.changed();
    if (changed == null) {
      return;
    }
    for (HttpLoop loop : loops) {
      try {
        await(loop.use(changed));
      } catch (Exception e) {
        LOG.error("certificate not taken over; the one before stays in force", e);
      }
    }
  }

  public int port() {
    return loops.getFirst().port();
  }

  /** For parts that need timers or the event loops themselves, such as streams of events. */
  public Vertx vertx() {
    return vertx;
  }

  /** Stops accepting, lets requests under way finish for a while, then ends the connections. */
  @Override
  public void close() {
    try {
      await(Future.join(loops.stream().map(HttpLoop::shutdown).toList()), shutdown.plus(PATIENCE));
    } catch (Exception e) {
      LOG.warn("connections were not closed in time", e);
    }
    blocking.close();
    try {
      await(vertx.close());
    } catch (Exception e) {
      LOG.warn("the event loops were not closed in time", e);
    }
  }

  private static Transport transport() {
    Transport fast = Transport.nativeTransport();
    return fast != null && fast.available() ? fast : Objects.requireNonNull(Transport.NIO);
  }

  private static void await(Future<?> future) throws Exception {
    await(future, PATIENCE);
  }

  private static void await(Future<?> future, Duration patience) throws Exception {
    try {
      future.await(patience.toSeconds(), TimeUnit.SECONDS);
    } catch (CompletionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } catch (TimeoutException e) {
      throw new IllegalStateException("not done after " + patience.toSeconds() + " s", e);
    }
  }
}
