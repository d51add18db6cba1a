package dev.laurel.server.http;

import dev.laurel.core.access.Principal;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey.Scope;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.ContextInternal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server of one event loop. A request's path, top to bottom: find the route, admit the
 * caller, parse the query, read the body, run the handler. All of it is on this loop, except a
 * blocking handler.
 */
final class HttpLoop extends VerticleBase {
  private static final int MAX_LINE = 8192;
  private static final int MAX_HEADERS = 16_384;

  private final HttpOptions options;
  private final RouteTable table;
  private final Authenticator authenticator;
  private final HttpMetrics metrics;
  private final BlockingCalls blocking;
  private final OpenConnections connections;
  private final AccessLog accessLog;
  private final RequestIds ids = new RequestIds();
  private @Nullable AnswerWriter writer;
  private @Nullable HttpServer server;

  HttpLoop(
      HttpOptions options,
      RouteTable table,
      Authenticator authenticator,
      HttpMetrics metrics,
      BlockingCalls blocking,
      ConnectionCap cap) {
    this.options = options;
    this.table = table;
    this.authenticator = authenticator;
    this.metrics = metrics;
    this.blocking = blocking;
    this.connections = new OpenConnections(cap, options);
    this.accessLog = new AccessLog(options.accessLog());
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
            blocking);
    HttpServer created =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setTcpNoDelay(true)
                    .setAcceptBacklog(1024)
                    .setMaxInitialLineLength(MAX_LINE)
                    .setMaxHeaderSize(MAX_HEADERS)
                    // Each would add a handler to every connection that no request needs.
                    .setPerFrameWebSocketCompressionSupported(false)
                    .setPerMessageWebSocketCompressionSupported(false)
                    // Upgrades to clear-text HTTP/2 are a known way around proxies.
                    .setHttp2ClearTextEnabled(false))
            .requestHandler(this::handle)
            .invalidRequestHandler(this::invalid)
            .connectionHandler(connections::connected);
    server = created;
    vertx.setPeriodic(1000, _ -> connections.sweep());
    // A negative port is Vert.x's way to say: any free one, but the same for every loop.
    return created.listen(options.port() == 0 ? -1 : options.port(), options.host());
  }

  int port() {
    HttpServer listening = server;
    return listening == null ? -1 : listening.actualPort();
  }

  /** Stops accepting, and waits for what is under way. */
  Future<Void> shutdown() {
    HttpServer listening = server;
    return listening == null ? Future.succeededFuture() : listening.shutdown(options.shutdown());
  }

  private Exchange open(HttpServerRequest request) {
    AnswerWriter here = writer;
    if (here == null) {
      throw new IllegalStateException("not started");
    }
    String id = ids.accept(request.headers().get(AnswerWriter.REQUEST_ID));
    Exchange exchange = new Exchange(request, here, id, System.nanoTime());
    metrics.begun();
    connections.begun(exchange);
    return exchange;
  }

  private void handle(HttpServerRequest request) {
    Exchange exchange = open(request);
    try {
      long announced = BodyReader.announced(request);
      exchange.bodyRead = announced == 0;
      if (!route(exchange, request)) {
        return;
      }
      Route route = exchange.route;
      admit(exchange, route.access());
      if (announced == 0) {
        if (route.body() == Body.JSON) {
          throw Rejection.invalid("body", "empty", "a JSON object").asException();
        }
        run(exchange);
      } else if (route.body() == Body.NONE) {
        throw Rejection.invalid("body", "present", "no body").asException();
      } else {
        BodyReader reader = new BodyReader(exchange, options.maxBodyBytes(), this::bodyRead);
        connections.reading(exchange, reader);
        reader.start(announced);
      }
    } catch (Throwable e) {
      exchange.fail(e);
    }
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
      if (route.kind() == Kind.HOT) {
        route.handler().handle(exchange);
      } else {
        blocking.run(route.handler(), exchange, true);
      }
    } catch (Throwable e) {
      exchange.fail(e);
    }
  }

  /** False if the answer needs no handler. */
  private boolean route(Exchange exchange, HttpServerRequest request) {
    checkHead(request);
    String target = request.uri();
    int start = pathStart(target);
    int mark = target.indexOf('?', start);
    int end = mark < 0 ? target.length() : mark;
    HttpMethod method = request.method();
    if (start == end && HttpMethod.OPTIONS.equals(method) && target.equals("*")) {
      exchange.header(HttpHeaders.ALLOW, "OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE");
      exchange.noContent();
      return false;
    }
    RouteTable.Match match = table.match(target, start, end);
    if (match == null) {
      throw Rejection.of(
              ErrorCode.NOT_FOUND, "there is nothing at this path; /openapi.yaml lists what is")
          .asException();
    }
    Route route = match.route(method);
    if (route == null) {
      exchange.header(HttpHeaders.ALLOW, match.allow());
      if (HttpMethod.OPTIONS.equals(method)) {
        exchange.noContent();
        return false;
      }
      throw Rejection.expectation(
              ErrorCode.METHOD_NOT_ALLOWED, "method", method.name(), match.allow())
          .asException();
    }
    exchange.route = route;
    exchange.params = match.params;
    if (mark >= 0) {
      exchange.query = QueryString.parse(target, mark + 1, route.queries());
    }
    return true;
  }

  private static void checkHead(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_1_1
        && !request.headers().contains(HttpHeaders.HOST)) {
      throw malformed("Host", "missing", "a Host header");
    }
  }

  /** Where the path begins: clients of proxies send the whole URL. Everything must be ASCII. */
  private static int pathStart(String target) {
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#') {
        throw malformed("uri", target, "visible ASCII without a fragment");
      }
    }
    if (target.startsWith("/")) {
      return 0;
    }
    if (target.equals("*")) {
      return 1;
    }
    String lower = target.length() < 8 ? "" : target.substring(0, 8).toLowerCase(Locale.ROOT);
    int authority = lower.startsWith("http://") ? 7 : lower.equals("https://") ? 8 : -1;
    int slash = authority < 0 ? -1 : target.indexOf('/', authority);
    if (slash < 0) {
      throw malformed("uri", target, "a path that begins with /");
    }
    return slash;
  }

  private void admit(Exchange exchange, Access access) {
    Scope scope = access.scope();
    if (scope == null || (access == Access.ADMIN_OR_LOOPBACK && exchange.isFromLoopback())) {
      return;
    }
    Principal principal = authenticator.authenticate(exchange);
    exchange.principal = principal;
    if (access == Access.READ_OR_PUBLIC_BOARD) {
      return;
    }
    if (!exchange.caller().may(scope)) {
      throw exchange.caller().lacks(scope);
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

  private static RejectedException malformed(String name, String value, String expected) {
    return Rejection.expectation(ErrorCode.MALFORMED_REQUEST, name, value, expected).asException();
  }
}
