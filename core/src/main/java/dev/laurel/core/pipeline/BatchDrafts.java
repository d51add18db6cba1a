package dev.laurel.core.pipeline;

import dev.laurel.core.live.ChangeListener;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.store.WriteTransaction;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * The index's next states of one batch. They are prepared before the commit ({@link
 * RankIndex#draft}). That costs nothing, because they would be made anyway, and it lets an
 * idempotency key keep the very answer the first caller gets, rank included, in the same
 * transaction as the score.
 *
 * <p>To draft takes about as long as to store the batch, and neither needs the other: so large
 * drafts are made beside it, on another thread. Belongs to one thread otherwise.
 */
final class BatchDrafts {
  /** Changes of a batch from which on handing them to another thread pays. */
  private static final int BESIDE = 512;

  private final RankIndex index;
  private final Executor executor;
  private final Map<Long, Drafted> bySeason = new LinkedHashMap<>();

  private record Drafted(BatchEntries.Move move, Future<RankIndex.Draft> draft) {}

  BatchDrafts(RankIndex index, Executor executor) {
    this.index = index;
    this.executor = executor;
  }

  /** Begins to draft, and moves the seasons in the store. */
  void start(WriteTransaction tx, List<BatchEntries.Move> moves) {
    Map<Long, Long> lines = new HashMap<>();
    if (!moves.isEmpty()) {
      index.enter(tx.epoch());
    }
    boolean beside = moves.stream().mapToInt(move -> move.changes().size()).sum() >= BESIDE;
    for (BatchEntries.Move move : moves) {
      Season season = move.season();
      long from = tx.position(season.id());
      index.prepare(tx, move.board(), season, from);
      FutureTask<RankIndex.Draft> draft =
          new FutureTask<>(
              () -> index.draft(move.board(), season, from, move.line(), move.changes()));
      if (beside) {
        executor.execute(draft);
      } else {
        draft.run();
      }
      bySeason.put(season.id(), new Drafted(move, draft));
      lines.put(season.id(), move.line());
    }
    tx.moveSeasons(lines);
  }

  /** Waits until all are made; fails if one failed. */
  void finish() {
    for (Drafted drafted : bySeason.values()) {
      get(drafted.draft);
    }
  }

  /** The season as it will be; null if the batch does not change it or the index does not know. */
  @Nullable Ranking ranking(long season) {
    Drafted drafted = bySeason.get(season);
    return drafted == null ? null : get(drafted.draft).ranking();
  }

  /** After the commit: first everyone can see it, then those who watch hear of it. */
  void publish(List<ChangeListener> listeners) {
    for (Drafted drafted : bySeason.values()) {
      get(drafted.draft).publish();
    }
    for (Drafted drafted : bySeason.values()) {
      get(drafted.draft).awaitVisible();
    }
    for (Drafted drafted : bySeason.values()) {
      BatchEntries.Move move = drafted.move;
      for (ChangeListener listener : listeners) {
        listener.changed(move.board(), move.season(), move.line(), move.changes());
      }
    }
  }

  /** Not interruptible: a draft takes milliseconds, and the batch cannot go on without it. */
  private static RankIndex.Draft get(Future<RankIndex.Draft> draft) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return draft.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw new IllegalStateException("the index could not prepare the batch", e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
