package dev.laurel.server.live;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslHandler;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One connection that gets a stream. Bytes go below the HTTP and WebSocket codecs, as they are
 * framed already. Only its event loop calls it.
 */
final class LiveConnection {
  /** Of the system's own buffer; more would hide for minutes that nobody reads. */
  private static final int SEND_BUFFER = 64 * 1024;

  /** How long the last bytes may take to be written. */
  private static final long LAST_WORD_MILLIS = 1000;

  private final Channel channel;
  private final ChannelHandlerContext below;
  private final Framing framing;
  private final BooleanSupplier allowed;
  private final long slowNanos;
  private final Runnable onSlow;

  /** Since when its queue is full; 0 if it is not. */
  private long slowSince;

  /**
   * @param allowed whether the reader may still have it
   * @param slowNanos how long the queue may be full
   * @param onSlow told when that was too long, and the connection is closed
   */
  LiveConnection(
      Channel channel, Framing framing, BooleanSupplier allowed, long slowNanos, Runnable onSlow) {
    this.channel = channel;
    this.below = below(channel);
    this.framing = framing;
    this.allowed = allowed;
    this.slowNanos = slowNanos;
    this.onSlow = onSlow;
    channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER);
  }

  /** The handler whose writes go to the socket, or to what encrypts them. */
  static ChannelHandlerContext below(Channel channel) {
    ChannelHandlerContext first = null;
    for (Map.Entry<String, ?> entry : channel.pipeline()) {
      if (!(entry.getValue() instanceof SslHandler)) {
        first = channel.pipeline().context(entry.getKey());
        break;
      }
    }
    if (first == null) {
      throw new IllegalStateException("a connection without handlers");
    }
    return first;
  }

  Framing framing() {
    return framing;
  }

  boolean isAllowed() {
    return allowed.getAsBoolean();
  }

  /** Says that the reader may have no more, and closes. */
  void refuse() {
    endWith(framing.refusal());
  }

  /** Sends what others may get too; the buffer stays the caller's. False if it is over. */
  boolean write(ByteBuf shared) {
    if (!channel.isActive()) {
      return false;
    }
    if (channel.isWritable()) {
      slowSince = 0;
    } else if (slowSince == 0) {
      slowSince = System.nanoTime();
    } else if (System.nanoTime() - slowSince > slowNanos) {
      onSlow.run();
      below.close(); // not the channel's own, which Vert.x would answer with waiting for its queue
      return false;
    }
    below.writeAndFlush(shared.retainedDuplicate(), below.voidPromise());
    return true;
  }

  void write(byte[] message) {
    if (channel.isActive()) {
      below.writeAndFlush(Unpooled.wrappedBuffer(message), below.voidPromise());
    }
  }

  /** Says that it is over, and closes. */
  void end(byte[] last) {
    endWith(last, framing.end());
  }

  private void endWith(byte[]... last) {
    end(channel, below, last);
  }

  /** Says something last on a connection that is no stream yet, and closes it. */
  static void end(Channel channel, byte[]... last) {
    end(channel, below(channel), last);
  }

  private static void end(Channel channel, ChannelHandlerContext below, byte[]... last) {
    below
        .writeAndFlush(Unpooled.wrappedBuffer(last))
        // Not the channel's own, to which Vert.x would add another frame.
        .addListener(_ -> below.close());
    // Whoever does not read never lets it be written, and nobody waits for an answer to it.
    ChannelHandlerContext socket = channel.pipeline().firstContext();
    var _ =
        channel.eventLoop().schedule(() -> socket.close(), LAST_WORD_MILLIS, TimeUnit.MILLISECONDS);
  }
}
