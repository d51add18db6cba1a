package dev.laurel.sql;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps native calls off virtual threads: such a call holds its carrier, and there are only as many
 * carriers as cores. A platform thread, such as a committer's, goes on itself. Thread-safe.
 */
final class PlatformThreads {
  private final boolean needed;
  private final ExecutorService executor;

  /**
   * @param count as many as can be at work at once, so that nothing ever queues here
   */
  PlatformThreads(boolean needed, int count) {
    this.needed = needed;
    this.executor =
        Executors.newFixedThreadPool(
            count, Thread.ofPlatform().daemon().name("laurel-sql-", 0).factory());
  }

  /** The result, or exactly what the call threw. */
  <T extends @Nullable Object> T call(Supplier<T> call) {
    if (!needed || !Thread.currentThread().isVirtual()) {
      return call.get();
    }
    return await(executor.submit(call::get));
  }

  /** Not interruptible: the connection must not be given back while the call is running. */
  private static <T extends @Nullable Object> T await(Future<T> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw unwrap(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unwrap(ExecutionException e) {
    return switch (e.getCause()) {
      case RuntimeException thrown -> thrown;
      case Error thrown -> throw thrown;
      case null, default -> new IllegalStateException("a supplier throws nothing else", e);
    };
  }

  void close() {
    executor.shutdown();
  }
}
