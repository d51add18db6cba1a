package dev.laurel.server.http;

import dev.laurel.core.access.Principal;
import dev.laurel.core.model.Rejection;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Answers plain reads before Vert.x sees them: a GET without a body, of a hot route. Head and body
 * leave as one buffer, and Vert.x' request, response and queue are not made. One for each
 * connection; only its event loop calls it, except where an answer comes from elsewhere.
 *
 * <p>It stands between Netty's HTTP decoder and Vert.x, so there is one parser, and it can only say
 * 200. Whatever is not plain goes on to Vert.x untouched. So does, after the fact, whatever turns
 * out to need another answer or a thread that may wait: the handler then runs a second time there,
 * which is why this is for GET alone.
 *
 * <p>Answers keep the order of their requests: the lane is open only while Vert.x has none under
 * way, which is counted by what passes here in both directions; and while an answer of the lane's
 * own is to come ({@link Exchange#later}), what follows is kept back here and nothing more is read
 * from the connection. The lane is shut for good by the first sign that the connection is about to
 * end or to become something else.
 */
final class FastLane extends ChannelDuplexHandler implements Outlet {
  private final Shared shared;
  private final OpenConnections.State connection;
  private final ChannelHandlerContext encoder;
  private final UnreadAnswers.Pile unread;

  /** Its end has not come yet. */
  private @Nullable HttpRequest held;

  /** What is being answered here. */
  private @Nullable Exchange running;

  private boolean answered;

  /** Whether the answer to {@link #running} comes later. */
  private boolean waiting;

  /** The request whose answer comes later, once its handler has returned. */
  private @Nullable HttpRequest late;

  /** What came after it. */
  private @Nullable Queue<Object> behind;

  /** Somebody wants to close the connection when the late answer is out. */
  private @Nullable ChannelPromise closing;

  /** Whether a message came since the socket was last empty. */
  private boolean heard;

  private boolean unflushed;
  private int underWay;
  private boolean insideRequest;
  private boolean shut;

  /** Nothing more is taken from this connection. */
  private boolean deaf;

  /** What the lanes of an event loop have in common. */
  record Shared(
      Admission admission,
      RequestIds ids,
      HttpMetrics metrics,
      AccessLog accessLog,
      PlainAnswer answers,
      UnreadAnswers unread) {}

  private FastLane(Shared shared, OpenConnections.State connection, ChannelHandlerContext encoder) {
    this.shared = shared;
    this.connection = connection;
    this.encoder = encoder;
    this.unread = shared.unread.pile(encoder);
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
    if (!heard) {
      heard = true;
      connection.headRead();
    }
    Queue<Object> queue = behind;
    if ((queue == null || queue.isEmpty()) && isNext(ctx, message)) {
      take(ctx, message);
      return;
    }
    if (queue == null) {
      queue = new ArrayDeque<>();
      behind = queue;
    }
    queue.add(message);
    ctx.channel().config().setAutoRead(false);
  }

  /** Who does not read the answers gets no more of them: the next request is kept back. */
  private boolean isNext(ChannelHandlerContext ctx, Object message) {
    return !waiting && (ctx.channel().isWritable() || !(message instanceof HttpRequest));
  }

  private void take(ChannelHandlerContext ctx, Object message) {
    if (deaf) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest next && !isWelcome(ctx, next)) {
      deaf = true;
      return;
    }
    HttpRequest request = held;
    if (request != null) {
      held = null;
      // This constant is how the decoder says: no body, no trailers.
      if (LastHttpContent.EMPTY_LAST_CONTENT.equals(message) && answer(request)) {
        return;
      }
      pass(ctx, request);
    } else if (message instanceof HttpRequest next && isOpen(ctx) && PlainHead.isPlain(next)) {
      held = next;
      return;
    }
    pass(ctx, message);
  }

  /** If not, it is the last of this connection; what follows may be anything. */
  private boolean isWelcome(ChannelHandlerContext ctx, HttpRequest request) {
    if (!request.decoderResult().isSuccess()) {
      return true; // the decoder knows, and gives nothing more
    }
    if (connection.isProbe() && !Probes.is(request)) {
      ctx.close();
      return false;
    }
    Rejection wrong = HeadCheck.wrong(request);
    if (wrong == null) {
      return true;
    }
    request.setDecoderResult(DecoderResult.failure(wrong.asException()));
    pass(ctx, request);
    return false;
  }

  /** A caller that does not take its answers is left to Vert.x, which then stops reading. */
  private boolean isOpen(ChannelHandlerContext ctx) {
    return underWay == 0 && !insideRequest && !shut && ctx.channel().isWritable();
  }

  private void pass(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request) {
      underWay++;
      insideRequest = true;
      shut |= !PlainHead.keepsTheConnection(request);
    }
    if (message instanceof LastHttpContent) {
      insideRequest = false;
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (heard) {
      heard = false;
    } else if (underWay == 0 && !waiting) {
      // Bytes came, but the decoder could not make a message of them.
      connection.headBegun();
    }
    complete(ctx);
  }

  private void complete(ChannelHandlerContext ctx) {
    if (unflushed) {
      unflushed = false;
      encoder.flush();
      unread.look();
    }
    ctx.fireChannelReadComplete();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (late != null) {
      shared.metrics.left();
      forget();
    }
    ChannelPromise promise = closing;
    if (promise != null) {
      ctx.close(promise);
    }
    Queue<Object> queue = behind;
    if (queue != null) {
      queue.forEach(ReferenceCountUtil::release);
      queue.clear();
    }
    unread.gone();
    ctx.fireChannelInactive();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable() && behind != null) {
      // Not now: this may be called within a flush of the very answers that it goes on with.
      ctx.executor().execute(this::readOn);
    }
    ctx.fireChannelWritabilityChanged();
  }

  private void readOn() {
    if (!waiting && encoder.channel().isActive()) {
      goOn(false);
    }
  }

  // ---- what goes out

  @Override
  public void flush(ChannelHandlerContext ctx) {
    ctx.flush();
    unread.look();
  }

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

  /** Vert.x knows of nothing under way and closes when the server stops: not before the answer. */
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (late != null && closing == null && ctx.channel().isActive()) {
      closing = promise;
    } else {
      ctx.close(promise);
    }
  }

  // ---- the answer

  /** Whether it is answered or will be; if not, nothing was written. */
  private boolean answer(HttpRequest request) {
    long start = System.nanoTime();
    PlainHead head = new PlainHead(request, encoder.channel());
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
      waiting = false;
    }
    if (waiting && !answered) {
      late = request;
      shared.metrics.begun();
      connection.used(start);
      return true;
    }
    forget();
    if (!answered) {
      connection.left(exchange);
    } else {
      long nanos = System.nanoTime() - start;
      shared.metrics.record(exchange.route, exchange.status, tenant(exchange), nanos);
      ended(exchange, nanos);
    }
    return answered;
  }

  private void forget() {
    running = null;
    waiting = false;
    late = null;
  }

  private static long tenant(Exchange exchange) {
    Principal principal = exchange.principal;
    return principal == null ? 0 : principal.tenant();
  }

  private void ended(Exchange exchange, long nanos) {
    shared.accessLog.ended(exchange, exchange.status, nanos);
    connection.used(exchange.startNanos + nanos);
  }

  @Override
  public void write(
      Exchange exchange, @Nullable CharSequence contentType, byte[] bytes, int length) {
    if (encoder.executor().inEventLoop()) {
      writeHere(exchange, contentType, bytes, length);
    } else {
      encoder.executor().execute(() -> writeHere(exchange, contentType, bytes, length));
    }
  }

  /**
   * What a handler says when nobody waits for it any more comes too late: Vert.x has its request.
   */
  private void writeHere(
      Exchange exchange, @Nullable CharSequence contentType, byte[] bytes, int length) {
    if (exchange != running || answered) {
      return;
    }
    if (!PlainAnswer.suits(exchange, contentType)) {
      leaveToVertx();
      return;
    }
    encoder.write(
        shared.answers.encode(encoder.alloc(), exchange.requestId(), bytes, length),
        encoder.voidPromise());
    answered = true;
    if (late == null) {
      unflushed = true;
      return;
    }
    encoder.flush();
    unread.look();
    forget();
    long nanos = System.nanoTime() - exchange.startNanos;
    shared.metrics.ended(exchange.route, exchange.status, tenant(exchange), nanos);
    ended(exchange, nanos);
    goOn(false);
  }

  /** The answer cannot be given here. */
  private void leaveToVertx() {
    HttpRequest request = late;
    if (request == null) {
      waiting = false;
      return;
    }
    shared.metrics.left();
    connection.left(running);
    forget();
    pass(self(), request);
    pass(self(), LastHttpContent.EMPTY_LAST_CONTENT);
    goOn(true);
  }

  private ChannelHandlerContext self() {
    return encoder.pipeline().context(this);
  }

  /** After a late answer: the connection ends, or what has come meanwhile is next. */
  private void goOn(boolean passed) {
    ChannelPromise promise = closing;
    if (promise != null) {
      closing = null;
      self().close(promise);
      return;
    }
    Queue<Object> queue = behind;
    if (queue == null || queue.isEmpty()) {
      if (passed) {
        complete(self());
      }
      return;
    }
    ChannelHandlerContext ctx = self();
    ctx.channel().config().setAutoRead(true);
    for (Object message = queue.peek();
        message != null && isNext(ctx, message);
        message = queue.peek()) {
      take(ctx, queue.remove());
    }
    if (!queue.isEmpty()) {
      ctx.channel().config().setAutoRead(false);
    }
    complete(ctx);
  }

  @Override
  public void block(Handler handler, Exchange exchange) {
    if (!encoder.executor().inEventLoop()) {
      encoder.executor().execute(() -> block(handler, exchange));
    } else if (exchange == running && !answered) {
      leaveToVertx();
    }
  }

  @Override
  public void later(Handler handler, Exchange exchange) {
    if (!encoder.executor().inEventLoop()) {
      encoder.executor().execute(() -> later(handler, exchange));
    } else if (exchange == running && !answered) {
      waiting = true;
      try {
        handler.handle(exchange);
      } catch (Throwable e) {
        // It will fail again.
        leaveToVertx();
      }
    }
  }

  @Override
  public BodyStream stream(Exchange exchange, CharSequence contentType) {
    throw new IllegalStateException("nothing can be streamed here");
  }

  @Override
  public void open(Exchange exchange, CharSequence contentType) {
    throw new IllegalStateException("nothing can be streamed here");
  }

  @Override
  public void streamEnded(Exchange exchange) {
    throw new IllegalStateException("nothing can be streamed here");
  }
}
