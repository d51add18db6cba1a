package dev.laurel.redis;

import dev.laurel.core.rank.SharedIndexObserver;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
  private final SharedIndexObserver observer;
  private final Breaker breaker = new Breaker(System::nanoTime);

  /**
   * @param patience how long calls wait that are given no deadline
   */
  RedisLink(RedisConnections connections, Duration patience, SharedIndexObserver observer) {
    this.connections = connections;
    this.patience = patience;
    this.observer = observer;
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
    return watched(
        this.<T>send(name, type, keys, args)
            .exceptionallyCompose(
                e -> isMissing(e) ? loadAndSend(name, type, keys, args) : failed(e)),
        deadline);
  }

  private <T> CompletableFuture<T> watched(CompletableFuture<T> answer, Duration deadline) {
    long start = System.nanoTime();
    return answer
        .orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((_, failure) -> ended(start, failure));
  }

  /** Looks whether Redis answers: always, as whoever asks wants to know it now. */
  CompletableFuture<?> ping() {
    return watched(send(RedisClusterAsyncCommands::ping), patience);
  }

  /** The same for those who have the store to turn to. */
  <T> CompletableFuture<T> call(
      Functions.Name name, ScriptOutputType type, byte[][] keys, byte[][] args) {
    return call(name, type, patience, keys, args);
  }

  private <T> CompletableFuture<T> send(
      Functions.Name name, ScriptOutputType type, byte[][] keys, byte[][] args) {
    return send(
        commands ->
            name.readOnly
                ? commands.fcallReadOnly(name.function, type, keys, args)
                : commands.fcall(name.function, type, keys, args));
  }

  private <T> CompletableFuture<T> send(
      Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    RedisClusterAsyncCommands<byte[], byte[]> commands = connections.commands();
    if (commands == null) {
      return failed(new RefusedException("redis is not connected"));
    }
    try {
      return command.apply(commands).toCompletableFuture();
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
      observer.answered(System.nanoTime() - start);
    } else {
      // An error reply comes from a server that is there: waiting for it costs nothing.
      if (!(cause(failure) instanceof RedisCommandExecutionException)) {
        breaker.failed();
      }
      observer.failed(cause(failure));
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
