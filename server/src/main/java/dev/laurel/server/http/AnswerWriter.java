package dev.laurel.server.http;

import dev.laurel.core.access.Principal;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Writes answers on one event loop, by Vert.x. */
final class AnswerWriter implements Outlet {
  static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
  static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("retry-after");
  static final CharSequence WWW_AUTHENTICATE = HttpHeaders.createOptimized("www-authenticate");
  static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("x-request-id");
  private static final CharSequence DEGRADED = HttpHeaders.createOptimized("laurel-degraded");
  private static final CharSequence WRITES = HttpHeaders.createOptimized("writes");
  private static final CharSequence CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("x-content-type-options");
  private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
  private static final CharSequence REFERRER_POLICY =
      HttpHeaders.createOptimized("referrer-policy");
  private static final CharSequence NO_REFERRER = HttpHeaders.createOptimized("no-referrer");
  private static final CharSequence HSTS = HttpHeaders.createOptimized("strict-transport-security");

  /**
   * How long a connection is read after an early answer. To close at once with unread bytes makes
   * the kernel send a reset, which can overtake the answer.
   */
  private static final long LINGER_MILLIS = 2000;

  /** Bytes of an answer that is not worth counting; every error is one. */
  private static final int SMALL = 16_384;

  private final Vertx vertx;
  private final EventLoop loop;
  private final HttpMetrics metrics;
  private final AccessLog accessLog;
  private final OpenConnections connections;
  private final BlockingCalls blocking;
  private final UnreadAnswers unread;
  private final BooleanSupplier degraded;
  private final Cors cors;
  private final @Nullable CharSequence hsts;

  AnswerWriter(
      Vertx vertx,
      EventLoop loop,
      HttpMetrics metrics,
      AccessLog accessLog,
      OpenConnections connections,
      BlockingCalls blocking,
      UnreadAnswers unread,
      BooleanSupplier degraded,
      Cors cors,
      @Nullable String hsts) {
    this.vertx = vertx;
    this.loop = loop;
    this.metrics = metrics;
    this.accessLog = accessLog;
    this.connections = connections;
    this.blocking = blocking;
    this.unread = unread;
    this.degraded = degraded;
    this.cors = cors;
    this.hsts = hsts == null ? null : HttpHeaders.createOptimized(hsts);
  }

  @Override
  public void block(Handler handler, Exchange exchange) {
    try {
      blocking.run(handler, exchange, false);
    } catch (RuntimeException e) {
      exchange.fail(e);
    }
  }

  @Override
  public void later(Handler handler, Exchange exchange) {
    try {
      handler.handle(exchange);
    } catch (Throwable e) {
      exchange.fail(e);
    }
  }

  @Override
  public void write(
      Exchange exchange, @Nullable CharSequence contentType, byte[] bytes, int length) {
    if (loop.inEventLoop()) {
      writeHere(exchange, contentType, bytes, length);
      return;
    }
    boolean counted = length <= SMALL || unread.announce(length);
    if (counted || !isRead(exchange)) {
      loop.execute(
          () -> {
            if (counted && length > SMALL) {
              unread.written(length);
            }
            writeHere(exchange, contentType, bytes, length);
          });
    } else {
      // Threads make answers faster than the loop sends them, and each would wait in memory.
      exchange.reject(
          Rejection.of(
              ErrorCode.OVERLOADED, "answers: too many at once (expected: again in a moment)"));
    }
  }

