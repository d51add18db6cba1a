package dev.laurel.server.http;

import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The body of an answer that is made while it is sent. Each write waits until the connection has
 * taken it, so whatever the length of the answer and however slow its reader, one piece of it is in
 * memory. For one thread that may wait.
 */
public final class BodyStream {
  /** A reader that takes nothing for so long is not one. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Exchange exchange;
  private final Executor loop;
  private final HttpServerResponse response;
  private final Runnable head;
  private boolean begun;

  /**
   * @param head prepares the response; called on the loop, once
   */
  BodyStream(Exchange exchange, Executor loop, Runnable head) {
    this.exchange = exchange;
    this.loop = loop;
    this.response = exchange.raw().response();
    this.head = head;
  }

  /** False if the caller has gone or does not read: then it is over. */
  public boolean write(byte[] bytes, int length) {
    if (HttpMethod.HEAD.equals(exchange.method())) {
      return end();
    }
    return sent(
        () -> response.write(BufferInternal.buffer(Unpooled.wrappedBuffer(bytes, 0, length))));
  }

  /** The answer is complete. Always false, as nothing can follow. */
  public boolean end() {
    if (sent(response::end)) {
      exchange.streamEnded(200);
    }
    return false;
  }

  private boolean sent(Supplier<Future<Void>> write) {
    CompletableFuture<Boolean> taken = new CompletableFuture<>();
    loop.execute(
        () -> {
          if (response.closed() || response.ended()) {
            taken.complete(false);
            return;
          }
          if (!begun) {
            begun = true;
            head.run();
          }
          write.get().onComplete(done -> taken.complete(done.succeeded()));
        });
    if (isTrue(taken)) {
      return true;
    }
    loop.execute(() -> exchange.raw().connection().close());
    exchange.streamEnded(Exchange.CALLER_GONE);
    return false;
  }

  private static boolean isTrue(CompletableFuture<Boolean> taken) {
    try {
      return taken.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
