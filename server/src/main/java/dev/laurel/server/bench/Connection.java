package dev.laurel.server.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * One connection and the requests under way on it, oldest first. Lives on its event loop; replaced
 * in the same object when the server closes it.
 */
@ChannelHandler.Sharable // by one channel after the other, never by two at once
final class Connection extends ChannelInboundHandlerAdapter implements ResponseReader.Listener {
  private final LoadLoop loop;
  private final Lane lane;
  private final ResponseReader reader = new ResponseReader(this);

  /** A ring. */
  private final Operation[] operations;

  private final long[] begun;
  private int oldest;
  private int underWay;

  private @Nullable Channel channel;
  private boolean reading;
  private boolean unflushed;
  private boolean plausible = true;
  private long now;

  Connection(LoadLoop loop, Lane lane, int pipeline) {
    this.loop = loop;
    this.lane = lane;
    this.operations = new Operation[pipeline];
    this.begun = new long[pipeline];
  }

  Lane lane() {
    return lane;
  }

  boolean hasRoom() {
    return channel != null && underWay < begun.length;
  }

  int underWay() {
    return underWay;
  }

  void send(Operation operation, long begunAt) {
    Channel open = channel;
    if (open == null) {
      throw new IllegalStateException("not connected");
    }
    int slot = (oldest + underWay) % begun.length;
    operations[slot] = operation;
    begun[slot] = begunAt;
    underWay++;
    open.write(loop.request(operation), open.voidPromise());
    if (reading) {
      unflushed = true;
    } else {
      open.flush();
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    reader.reset();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    channel = context.channel();
    loop.connected(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf buffer = (ByteBuf) message;
    reading = true;
    now = System.nanoTime();
    try {
      reader.read(buffer, loop.scratch());
    } finally {
      buffer.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    reading = false;
    if (unflushed) {
      unflushed = false;
      context.flush();
    }
  }

  @Override
  public void begun(int status, byte[] bytes, int bodyFrom, int bodyTo, long bodyLength) {
    plausible =
        status / 100 != 2
            || underWay == 0
            || !loop.isChecked(bodyTo - bodyFrom, bodyLength)
            || operations[oldest].isPlausible(bytes, bodyFrom, bodyTo);
  }

  @Override
  public void ended(int status, long size) {
    if (underWay == 0) {
      throw new ResponseReader.UnreadableException("an answer that nobody asked for");
    }
    Operation operation = operations[oldest];
    long begunAt = begun[oldest];
    boolean wasFull = !hasRoom();
    pop();
    loop.answered(lane, operation, begunAt, now, status, size, plausible);
    if (wasFull) {
      lane.free(this);
    }
    lane.pump(now);
  }

  private void pop() {
    oldest = (oldest + 1) % begun.length;
    underWay--;
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    lane.lost(this);
    channel = null;
    reading = false;
    unflushed = false;
    failAll("connection closed");
    loop.disconnected(this);
  }

  /** Ends what is under way without an answer. */
  void failAll(String why) {
    long ended = System.nanoTime();
    while (underWay > 0) {
      loop.failed(lane, operations[oldest], begun[oldest], ended, why);
      pop();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof ResponseReader.UnreadableException && underWay > 0) {
      failAll(String.valueOf(cause.getMessage()));
    }
    context.close();
  }

  void close() {
    if (channel != null) {
      channel.close();
    }
  }
}
