package dev.laurel.server.http;

import dev.laurel.core.access.Principal;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Answers plain reads before Vert.x sees them: a GET without a body, of a hot route, whose answer
 * is in memory. Head and body leave as one buffer, and Vert.x' request, response and queue are not
 * made. One for each connection; only its event loop calls it.
 *
 * <p>It stands between Netty's HTTP decoder and Vert.x, so there is one parser, and it can only say
 * 200. Whatever is not plain goes on to Vert.x untouched. So does, after the fact, whatever turns
 * out to need another answer or a thread that may wait: the handler then runs a second time there,
 * which is why this is for GET alone.
 *
 * <p>Answers keep the order of their requests: the lane is open only while Vert.x has none under
 * way, which is counted by what passes here in both directions. It is shut for good by the first
 * sign that the connection is about to end or to become something else.
 */
final class FastLane extends ChannelDuplexHandler implements Outlet {
  private static final byte[] BEFORE_ID =
      ascii("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: ");
  private static final byte[] BEFORE_LENGTH =
      ascii("\r\nx-content-type-options: nosniff\r\ncache-control: no-store\r\ncontent-length: ");
  private static final byte[] END_OF_HEAD = ascii("\r\n\r\n");
  private static final int MAX_ID = 128;
  private static final int MAX_HEAD =
      BEFORE_ID.length + MAX_ID + BEFORE_LENGTH.length + 10 + END_OF_HEAD.length;

  private final Shared shared;
  private final OpenConnections.State connection;
  private final ChannelHandlerContext encoder;

  private @Nullable HttpRequest held;
  private @Nullable Exchange running;
  private boolean answered;
  private boolean unflushed;
  private int underWay;
  private boolean insideRequest;
  private boolean shut;

  /**
   * What the lanes of an event loop have in common.
   *
   * @param scratch where heads are put together
   */
  record Shared(
      Admission admission,
      RequestIds ids,
      HttpMetrics metrics,
      AccessLog accessLog,
      byte[] scratch) {
    Shared(Admission admission, RequestIds ids, HttpMetrics metrics, AccessLog accessLog) {
      this(admission, ids, metrics, accessLog, new byte[MAX_HEAD]);
    }
  }

  private FastLane(Shared shared, OpenConnections.State connection, ChannelHandlerContext encoder) {
    this.shared = shared;
    this.connection = connection;
    this.encoder = encoder;
  }

  /** Puts a lane in front of Vert.x' handler; without one everything works the same, but slower. */
  static void open(HttpConnection connection, OpenConnections.State state, Shared shared) {
    if (connection instanceof ConnectionBase base) {
      ChannelPipeline pipeline = base.channel().pipeline();
      ChannelHandlerContext encoder = pipeline.context(HttpResponseEncoder.class);
      if (encoder != null) {
        pipeline.addBefore(
            base.channelHandlerContext().name(), null, new FastLane(shared, state, encoder));
      }
    }
  }

