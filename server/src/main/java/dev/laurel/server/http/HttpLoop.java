package dev.laurel.server.http;

import dev.laurel.core.access.Principal;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.FairShares;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey.Scope;
import dev.laurel.core.store.RememberedStore;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerConfig;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.ServerSSLOptions;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server of one event loop. A request's path, top to bottom: find the route, parse the
 * query, admit the caller, read the body, run the handler. All of it is on this loop, except a
 * blocking handler. Plain reads do not come so far: {@link FastLane} answers them.
 */
final class HttpLoop extends VerticleBase {
  private static final int MAX_LINE = 8192;
  private static final int MAX_HEADERS = 16_384;

  /**
   * Above it a body is not read on this loop. While memory is short it is not taken at all; nor is
   * one of unknown length.
   */
  private static final int LARGE_BODY = 65_536;

  private final HttpOptions options;
  private final Admission admission;
  private final Cors cors;
  private final HttpMetrics metrics;
  private final BlockingCalls blocking;
  private final BodyBudget bodies;
  private final HeapPressure heap;
  private final OpenConnections connections;
  private final AccessLog accessLog;
  private final RequestIds ids = new RequestIds();
  private final FastLane.Shared lanes;
  private final RememberedStore store;
  private final BooleanSupplier degraded;
  private final @Nullable ServerSSLOptions tls;
  private @Nullable AnswerWriter writer;
  private @Nullable HttpServer server;

  /** Only this loop's thread looks. */
  private boolean shuttingDown;

  HttpLoop(
      HttpOptions options,
      RouteTable table,
      Authenticator authenticator,
      Limits limits,
      Cors cors,
      HttpMetrics metrics,
      BlockingCalls blocking,
      AccessLog accessLog,
      Room room,
      RememberedStore store,
      @Nullable ServerSSLOptions tls) {
    this.options = options;
    this.admission = new Admission(table, authenticator, limits, cors, options.needsCertificates());
    this.cors = cors;
    this.metrics = metrics;
    this.blocking = blocking;
    this.bodies = room.bodies();
    this.heap = room.heap();
    this.connections = new OpenConnections(room.connections(), options.patience());
    this.accessLog = accessLog;
    this.lanes =
        new FastLane.Shared(
            admission,
            ids,
            metrics,
            accessLog,
            new PlainAnswer(store::isDown, options.hsts()),
            room.unread());
    this.store = store;
    this.degraded = store::isDown;
    this.tls = tls;
  }

  @Override
  public Future<?> start() {
    writer =
        new AnswerWriter(
            vertx,
            ((ContextInternal) context).nettyEventLoop(),
            metrics,
            accessLog,
            connections,
            blocking,
            lanes.unread(),
            degraded,
            cors,
            options.hsts());
    HttpServer created =
        vertx
            .createHttpServer(new HttpServerConfig(serverOptions()), tls)
            .requestHandler(this::handle)
            .invalidRequestHandler(this::invalid)
            .connectionHandler(this::connected);
    server = created;
    vertx.setPeriodic(
        1000,
        _ -> {
          connections.sweep();
          accessLog.flush();
        });
    // A negative port is Vert.x's way to say: any free one, but the same for every loop.
    return created.listen(options.port() == 0 ? -1 : options.port(), options.host());
  }

  private HttpServerOptions serverOptions() {
    return new HttpServerOptions()
        .setTcpNoDelay(true)
        .setAcceptBacklog(1024)
        .setMaxInitialLineLength(MAX_LINE)
        .setMaxHeaderSize(MAX_HEADERS)
        // Each would add a handler to every connection that no request needs.
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        // Upgrades to clear-text HTTP/2 are a known way around proxies.
        .setHttp2ClearTextEnabled(false);
  }

  int port() {
    HttpServer listening = server;
    return listening == null ? -1 : listening.actualPort();
  }

  /** For connections from now on. */
  Future<?> use(ServerSSLOptions changed) {
    HttpServer listening = server;
    return listening == null ? Future.succeededFuture() : listening.updateSSLOptions(changed);
  }

  /** Stops accepting, and waits for what is under way. */
  Future<Void> shutdown() {
    HttpServer listening = server;
    if (listening == null) {
      return Future.succeededFuture();
    }
    Promise<Void> ended = Promise.promise();
    context.runOnContext(
        _ -> {
          shuttingDown = true;
          listening.shutdown(options.shutdown()).onComplete(ended);
        });
    return ended.future();
  }

