package dev.laurel.server.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Carries out a plan: connects, starts the loops, watches them from outside, adds up. */
final class LoadRun {
  private static final long POINT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LOOK_MILLIS = 100;
  private static final int CONNECT_MILLIS = 10_000;

  private final Target target;
  private final LoadPlan plan;
  private final Progress progress;

  private LoadRun(Target target, LoadPlan plan, Progress progress) {
    this.target = target;
    this.plan = plan;
    this.progress = progress;
  }

  static RunResult run(Target target, LoadPlan plan, Progress progress)
      throws InterruptedException {
    return new LoadRun(target, plan, progress).run();
  }

  private RunResult run() throws InterruptedException {
    boolean epoll = Epoll.isAvailable();
    EventLoopGroup group =
        new MultiThreadIoEventLoopGroup(
            plan.threads(),
            new DefaultThreadFactory("bench", true),
            epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    try {
      Bootstrap bootstrap =
          new Bootstrap()
              .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
              .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
              .option(ChannelOption.TCP_NODELAY, true)
              .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);
      List<LoadLoop> loops = new ArrayList<>();
      for (int i = 0; i < plan.threads(); i++) {
        loops.add(new LoadLoop(group.next(), bootstrap, target, plan, i));
      }
      connect(loops);
      return watch(loops);
    } finally {
      group.shutdownGracefully(0, 2, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
    }
  }

  private void connect(List<LoadLoop> loops) throws InterruptedException {
    List<ChannelFuture> connecting = new ArrayList<>();
    loops.forEach(loop -> connecting.addAll(loop.connect()));
    for (ChannelFuture future : connecting) {
      future.await();
      if (!future.isSuccess()) {
        throw new BenchException(
            "cannot open %d connections to %s: %s"
                .formatted(connecting.size(), target.url(), future.cause()),
            future.cause());
      }
    }
  }

  private RunResult watch(List<LoadLoop> loops) throws InterruptedException {
    Window window =
        Window.starting(System.nanoTime(), plan.warmup(), plan.duration(), plan.patience());
    Collected collected = new Collected(loops, plan, window);
    ClientCpu cpu = new ClientCpu(window);
    CompletableFuture<Void> all =
        CompletableFuture.allOf(
            loops.stream().map(l -> l.start(window)).toArray(CompletableFuture<?>[]::new));
    long nextPoint = window.from() + POINT_NANOS;
    while (!isDone(all)) {
      long now = System.nanoTime();
      if (now - nextPoint >= 0) {
        collected.point(now);
        nextPoint += POINT_NANOS;
      }
      cpu.look(now);
      progress.at(now - window.begin(), collected);
    }
    collected.point(System.nanoTime());
    return collected.result(cpu.cores());
  }

  private static boolean isDone(CompletableFuture<Void> all) throws InterruptedException {
    try {
      all.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new BenchException("the load driver failed: " + e.getCause(), e);
    }
  }
}
