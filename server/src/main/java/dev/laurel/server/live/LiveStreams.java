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
    Gauge.builder("leaderboard.sse.clients", limits, LiveLimits::open)
        .description("Open streams of events, WebSockets included")
        .register(registry);
  }

  /** For the hub. */
  public Audience audience() {
    return new Crowd(delivered);
  }

  /**
   * Answers with a stream, when there is something to begin with.
   *
   * @param framing as the client understands it
   */
  public void open(
      Exchange exchange, LiveHub hub, Watched what, Board board, Season season, Framing framing) {
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
    Opening opening = new Opening(exchange, channel, hub, what, framing, lastId);
    if (framing != Framing.WEBSOCKET) {
      hub.join(what, board, season, opening);
      return;
    }
    exchange
        .raw()
        .toWebSocket()
        .onSuccess(_ -> hub.join(what, board, season, opening))
        // Vert.x has said what is wrong with the handshake.
        .onFailure(_ -> exchange.streamEnded(400));
  }

  /** A stream that waits for its first message. */
  private final class Opening implements Audience.Newcomer {
    private final Exchange exchange;
    private final Channel channel;
    private final LiveHub hub;
    private final Watched what;
    private final Framing framing;
    private final @Nullable String lastId;

    Opening(
        Exchange exchange,
        Channel channel,
        LiveHub hub,
        Watched what,
        Framing framing,
        @Nullable String lastId) {
      this.exchange = exchange;
      this.channel = channel;
      this.hub = hub;
      this.what = what;
      this.framing = framing;
      this.lastId = lastId;
    }

    @Override
    public @Nullable String lastId() {
      return lastId;
    }

    @Override
    public void join(Audience audience, byte[] first) {
      channel.closeFuture().addListener(_ -> hub.leave(what, audience));
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
      if (framing != Framing.WEBSOCKET) {
        exchange.openStream("text/event-stream");
      }
      LiveConnection connection =
          new LiveConnection(channel, framing, options.slow.toNanos(), dropped::increment);
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
      if (framing == Framing.WEBSOCKET) {
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
