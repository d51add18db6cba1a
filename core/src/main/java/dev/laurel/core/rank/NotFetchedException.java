package dev.laurel.core.rank;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a ranking that is not in this process's memory answers to a question whose facts it has not
 * got yet. Whoever asked has them fetched, and asks the whole question again of the ranking that
 * comes: so questions stay plain functions of a {@link Ranking}, and an event loop need not wait.
 */
public final class NotFetchedException extends RuntimeException {
  private final transient Supplier<CompletableFuture<@Nullable Ranking>> source;

  public NotFetchedException(Supplier<CompletableFuture<@Nullable Ranking>> source) {
    // Thrown and caught within a call or two, often: a stack trace would cost more than the rest.
    super("the index has to be asked first", null, false, false);
    this.source = source;
  }

  /**
   * Asks the index, without blocking. It completes with a ranking of one state that knows what was
   * asked so far, or with null if only the store can answer; it never fails.
   */
  public CompletableFuture<@Nullable Ranking> fetch() {
    return source.get();
  }
}
