package dev.laurel.server.live;

import dev.laurel.core.live.Audience;
import dev.laurel.core.live.LiveHub;
import dev.laurel.core.live.Watched;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Those that have nothing to begin with yet. */
  private final Set<Opening> waiting = ConcurrentHashMap.newKeySet();

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
      throw stopping();
    }
    Channel channel = exchange.channel();
    Runnable leave = enter(exchange, channel, wish.board.tenant());
    admit(hub, List.of(wish), leave);
    String header = exchange.header("Last-Event-ID");
    String lastId = header == null ? exchange.query("lastEventId") : header;
    Opening opening = new Opening(exchange, channel, hub, wish, lastId);
    if (wish.framing != Framing.WEBSOCKET) {
      opening.start();
      return;
    }
    exchange
        .raw()
        .toWebSocket()
        .onSuccess(
            _ -> {
              input().dropFrames(channel);
              opening.start();
            })
        // Vert.x has said what is wrong with the handshake.
        .onFailure(
            _ -> {
              // The connection may go on, and ask for another.
              leave.run();
              exchange.streamEnded(400);
            });
  }

  /** Answers with one stream that carries several; each begins when there is something. */
  public void open(
      Exchange exchange, LiveHub hub, Framing framing, List<SharedStream.Wanted> wanted) {
    if (closed) {
      throw stopping();
    }
    Channel channel = exchange.channel();
    // One place however many boards it carries; if they are of several tenants, of the first one.
    Runnable leave = enter(exchange, channel, SharedStream.tenant(wanted));
    admit(hub, SharedStream.wishes(wanted), leave);
    LoopStreams loop = loop(channel);
    channel
        .eventLoop()
        .execute(
            () -> {
              if (!channel.isActive()) {
                exchange.streamEnded(Exchange.CALLER_GONE);
                return;
              }
              LiveConnection connection =
                  begun(exchange, channel, framing, () -> SharedStream.areAllowed(wanted), loop);
              new SharedStream(channel, loop, connection).begin(hub, wanted);
              if (closed) {
                loop.end(connection);
              }
            });
  }

  /** After the place, as who has none makes nobody else wait for memory. */
  private static void admit(LiveHub hub, List<Wish> wishes, Runnable leave) {
    try {
      wishes.forEach(wish -> hub.admit(wish.what));
    } catch (RuntimeException e) {
      leave.run();
      throw e;
    }
  }

  private static RejectedException stopping() {
    return Rejection.of(ErrorCode.OVERLOADED, "the server stops: try again in a moment")
        .asException();
  }

  /** Takes a place until the connection ends, or until what it returns is run. */
  private Runnable enter(Exchange exchange, Channel channel, long tenant) {
    String address = proxies.client(exchange.peer(), exchange.raw());
    limits.enter(exchange, address, tenant);
    AtomicBoolean left = new AtomicBoolean();
    Runnable leave =
        () -> {
          if (left.compareAndSet(false, true)) {
            limits.leave(address, tenant);
          }
        };
    channel.closeFuture().addListener(_ -> leave.run());
    return leave;
  }

  private LoopStreams loop(Channel channel) {
    return loops.computeIfAbsent(
        channel.eventLoop(), l -> new LoopStreams(l, options.heartbeat.toMillis()));
  }

  /** A stream whose head is written, on its loop. */
  private LiveConnection begun(
      Exchange exchange,
      Channel channel,
      Framing framing,
      BooleanSupplier allowed,
      LoopStreams loop) {
    if (framing != Framing.WEBSOCKET) {
      exchange.openStream("text/event-stream");
      input().dropBytes(channel);
    }
    LiveConnection connection =
        new LiveConnection(channel, framing, allowed, options.slow.toNanos(), dropped::increment);
    loop.add(connection);
    channel
        .closeFuture()
        .addListener(
            _ -> {
              loop.remove(connection);
              exchange.streamEnded(200);
            });
    connection.write(framing.retry(RETRY_MILLIS));
    return connection;
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

    /** Whether it has begun or was refused: it does one of them, once. */
    private final AtomicBoolean settled = new AtomicBoolean();

    Opening(Exchange exchange, Channel channel, LiveHub hub, Wish wish, @Nullable String lastId) {
      this.exchange = exchange;
      this.channel = channel;
      this.hub = hub;
      this.wish = wish;
      this.lastId = lastId;
    }

    /** Once a WebSocket is one. */
    void start() {
      waiting.add(this);
      channel.closeFuture().addListener(_ -> waiting.remove(this));
      if (closed) {
        fail(stopping()); // close may have looked before this one was there
      } else {
        hub.join(wish.what, wish.board, wish.season, this);
      }
    }

    private boolean settle() {
      waiting.remove(this);
      return settled.compareAndSet(false, true);
    }

    @Override
    public @Nullable String lastId() {
      return lastId;
    }

    @Override
    public void join(Audience audience, byte[] first) {
      channel.closeFuture().addListener(_ -> hub.leave(wish.what, audience));
      if (settle() && audience instanceof Crowd crowd) {
        LoopStreams loop = loop(channel);
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
      LiveConnection connection = begun(exchange, channel, wish.framing, wish.allowed, loop);
      crowd.add(loop, connection);
      channel.closeFuture().addListener(_ -> crowd.remove(loop, connection));
      connection.write(first);
      delivered.increment();
      if (closed) {
        // close may have looked before this one was there.
        loop.end(connection);
      }
    }

    @Override
    public void fail(Throwable why) {
      if (!settle()) {
        return;
      }
      if (wish.framing == Framing.WEBSOCKET) {
        channel
            .eventLoop()
            .execute(
                () -> {
                  if (channel.isActive()) {
                    LiveConnection.end(channel, wish.framing.end());
                  }
                });
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
    waiting.forEach(opening -> opening.fail(stopping()));
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