  // ---- what comes in

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    HttpRequest request = held;
    if (request != null) {
      held = null;
      // This constant is how the decoder says: no body, no trailers.
      if (LastHttpContent.EMPTY_LAST_CONTENT.equals(message) && answer(request)) {
        return;
      }
      pass(ctx, request);
    } else if (message instanceof HttpRequest next && isOpen(ctx) && isPlain(next)) {
      held = next;
      return;
    }
    pass(ctx, message);
  }

  /** A caller that does not take its answers is left to Vert.x, which then stops reading. */
  private boolean isOpen(ChannelHandlerContext ctx) {
    return underWay == 0 && !insideRequest && !shut && ctx.channel().isWritable();
  }

  private static boolean isPlain(HttpRequest request) {
    HttpHeaders headers = request.headers();
    return HttpMethod.GET.equals(request.method())
        && keepsTheConnection(request)
        && !headers.contains(HttpHeaderNames.CONTENT_LENGTH)
        && !headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
        && !headers.contains(HttpHeaderNames.EXPECT)
        && !headers.contains(HttpHeaderNames.UPGRADE);
  }

  private static boolean keepsTheConnection(HttpRequest request) {
    if (!HttpVersion.HTTP_1_1.equals(request.protocolVersion())
        || !request.decoderResult().isSuccess()) {
      return false;
    }
    String connection = request.headers().get(HttpHeaderNames.CONNECTION);
    return connection == null || HttpHeaderValues.KEEP_ALIVE.contentEqualsIgnoreCase(connection);
  }

  private void pass(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request) {
      underWay++;
      insideRequest = true;
      shut |= !keepsTheConnection(request);
    }
    if (message instanceof LastHttpContent) {
      insideRequest = false;
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (unflushed) {
      unflushed = false;
      encoder.flush();
    }
    ctx.fireChannelReadComplete();
  }

  // ---- what goes out

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    boolean interim = false;
    if (message instanceof HttpResponse response) {
      interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
      shut |= response.headers().contains(HttpHeaderNames.CONNECTION);
    }
    if (message instanceof LastHttpContent && !interim) {
      underWay--;
    }
    ctx.write(message, promise);
  }

  /** Whether it is answered; if not, nothing was written. */
  private boolean answer(HttpRequest request) {
    long start = System.nanoTime();
    PlainHead head = new PlainHead(request);
    String id = shared.ids.accept(head.header(AnswerWriter.REQUEST_ID));
    Exchange exchange = new Exchange(head, this, id, start);
    answered = false;
    running = exchange;
    try {
      if (shared.admission.route(exchange) && exchange.route.kind() == Kind.HOT) {
        shared.admission.admit(exchange, false);
        exchange.route.handler().handle(exchange);
      }
    } catch (Throwable e) {
      // Vert.x gets the request, the handler fails again, and that failure is answered.
    } finally {
      running = null;
    }
    if (answered) {
      long end = System.nanoTime();
      Principal principal = exchange.principal;
      long tenant = principal == null ? 0 : principal.tenant();
      shared.metrics.record(exchange.route, exchange.status, tenant, end - start);
      shared.accessLog.ended(exchange, exchange.status, end - start);
      connection.used(end);
    }
    return answered;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // of the two constants that the head has in it
  public void write(
      Exchange exchange, @Nullable CharSequence contentType, byte[] bytes, int length) {
    // What a handler says later, or from another thread, comes too late: Vert.x has its request.
    if (!encoder.executor().inEventLoop()
        || exchange != running
        || answered
        || exchange.status != 200
        || contentType != AnswerWriter.JSON
        || exchange.cacheControl != AnswerWriter.NO_STORE
        || exchange.headers != null) {
      return;
    }
    byte[] head = shared.scratch;
    int at = copy(BEFORE_ID, head, 0);
    String id = exchange.requestId();
    for (int i = 0; i < id.length(); i++) {
      head[at++] = (byte) id.charAt(i);
    }
    at = copy(BEFORE_LENGTH, head, at);
    at = digits(length, head, at);
    at = copy(END_OF_HEAD, head, at);
    ByteBuf out = encoder.alloc().directBuffer(at + length);
    out.writeBytes(head, 0, at).writeBytes(bytes, 0, length);
    encoder.write(out, encoder.voidPromise());
    unflushed = true;
    answered = true;
  }

  @Override
  public void block(Handler handler, Exchange exchange) {
    // Not answered: Vert.x gets it.
  }

  @Override
  public BodyStream stream(Exchange exchange, CharSequence contentType) {
    throw new IllegalStateException("nothing can be streamed here");
  }

  @Override
  public void later(Handler handler, Exchange exchange) {
    // Not answered: Vert.x gets it.
  }

  @Override
  public void streamEnded(Exchange exchange) {
    throw new IllegalStateException("nothing can be streamed here");
  }

  @Override
  public void logUnexpected(Exchange exchange, Throwable failure) {
    // It will fail again.
  }

  private static int copy(byte[] from, byte[] to, int at) {
    System.arraycopy(from, 0, to, at, from.length);
    return at + from.length;
  }

  private static int digits(int value, byte[] to, int at) {
    int count = 1;
    for (int rest = value / 10; rest > 0; rest /= 10) {
      count++;
    }
    for (int i = at + count - 1; i >= at; i--, value /= 10) {
      to[i] = (byte) ('0' + value % 10);
    }
    return at + count;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Knows only what a plain read needs; to ask for more means that it is none. */
  private record PlainHead(HttpRequest request) implements RequestHead {
    @Override
    public io.vertx.core.http.HttpMethod method() {
      return io.vertx.core.http.HttpMethod.GET;
    }

    @Override
    public String target() {
      return request.uri();
    }

    @Override
    public boolean isVersion11() {
      return true;
    }

    @Override
    public @Nullable String header(CharSequence name) {
      return request.headers().get(name);
    }

    @Override
    public String peer() {
      throw new IllegalStateException("not known here");
    }

    @Override
    public boolean isFromLoopback() {
      throw new IllegalStateException("not known here");
    }

    @Override
    public HttpServerRequest raw() {
      throw new IllegalStateException("not known here");
    }
  }
}
