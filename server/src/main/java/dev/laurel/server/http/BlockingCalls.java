package dev.laurel.server.http;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Runs the handlers that may wait, each on a virtual thread. Threads are cheap, but what they wait
 * for is not: above a bound callers are told to come back. Thread-safe.
 */
final class BlockingCalls implements AutoCloseable {
  private final Semaphore permits;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("http-", 0).factory());

  BlockingCalls(int max) {
    permits = new Semaphore(max);
  }

  /**
   * @param atOnce whether the handler must have answered when it returns; one that hands the
   *     exchange on answers later
   */
  void run(Handler handler, Exchange exchange, boolean atOnce) {
    if (!permits.tryAcquire()) {
      throw Rejection.of(ErrorCode.OVERLOADED, "too many requests at once: try again later")
          .asException();
    }
    try {
      threads.execute(
          () -> {
            try {
              handler.handle(exchange);
              if (atOnce) {
                exchange.mustBeAnswered();
              }
            } catch (Throwable e) {
              exchange.fail(e);
            } finally {
              permits.release();
            }
          });
    } catch (RuntimeException e) {
      permits.release();
      throw e;
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
