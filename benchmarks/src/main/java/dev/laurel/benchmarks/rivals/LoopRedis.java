package dev.laurel.benchmarks.rivals;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * One Redis connection that lives on the event loop that serves HTTP: a command goes out and its
 * reply comes in without a change of threads, and the commands of all requests of one turn of the
 * loop leave in one write.
 */
final class LoopRedis {
  private final EventLoop loop;
  private final StatefulRedisConnection<String, String> connection;
  private boolean flushing;

  private LoopRedis(EventLoop loop, StatefulRedisConnection<String, String> connection) {
    this.loop = loop;
    this.connection = connection;
  }

  static CompletionStage<LoopRedis> connect(EventLoop loop, int port) {
    ClientResources resources =
        DefaultClientResources.builder().eventLoopGroupProvider(new OneLoop(loop)).build();
    RedisClient client = RedisClient.create(resources);
    return client
        .connectAsync(StringCodec.ASCII, RedisURI.create("127.0.0.1", port))
        .thenApply(
            connection -> {
              connection.setAutoFlushCommands(false);
              return new LoopRedis(loop, connection);
            });
  }

  /** The commands; call {@link #flushSoon} after the last one of a request. */
  RedisAsyncCommands<String, String> commands() {
    return connection.async();
  }

  /** Once for a turn of the loop: tasks run after all sockets that had something were read. */
  void flushSoon() {
    if (!flushing) {
      flushing = true;
      loop.execute(
          () -> {
            flushing = false;
            connection.flushCommands();
          });
    }
  }

  /** Lends the loop that is there; it is not Lettuce's to close. */
  private record OneLoop(EventLoop loop) implements EventLoopGroupProvider {
    @Override
    @SuppressWarnings("unchecked") // Lettuce uses it as an EventLoopGroup, whatever type it names
    public <T extends EventLoopGroup> T allocate(Class<T> type) {
      return (T) loop;
    }

    @Override
    public int threadPoolSize() {
      return 1;
    }

    @Override
    public Future<Boolean> release(
        EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
      return done();
    }

    @Override
    public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
      return done();
    }

    private static Future<Boolean> done() {
      Promise<Boolean> promise = new DefaultPromise<>(GlobalEventExecutor.INSTANCE);
      return promise.setSuccess(true);
    }
  }
}
