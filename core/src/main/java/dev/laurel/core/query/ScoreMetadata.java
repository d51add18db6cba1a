package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.store.Store;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was sent along with scores. Indexes do not hold it, so it has to be read from the store; but
 * nobody who asks for a rank waits for that for longer than a moment. What was read is good for a
 * few seconds without a look, and for as long as the store is silent. Thread-safe.
 */
public final class ScoreMetadata {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long PATIENCE_MILLIS = 250;

  /** After somebody waited in vain, nobody else does for so long. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A silent store keeps no more connections than these. */
  private static final int READS = 8;

  private final Store store;
  private final Rankings rankings;
  private final KeptMetadata kept;
  private final LongSupplier nanos;
  private final Semaphore reads = new Semaphore(READS, true);
  private volatile long silentUntil;

  /** What is known of a row's metadata. */
  public sealed interface Found {
    record Is(String json) implements Found {}

    /** The score has none, or none any more. */
    record None() implements Found {}

    /** The user has another score by now. */
    record Changed() implements Found {}

    /** The store does not tell in time. */
    record Unknown() implements Found {}
  }

  /**
   * @param nanos a clock that never goes back
   */
  public ScoreMetadata(Store store, Rankings rankings, KeptMetadata kept, LongSupplier nanos) {
    this.store = store;
    this.rankings = rankings;
    this.kept = kept;
    this.nanos = nanos;
    this.silentUntil = nanos.getAsLong();
  }

  /** Without a look at the store; null if one is due. Never blocks. */
  public @Nullable String remembered(Season season, String userId, Ranking.Row row) {
    return kept.find(season, userId, row, isSilent() ? Long.MAX_VALUE : FRESH_NANOS);
  }

  private boolean isSilent() {
    return store.isDown() || nanos.getAsLong() - silentUntil < 0;
  }

  /** For a row of the index that has some. Blocks for a moment at most. */
  public Found of(Board board, Season season, String userId, Ranking.Row row) {
    String known = remembered(season, userId, row);
    if (known != null) {
      return new Found.Is(known);
    }
    Found found = isSilent() ? new Found.Unknown() : inTime(board, season, row);
    switch (found) {
      case Found.Is(String json) -> kept.put(season, userId, row, json);
      case Found.Unknown _ -> {
        String old = kept.find(season, userId, row, Long.MAX_VALUE);
        return old == null ? found : new Found.Is(old);
      }
      case Found.None _, Found.Changed _ -> {}
    }
    return found;
  }

  private Found inTime(Board board, Season season, Ranking.Row row) {
    CompletableFuture<Found> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("laurel-metadata")
        .start(
            () -> {
              try {
                reads.acquire();
                try {
                  if (!answer.isDone()) {
                    answer.complete(read(board, season, row));
                  }
                } finally {
                  reads.release();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (RuntimeException | Error e) {
                answer.complete(new Found.Unknown());
              }
            });
    answer.completeOnTimeout(new Found.Unknown(), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    Found found = answer.join();
    if (found instanceof Found.Unknown) {
      silentUntil = nanos.getAsLong() + PAUSE_NANOS;
    }
    return found;
  }

  /** However long it takes. Blocks. */
  public Found read(Board board, Season season, Ranking.Row row) {
    return rankings.metadata(board, season, row);
  }
}
