package dev.laurel.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls of our functions, each with a deadline, none while the breaker is open. The library is
 * loaded whenever Redis turns out not to have it: at first, after a flush, after a failover.
 * Thread-safe.
 */
final class RedisLink implements AutoCloseable {
  /** How long readers and writers wait; they have the store to turn to. */
  static final Duration SHORT = Duration.ofMillis(250);

  /** How long somebody who builds a season waits for a chunk. */
  static final Duration LONG = Duration.ofSeconds(5);

  private final RedisConnections connections;
  private final Duration patience;
  private final LongConsumer onAnswer;
  private final Consumer<Throwable> onError;
  private final Breaker breaker = new Breaker(System::nanoTime);

  /**
   * @param patience how long calls wait that are given no deadline
   */
  RedisLink(
      RedisConnections connections,
      Duration patience,
      LongConsumer onAnswer,
      Consumer<Throwable> onError) {
    this.connections = connections;
    this.patience = patience;
    this.onAnswer = onAnswer;
    this.onError = onError;
  }

  /** Why a call was not even tried. */
  private static final class RefusedException extends RuntimeException {
    private RefusedException(String message) {
      super(message, null, false, false);
    }
  }

  boolean isBroken() {
    return breaker.isOpen();
  }

  /** Never throws; the future fails if Redis did not answer, or with an error. */
  <T> CompletableFuture<T> call(
      Functions.Name name, ScriptOutputType type, Duration deadline, byte[][] keys, byte[][] args) {
    if (!breaker.permits()) {
      return failed(new RefusedException("redis does not answer"));
    }
    long start = System.nanoTime();
    return this.<T>send(name, type, keys, args)
        .exceptionallyCompose(e -> isMissing(e) ? loadAndSend(name, type, keys, args) : failed(e))
        .orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((_, failure) -> ended(start, failure));
  }

  /** The same for those who have the store to turn to. */
  <T> CompletableFuture<T> call(
      Functions.Name name, ScriptOutputType type, byte[][] keys, byte[][] args) {
    return call(name, type, patience, keys, args);
  }

  private <T> CompletableFuture<T> send(
      Functions.Name name, ScriptOutputType type, byte[][] keys, byte[][] args) {
    RedisClusterAsyncCommands<byte[], byte[]> commands = connections.commands();
    if (commands == null) {
      return failed(new RefusedException("redis is not connected"));
    }
    try {
      RedisFuture<T> answer =
          name.readOnly
              ? commands.fcallReadOnly(name.function, type, keys, args)
              : commands.fcall(name.function, type, keys, args);
      return answer.toCompletableFuture();
    } catch (RedisException e) {
      return failed(e);
    }
  }

  private <T> CompletableFuture<T> loadAndSend(
      Functions.Name name, ScriptOutputType type, byte[][] keys, byte[][] args) {
    return connections.load(Functions.LIBRARY).thenCompose(_ -> send(name, type, keys, args));
  }

  private static <T> CompletableFuture<T> failed(Throwable cause) {
    return CompletableFuture.failedFuture(cause);
  }

  private void ended(long start, @Nullable Throwable failure) {
    if (failure == null) {
      breaker.succeeded();
      onAnswer.accept(System.nanoTime() - start);
    } else {
      // An error reply comes from a server that is there: waiting for it costs nothing.
      if (!(cause(failure) instanceof RedisCommandExecutionException)) {
        breaker.failed();
      }
      onError.accept(cause(failure));
    }
  }

  private static boolean isMissing(Throwable failure) {
    return cause(failure) instanceof RedisCommandExecutionException e
        && String.valueOf(e.getMessage()).contains("Function not found");
  }

  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  @Override
  public void close() {
    connections.close();
  }
}
