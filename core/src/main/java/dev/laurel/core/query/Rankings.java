package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import dev.laurel.core.rank.NotFetchedException;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where an answer about ranks comes from: the index if it can, else the store. Thread-safe. */
public final class Rankings {
  private static final int STORED_READS = 2;

  /** A crowd beyond it is told to come back: it would wait for longer than it wants to. */
  private static final int STORED_READS_WAITING = 256;

  private static final int STORED_READ_WAIT_SECONDS = 10;

  private final Store store;
  private final RankIndex index;
  private final Users users;
  private final Semaphore storedReads = new Semaphore(STORED_READS, true);

  public Rankings(Store store, RankIndex index, Users users) {
    this.store = store;
    this.index = index;
    this.users = users;
  }

  /** A season's ranks with the names of its users. */
  public record View(Ranking ranking, UserDictionary users) {}

  /** From memory, without blocking; null if only the store can answer. */
  public @Nullable View inMemory(Board board, Season season) {
    if (Seasons.isFinal(season) && !board.seasons().contains(season)) {
      // Not worth the memory: it is seldom asked for, and its ranks are written down.
      return null;
    }
    Ranking ranking = index.ranking(board, season);
    return ranking == null ? null : view(board, ranking);
  }

  private @Nullable View view(Board board, Ranking ranking) {
    UserDictionary dictionary = users.ifLoaded(board.tenant());
    return dictionary == null ? null : new View(ranking, dictionary);
  }

  /**
   * From the index, wherever it is, without blocking; completes with null if only the store can
   * answer. The question may be asked several times, so it must have no effect but its value.
   */
  public <T> CompletableFuture<@Nullable T> fromIndex(
      Board board, Season season, Function<View, T> question) {
    return ask(board, inMemory(board, season), question);
  }

  private <T> CompletableFuture<@Nullable T> ask(
      Board board, @Nullable View view, Function<View, T> question) {
    if (view == null) {
      return CompletableFuture.completedFuture(null);
    }
    try {
      return CompletableFuture.completedFuture(question.apply(view));
    } catch (NotFetchedException e) {
      return fetched(board, e, question);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Goes on with a question that was asked of the index and lacked a fact. */
  public <T> CompletableFuture<@Nullable T> fetched(
      Board board, NotFetchedException missing, Function<View, T> question) {
    return missing
        .fetch()
        .thenCompose(next -> ask(board, next == null ? null : view(board, next), question));
  }

  /** The same for a thread that may wait. */
  private <T> @Nullable T awaitIndex(Board board, Season season, Function<View, T> question) {
    try {
      return fromIndex(board, season, question).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /**
   * From the index, else from the store; then it blocks, and the function may not ask anything else
   * of the store, and may be asked several times. The view is valid only inside the function.
   *
   * <p>Only a few at once ask the store: such an answer may read a whole season, and what everyone
   * waits for is the index, which needs the store to catch up. Whoever waits here mostly finds it
   * ready.
   */
  public <T> Answer<T> answer(Board board, Season season, Function<View, T> question) {
    T ready = awaitIndex(board, season, question);
    if (ready != null) {
      return new Answer<>(ready, Source.INDEX);
    }
    UserDictionary dictionary = users.of(board.tenant());
    admitStoredRead();
    try {
      T late = awaitIndex(board, season, question);
      if (late != null) {
        return new Answer<>(late, Source.INDEX);
      }
      return store.read(
          tx -> {
            boolean over = Seasons.isFinal(season);
            Ranking ranking =
                over
                    ? new FinalRanking(tx, board, season, dictionary)
                    : new StoredRanking(tx, board, season, users);
            return new Answer<>(
                question.apply(new View(ranking, dictionary)), over ? Source.FINAL : Source.SQL);
          });
    } finally {
      storedReads.release();
    }
  }

  private void admitStoredRead() {
    try {
      if (storedReads.getQueueLength() < STORED_READS_WAITING
          && storedReads.tryAcquire(STORED_READ_WAIT_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw Rejection.of(
            ErrorCode.OVERLOADED, "too many reads wait for the store: try again in a moment")
        .asException();
  }

  /** Where an answer came from. */
  public enum Source {
    INDEX,
    /** The same question, asked of the entries. */
    SQL,
    /** The final ranks of a season that is over. */
    FINAL
  }

  /** An answer, and where it came from. */
  public record Answer<T>(T value, Source source) {}

  /** The same where nobody asks where it came from. */
  public <T> T ask(Board board, Season season, Function<View, T> question) {
    return answer(board, season, question).value();
  }

  /** Who wins what: as it was kept if the season is over, else as it would be now. Blocks. */
  public Prizes prizes(Board board, Season season) {
    List<PrizeTier> tiers;
    if (season.status().isWritable()) {
      Window window = board.window(season.window());
      tiers = window == null ? List.of() : window.prizes();
    } else {
      tiers = store.read(tx -> tx.prizes(season.id()));
    }
    return ask(board, season, view -> Prizes.of(tiers, view.ranking(), view.users()));
  }

  /**
   * The metadata of the submission that gave a user the score of this row, a JSON object; empty if
   * the entry has changed since. Blocks.
   */
  public Optional<String> metadata(Season season, Ranking.Row row) {
    return store.read(
        tx -> {
          Entry entry = tx.entries(season.id(), new int[] {row.user()}).getFirst();
          return entry == null
                  || entry.deleted()
                  || entry.score() != row.score()
                  || entry.reached() != row.reached()
              ? Optional.empty()
              : Optional.ofNullable(entry.metadata());
        });
  }
}
