package dev.laurel.core.pipeline;

import dev.laurel.core.live.ChangeListener;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.vital.Failures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
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

  /** What became of a draft. */
  private sealed interface Made {
    record Ready(RankIndex.Draft draft) implements Made {}

    record Failed(Throwable cause) implements Made {}
  }

  private static final class Drafted {
    final BatchEntries.Move move;
    private final Future<RankIndex.Draft> draft;

    /** Every line of the batch asks. */
    private @Nullable Made made;

    Drafted(BatchEntries.Move move, Future<RankIndex.Draft> draft) {
      this.move = move;
      this.draft = draft;
    }

    Made made() {
      Made known = made;
      if (known == null) {
        known = await();
        made = known;
      }
      return known;
    }

    /** Not interruptible: a draft takes milliseconds, and the batch cannot go on without it. */
    private Made await() {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            return new Made.Ready(draft.get());
          } catch (InterruptedException e) {
            interrupted = true;
          } catch (ExecutionException e) {
            return new Made.Failed(e.getCause() == null ? e : e.getCause());
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  BatchDrafts(RankIndex index, Executor executor) {
    this.index = index;
    this.executor = executor;
  }

  /**
   * Begins to draft, and moves the seasons in the store.
   *
   * @param stamp of the batch's lines
   */
  void start(WriteTransaction tx, List<BatchEntries.Move> moves, long stamp) {
    Map<Long, Long> lines = new HashMap<>();
    long epoch = tx.epoch();
    boolean beside = moves.stream().mapToInt(move -> move.changes().size()).sum() >= BESIDE;
    for (BatchEntries.Move move : moves) {
      Season season = move.season();
      long from = tx.position(season.id());
      index.prepare(tx, move.board(), season, from);
      FutureTask<RankIndex.Draft> draft =
          new FutureTask<>(
              () ->
                  index.draft(
                      move.board(),
                      season,
                      new RankIndex.Step(epoch, from, move.line(), stamp),
                      move.changes()));
      if (!beside || !Failures.survive(() -> executor.execute(draft), _ -> {})) {
        draft.run();
      }
      bySeason.put(season.id(), new Drafted(move, draft));
      lines.put(season.id(), move.line());
    }
    tx.moveSeasons(lines);
  }

  /** Waits until all are made. */
  void finish() {
    for (Drafted drafted : bySeason.values()) {
      var _ = drafted.made();
    }
  }

  /**
   * The season as it will be; one that the batch does not change as readers see it. Null if the
   * index does not know.
   */
  @Nullable Ranking ranking(Board board, Season season) {
    Drafted drafted = bySeason.get(season.id());
    if (drafted == null) {
      return board.seasons().stream().anyMatch(listed -> listed.id() == season.id())
          ? index.ranking(board, season)
          : null; // it is over, and in no index
    }
    return drafted.made() instanceof Made.Ready(RankIndex.Draft draft) ? draft.ranking() : null;
  }

  /** After the commit: first everyone can see it, then those who watch hear of it. */
  void publish(List<ChangeListener> listeners, Consumer<Throwable> onFailure) {
    List<Drafted> published = new ArrayList<>(bySeason.size());
    for (Drafted drafted : bySeason.values()) {
      if (hand(drafted, RankIndex.Draft::publish, onFailure)) {
        published.add(drafted);
      }
    }
    for (Drafted drafted : published) {
      hand(drafted, RankIndex.Draft::awaitVisible, onFailure);
    }
    for (Drafted drafted : bySeason.values()) {
      BatchEntries.Move move = drafted.move;
      for (ChangeListener listener : listeners) {
        Failures.survive(
            () -> listener.changed(move.board(), move.season(), move.line(), move.changes()),
            onFailure);
      }
    }
  }

  /** An index that cannot take a commit is behind; it holds nobody up who wrote. */
  private boolean hand(
      Drafted drafted, Consumer<RankIndex.Draft> step, Consumer<Throwable> onFailure) {
    boolean handed =
        switch (drafted.made()) {
          case Made.Ready(RankIndex.Draft draft) ->
              Failures.survive(() -> step.accept(draft), onFailure);
          case Made.Failed(Throwable cause) -> {
            Failures.tell(onFailure, cause);
            yield false;
          }
        };
    if (!handed) {
      BatchEntries.Move move = drafted.move;
      Failures.survive(() -> index.missed(move.board(), move.season(), move.line()), onFailure);
    }
    return handed;
  }
}
