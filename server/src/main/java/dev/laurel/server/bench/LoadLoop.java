package dev.laurel.server.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Everything that one event loop does: its connections, its share of the load, its tallies. All of
 * it runs on the loop, so nothing is locked and nothing handed over; a request costs one buffer
 * from a pool and no other object.
 */
final class LoadLoop {
  /** The shortest sleep before a request that is due: more wakings would take the server's time. */
  private static final long SHORTEST_NAP = 50_000;

  private static final long LONGEST_NAP = 5_000_000;
  private static final long RECONNECT_MILLIS = 50;

  /** One answer in this many is looked into, beyond its status. */
  private static final int CHECK_EVERY = 61;

  /** The beginning of a body that is enough to see that it is right. */
  private static final int CHECK_BYTES = 256;

  private final EventLoop eventLoop;
  private final Bootstrap bootstrap;
  private final Target target;
  private final LoadPlan plan;
  private final RequestWriter writer;
  private final List<Lane> lanes = new ArrayList<>();
  private final Map<Operation, Tally> tallies = new EnumMap<>(Operation.class);
  private final byte[] scratch = new byte[ResponseReader.SCRATCH];
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private Window window = new Window(0, 0, 0, 0);
  private boolean ending;
  private long answers;

  LoadLoop(EventLoop eventLoop, Bootstrap bootstrap, Target target, LoadPlan plan, int thread) {
    this.eventLoop = eventLoop;
    this.bootstrap = bootstrap.clone().group(eventLoop);
    this.target = target;
    this.plan = plan;
    SplittableRandom random = new SplittableRandom(plan.seed() + 1_000_003L * thread);
    this.writer =
        new RequestWriter(
            target, plan.users().apply(random.split()), plan.batch(), plan.decimals(), random);
    for (LaneSpec spec : plan.lanes()) {
      int size = plan.connections(spec, thread);
      if (size > 0) {
        lanes.add(new Lane(source(spec, size, random.split()), size));
        spec.amounts().keySet().forEach(o -> tallies.put(o, new Tally()));
      }
    }
  }

  private Source source(LaneSpec spec, int size, SplittableRandom random) {
    return spec.open()
        ? new OpenSource(spec.amounts(), (double) size / spec.connections())
        : new ClosedSource(spec.amounts(), plan.limit(), random);
  }

  /** Opens the connections; one future for each. */
  List<ChannelFuture> connect() {
    List<ChannelFuture> connecting = new ArrayList<>();
    for (Lane lane : lanes) {
      for (int i = 0; i < lane.size(); i++) {
        Connection connection = new Connection(this, lane, plan.pipeline());
        lane.add(connection);
        connecting.add(connect(connection));
      }
    }
    return connecting;
  }

  private ChannelFuture connect(Connection connection) {
    SslContext secure = target.secure();
    ChannelHandler first =
        secure == null
            ? connection
            : new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                channel
                    .pipeline()
                    .addLast(secure.newHandler(channel.alloc(), target.host(), target.port()))
                    .addLast(connection);
              }
            };
    return bootstrap.clone().handler(first).connect(target.host(), target.port());
  }

  /** Once all are connected. The future is done when every request has ended. */
  CompletableFuture<Void> start(Window newWindow) {
    eventLoop.execute(
        () -> {
          window = newWindow;
          lanes.forEach(lane -> lane.source().begin(newWindow));
          tick();
        });
    return done;
  }

  /** Sends what is due and sleeps until something is; answers send the next by themselves. */
  private void tick() {
    try {
      long now = System.nanoTime();
      long nap = LONGEST_NAP;
      boolean busy = false;
      for (Lane lane : lanes) {
        lane.pump(now);
        long next = lane.source().untilNext(now);
        busy |= next != Source.NEVER || lane.isWaiting();
        if (lane.hasFree()) {
          nap = Math.min(nap, next);
        }
      }
      if (!busy || now - window.giveUp() >= 0) {
        end(now);
      } else {
        eventLoop.schedule(this::tick, Math.max(nap, SHORTEST_NAP), TimeUnit.NANOSECONDS);
      }
    } catch (RuntimeException e) {
      done.completeExceptionally(e);
    }
  }

  private void end(long now) {
    ending = true;
    for (Lane lane : lanes) {
      lane.connections().forEach(c -> c.failAll("no answer in time"));
      for (Operation o = lane.source().next(now); o != null; o = lane.source().next(now)) {
        tally(o).sent();
        failed(lane, o, lane.source().begunAt(), now, "not sent in time");
      }
      lane.connections().forEach(Connection::close);
    }
    done.complete(null);
  }

  void connected(Connection connection) {
    connection.lane().free(connection);
    if (window.to() != 0) {
      connection.lane().pump(System.nanoTime());
    }
  }

  void disconnected(Connection connection) {
    if (!ending && !eventLoop.isShuttingDown()) {
      eventLoop.schedule(() -> reconnect(connection), RECONNECT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void reconnect(Connection connection) {
    if (!ending) {
      connect(connection)
          .addListener(
              future -> {
                if (!future.isSuccess()) {
                  disconnected(connection);
                }
              });
    }
  }

  ByteBuf request(Operation operation) {
    ByteBuf request = writer.write(operation, PooledByteBufAllocator.DEFAULT);
    Tally tally = tally(operation);
    tally.sent();
    tally.bytesOut(request.readableBytes());
    return request;
  }

  /** Whether this answer is one to be looked into, and enough of it is there. */
  boolean isChecked(int bytes, long ofLength) {
    answers++;
    return answers % CHECK_EVERY == 0 && bytes >= Math.min(ofLength, CHECK_BYTES);
  }

  void answered(
      Lane lane, Operation operation, long begun, long now, int status, long size, boolean good) {
    Tally tally = tally(operation);
    tally.answered();
    if (status / 100 != 2) {
      tally.error("status " + status);
    } else if (!good) {
      tally.error("status " + status + ", but not what was asked for");
    }
    if (lane.source().counts(window, begun, now)) {
      tally.latency(now - begun);
      if (status / 100 == 2 && good && window.counts(now)) {
        tally.goodInWindow(size);
      }
    }
  }

  void failed(Lane lane, Operation operation, long begun, long now, String why) {
    Tally tally = tally(operation);
    tally.error(why);
    if (lane.source().counts(window, begun, now)) {
      tally.latency(now - begun);
    }
  }

  private Tally tally(Operation operation) {
    return Objects.requireNonNull(tallies.get(operation));
  }

  Map<Operation, Tally> tallies() {
    return tallies;
  }

  byte[] scratch() {
    return scratch;
  }
}
