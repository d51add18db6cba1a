package dev.laurel.server.live;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What a reader of a stream sends, which nobody wants to know. Pings are answered, a few a second;
 * everything else is dropped. Whoever sends much is closed, and nothing is read while the reader
 * does not take its own answers: each pong would wait in memory. Only the channel's event loop
 * calls it.
 */
final class StreamInput extends ChannelInboundHandlerAdapter {
  /** Frames, or reads of the socket, that may come at once; then one in so many nanoseconds. */
  private static final int BURST = 64;

  private static final long NANOS_EACH = TimeUnit.MILLISECONDS.toNanos(200);

  private final long nanosEach;
  private final Runnable onFlood;

  /** When what has come would have come, had it come evenly. */
  private long paid;

  private boolean over;

  /**
   * @param heartbeat how often the reader is asked for a sign of life, which is an answer each
   * @param onFlood told when the connection is closed because of what came
   */
  StreamInput(Duration heartbeat, Runnable onFlood) {
    this.nanosEach = Math.min(NANOS_EACH, heartbeat.toNanos() / 2);
    this.onFlood = onFlood;
    this.paid = System.nanoTime() - BURST * nanosEach;
  }

  /**
   * In front of everything that reads HTTP: another request on the connection of a stream could
   * never be answered.
   */
  void dropBytes(Channel channel) {
    channel.pipeline().addBefore(LiveConnection.below(channel).name(), null, this);
  }

  /** Behind what reads the frames of a WebSocket. */
  void dropFrames(Channel channel) {
    ChannelPipeline pipeline = channel.pipeline();
    ChannelHandlerContext decoder = pipeline.context(WebSocketFrameDecoder.class);
    if (decoder == null) {
      channel.close(); // it is closing already
      return;
    }
    pipeline.addAfter(decoder.name(), null, this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!over && isTooMuch()) {
      over = true;
      onFlood.run();
      ctx.close();
    }
    if (!over
        && (message instanceof PingWebSocketFrame || message instanceof CloseWebSocketFrame)) {
      ctx.fireChannelRead(message);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  private boolean isTooMuch() {
    long now = System.nanoTime();
    paid = Math.max(paid, now - BURST * nanosEach) + nanosEach;
    return paid - now > 0;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    ctx.fireChannelWritabilityChanged();
  }
}
