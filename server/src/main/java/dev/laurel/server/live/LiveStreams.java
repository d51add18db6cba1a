package dev.laurel.server.live;

import dev.laurel.core.live.Audience;
import dev.laurel.core.live.LiveHub;
import dev.laurel.core.live.Watched;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.limits.TrustedProxies;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a server: opens them, sends what the hub says, ends them. A stream holds a
 * connection, a place in the limits and a place in a crowd, and gives them back when its channel
 * closes, however that happens. Thread-safe.
 */
public final class LiveStreams implements AutoCloseable {
  private static final int RETRY_MILLIS = 2000;
  private static final long END_SECONDS = 2;

  private final Options options;
  private final TrustedProxies proxies;
  private final LiveLimits limits;
  private final Counter delivered;
  private final Counter dropped;
  private final Counter flooded;
  private final Map<EventLoop, LoopStreams> loops = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * What the settings say.
   *
   * @param slow how long a reader's queue may be full
   */
  public record Options(Duration heartbeat, Duration slow, int most, int mostPerAddress) {}

  public LiveStreams(Options options, TrustedProxies proxies, MeterRegistry registry) {
    this.options = options;
    this.proxies = proxies;
    this.limits = new LiveLimits(options.most, options.mostPerAddress);
    this.delivered =
        Counter.builder("laurel.live.messages")
            .description("Messages handed to connections of streams")
            .register(registry);
    this.dropped =
        Counter.builder("laurel.live.dropped")
            .description("Streams closed because their readers were too slow")
            .register(registry);
    this.flooded =
        Counter.builder("laurel.live.flooded")
            .description("Streams closed because of what their readers sent")
            .register(registry);
    Gauge.builder("leaderboard.sse.clients", limits, LiveLimits::open)
        .description("Open streams of events, WebSockets included")
        .register(registry);
  }

  /** For the hub. */
  public Audience audience() {
    return new Crowd(delivered);
  }

  /**
   * What a caller wants to watch.
   *
   * @param framing as the client understands it
   * @param allowed whether it may still be watched; asked every few seconds, on the event loop
   */
  public record Wish(
      Watched what, Board board, Season season, Framing framing, BooleanSupplier allowed) {}

  /** Answers with a stream, when there is something to begin with. */
  public void open(Exchange exchange, LiveHub hub, Wish wish) {
    if (closed) {
      throw Rejection.of(ErrorCode.OVERLOADED, "the server stops: try again in a moment")
          .asException();
    }
    String address = proxies.client(exchange.peer(), exchange.raw());
    limits.enter(exchange, address);
    Channel channel = exchange.channel();
    channel.closeFuture().addListener(_ -> limits.leave(address));
    String header = exchange.header("Last-Event-ID");
    String lastId = header == null ? exchange.query("lastEventId") : header;
    Opening opening = new Opening(exchange, channel, hub, wish, lastId);
    if (wish.framing != Framing.WEBSOCKET) {
      hub.join(wish.what, wish.board, wish.season, opening);
      return;
    }
    exchange
        .raw()
        .toWebSocket()
        .onSuccess(
            _ -> {
              input().dropFrames(channel);
              hub.join(wish.what, wish.board, wish.season, opening);
            })
        // Vert.x has said what is wrong with the handshake.
        .onFailure(_ -> exchange.streamEnded(400));
  }

  private StreamInput input() {
    return new StreamInput(options.heartbeat, flooded::increment);
  }

  /** A stream that waits for its first message. */
  private final class Opening implements Audience.Newcomer {
    private final Exchange exchange;
    private final Channel channel;
    private final LiveHub hub;
    private final Wish wish;
    private final @Nullable String lastId;

    Opening(Exchange exchange, Channel channel, LiveHub hub, Wish wish, @Nullable String lastId) {
      this.exchange = exchange;
      this.channel = channel;
      this.hub = hub;
      this.wish = wish;
      this.lastId = lastId;
    }

    @Override
    public @Nullable String lastId() {
      return lastId;
    }

    @Override
    public void join(Audience audience, byte[] first) {
      channel.closeFuture().addListener(_ -> hub.leave(wish.what, audience));
      if (audience instanceof Crowd crowd) {
        LoopStreams loop =
            loops.computeIfAbsent(
                channel.eventLoop(), l -> new LoopStreams(l, options.heartbeat.toMillis()));
        crowd.reach(loop);
        channel.eventLoop().execute(() -> begin(loop, crowd, first));
      }
    }

    /** On the loop, in one go: so no message is missed in between, and none comes twice. */
    private void begin(LoopStreams loop, Crowd crowd, byte[] first) {
      if (!channel.isActive()) {
        exchange.streamEnded(Exchange.CALLER_GONE);
        return;
      }
      Framing framing = wish.framing;
      if (framing != Framing.WEBSOCKET) {
        exchange.openStream("text/event-stream");
        input().dropBytes(channel);
      }
      LiveConnection connection =
          new LiveConnection(
              channel, framing, wish.allowed, options.slow.toNanos(), dropped::increment);
      loop.add(connection);
      crowd.add(loop, connection);
      channel
          .closeFuture()
          .addListener(
              _ -> {
                loop.remove(connection);
                crowd.remove(loop, connection);
                exchange.streamEnded(200);
              });
      connection.write(framing.retry(RETRY_MILLIS));
      connection.write(first);
      delivered.increment();
      if (closed) {
        // close may have looked before this one was there.
        loop.end(connection);
      }
    }

    @Override
    public void fail(Throwable why) {
      if (wish.framing == Framing.WEBSOCKET) {
        channel.close();
      } else {
        // The connection may live on, but its place among the streams is kept until it closes: a
        // client that was refused does not use it for long.
        exchange.header("Connection", "close");
        exchange.fail(why);
      }
    }
  }

  /** Ends all streams, before the server waits for the requests that are under way. */
  @Override
  public void close() {
    closed = true;
    CountDownLatch told = new CountDownLatch(loops.size());
    for (LoopStreams loop : loops.values()) {
      loop.loop()
          .execute(
              () -> {
                loop.end();
                told.countDown();
              });
    }
    try {
      if (!told.await(END_SECONDS, TimeUnit.SECONDS)) {
        return; // the listener closes what is left
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