  private void connected(HttpConnection connection) {
    if (shuttingDown) {
      // Vert.x does not wait for it, and would cut it off after its request was handled.
      connection.close();
      return;
    }
    OpenConnections.State state = connections.connected(connection);
    if (state != null) {
      FastLane.open(connection, state, lanes);
    }
  }

  private Exchange open(HttpServerRequest request) {
    AnswerWriter here = writer;
    if (here == null) {
      throw new IllegalStateException("not started");
    }
    String id = ids.accept(request.headers().get(AnswerWriter.REQUEST_ID));
    Exchange exchange = new Exchange(new RequestHead.OfVertx(request), here, id, System.nanoTime());
    metrics.begun();
    connections.begun(exchange);
    return exchange;
  }

  private void handle(HttpServerRequest request) {
    Exchange exchange = open(request);
    try {
      long announced = BodyReader.announced(request);
      exchange.bodyRead = announced == 0;
      if (!admission.route(exchange)) {
        return;
      }
      Route route = exchange.route;
      exchange.era = store.era();
      try {
        admission.admit(exchange, false);
      } catch (UndecidedException e) {
        // The body may come meanwhile; see run.
        exchange.undecided = true;
      }
      if (announced == 0) {
        if (route.body() == Body.JSON) {
          throw Rejection.invalid("body", "empty", "a JSON object").asException();
        }
        run(exchange);
      } else if (route.body() == Body.NONE) {
        throw Rejection.invalid("body", "present", "no body").asException();
      } else {
        Principal caller = exchange.principal;
        boolean large = announced < 0 || announced > LARGE_BODY;
        if ((large || !isKnown(caller)) && heap.isTight()) {
          throw heap.refuse(exchange);
        }
        BodyBudget.Hold hold =
            bodies.hold(isKnown(caller), caller == null ? FairShares.STRANGERS : caller.tenant());
        exchange.hold = hold;
        BodyReader reader = new BodyReader(exchange, hold, options.maxBodyBytes(), this::bodyRead);
        connections.reading(exchange, reader);
        reader.start(announced);
      }
    } catch (Throwable e) {
      exchange.fail(e);
    }
  }

  /** Whether it may have a large part of the memory for bodies. */
  private static boolean isKnown(@Nullable Principal caller) {
    return caller != null
        && (caller.number() != 0 || caller.userId() != null || caller.may(Scope.INGEST));
  }

  private void bodyRead(Exchange exchange) {
    connections.bodyRead(exchange);
    if (exchange.body.length == 0 && exchange.route.body() == Body.JSON) {
      exchange.reject(Rejection.invalid("body", "empty", "a JSON object"));
    } else {
      run(exchange);
    }
  }

  private void run(Exchange exchange) {
    Route route = exchange.route;
    try {
      if (exchange.undecided) {
        blocking.run(
            x -> {
              admission.admit(x, true);
              route.handler().handle(x);
            },
            exchange,
            route.kind() == Kind.BLOCKING);
      } else if (route.kind() == Kind.HOT && exchange.body.length <= LARGE_BODY) {
        // The body took its time, and the tenant's number may be another tenant's by now.
        store.require(exchange.era());
        route.handler().handle(exchange);
      } else {
        // To read a large body takes so long that everyone else on this loop would wait for it.
        blocking.run(route.handler(), exchange, route.kind() == Kind.BLOCKING);
      }
    } catch (Throwable e) {
      exchange.fail(e);
    }
  }

  /** What Netty could not read as HTTP. The connection cannot be trusted any further. */
  private void invalid(HttpServerRequest request) {
    Exchange exchange = open(request);
    Throwable cause = request.decoderResult().cause();
    exchange.bodyRead = true;
    exchange.header(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    exchange.reject(
        switch (cause) {
          case RejectedException rejected -> rejected.rejection();
          case TooLongHttpLineException _ ->
              Rejection.expectation(
                  ErrorCode.URI_TOO_LONG, "uri", "too long", "at most " + MAX_LINE + " bytes");
          case TooLongHttpHeaderException _ ->
              Rejection.expectation(
                  ErrorCode.HEADERS_TOO_LARGE,
                  "headers",
                  "too large",
                  "at most " + MAX_HEADERS + " bytes");
          case null, default ->
              Rejection.expectation(
                  ErrorCode.MALFORMED_REQUEST, "request", "malformed", "HTTP/1.1");
        });
  }
}