  /** Whether nothing was done: of anything else the caller must hear how it ended. */
  private static boolean isRead(Exchange exchange) {
    HttpMethod method = exchange.method();
    return HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method);
  }

  private void writeHere(
      Exchange exchange, @Nullable CharSequence contentType, byte[] bytes, int length) {
    if (exchange.answered) {
      return;
    }
    exchange.answered = true;
    HttpServerRequest request = exchange.raw();
    HttpServerResponse response = request.response();
    if (response.closed() || response.headWritten()) {
      // The caller went away, or a stream broke off: nothing can be said any more, but that the
      // answer is not complete.
      finish(exchange);
      if (!response.ended()) {
        request.connection().close();
      }
      return;
    }
    boolean closing = exchange.stalled || (!exchange.bodyRead && mustClose(request));
    if (exchange.status != 200) {
      response.setStatusCode(exchange.status);
    }
    MultiMap headers = response.headers();
    addHeaders(headers, exchange, contentType);
    if (closing) {
      headers.set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    boolean head = HttpMethod.HEAD.equals(request.method());
    if (head) {
      headers.set(HttpHeaders.CONTENT_LENGTH, Integer.toString(length));
    }
    Buffer content =
        head || length == 0
            ? BufferInternal.buffer(Unpooled.EMPTY_BUFFER)
            : BufferInternal.buffer(Unpooled.wrappedBuffer(bytes, 0, length));
    finish(exchange);
    if (closing && !exchange.stalled) {
      linger(request);
    }
    Future<Void> written = response.end(content);
    if (exchange.stalled) {
      written.onComplete(_ -> request.connection().close());
    }
  }

  private void addHeaders(MultiMap headers, Exchange exchange, @Nullable CharSequence contentType) {
    if (contentType != null) {
      headers.add(HttpHeaders.CONTENT_TYPE, contentType);
    }
    headers.add(REQUEST_ID, exchange.requestId());
    if (degraded.getAsBoolean()) {
      headers.add(DEGRADED, WRITES);
    }
    headers.add(CONTENT_TYPE_OPTIONS, NOSNIFF);
    headers.add(REFERRER_POLICY, NO_REFERRER);
    if (hsts != null) {
      headers.add(HSTS, hsts);
    }
    headers.add(HttpHeaders.CACHE_CONTROL, exchange.cacheControl);
    cors.addTo(headers, exchange);
    List<CharSequence> more = exchange.headers;
    if (more != null) {
      for (int i = 0; i < more.size(); i += 2) {
        headers.add(more.get(i), more.get(i + 1));
      }
    }
  }

  @Override
  public BodyStream stream(Exchange exchange, CharSequence contentType) {
    HttpServerResponse response = exchange.raw().response();
    return new BodyStream(
        exchange,
        loop,
        () -> {
          response.setChunked(true);
          addHeaders(response.headers(), exchange, contentType);
        });
  }

  @Override
  public void open(Exchange exchange, CharSequence contentType) {
    HttpServerResponse response = exchange.raw().response();
    addHeaders(response.headers(), exchange, contentType);
    if (exchange.head.isVersion11()) {
      response.setChunked(true);
      response.writeHead();
    } else {
      // Vert.x' writeHead would announce chunks, which HTTP/1.0 does not know.
      response.write(Buffer.buffer());
    }
  }

  @Override
  public void streamEnded(Exchange exchange) {
    if (loop.inEventLoop()) {
      end(exchange);
    } else {
      loop.execute(() -> end(exchange));
    }
  }

  private void end(Exchange exchange) {
    if (!exchange.answered) {
      exchange.answered = true;
      finish(exchange);
    }
  }

  private void finish(Exchange exchange) {
    exchange.dropBody();
    long nanos = System.nanoTime() - exchange.startNanos;
    Principal principal = exchange.principal;
    metrics.ended(
        exchange.route, exchange.status, principal == null ? 0 : principal.tenant(), nanos);
    accessLog.ended(exchange, exchange.status, nanos);
    connections.ended(exchange);
  }

  /**
   * A small body that is under way is simply read and dropped. A large one, or one of unknown
   * length, or one that a client holds back until it is told to go on, ends the connection.
   */
  private static boolean mustClose(HttpServerRequest request) {
    String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
    return length == null
        || length.length() > 5
        || Integer.parseInt(length) > 65_536
        || request.headers().contains(HttpHeaders.EXPECT);
  }

  private void linger(HttpServerRequest request) {
    var connection = request.connection();
    if (request.isEnded()) {
      request.response().endHandler(_ -> vertx.runOnContext(_ -> connection.close()));
      return;
    }
    long timer = vertx.setTimer(LINGER_MILLIS, _ -> connection.close());
    request.handler(_ -> {});
    request.exceptionHandler(_ -> vertx.cancelTimer(timer));
    request.endHandler(
        _ -> {
          vertx.cancelTimer(timer);
          connection.close();
        });
  }
}
