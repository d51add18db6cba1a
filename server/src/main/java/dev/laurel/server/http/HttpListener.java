package dev.laurel.server.http;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.transport.Transport;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listening server: one {@link HttpLoop} for each event loop, behind one port. */
public final class HttpListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

  private final Vertx vertx;
  private final BlockingCalls blocking;
  private final AccessLog accessLog;
  private final @Nullable Certificates certificates;
  private final List<HttpLoop> loops = new CopyOnWriteArrayList<>();

  private HttpListener(HttpOptions options) {
    this.blocking = new BlockingCalls(options.maxBlocking());
    this.accessLog = new AccessLog(options.accessLog());
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
   * @param degraded whether answers are to say that nothing can be written now
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
      BooleanSupplier degraded)
      throws Exception {
    HttpListener listener = new HttpListener(options);
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
                        degraded,
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
      await(Future.join(loops.stream().map(HttpLoop::shutdown).toList()));
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
    try {
      future.await(60, TimeUnit.SECONDS);
    } catch (CompletionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } catch (TimeoutException e) {
      throw new IllegalStateException("not done after 60 s", e);
    }
  }
}
