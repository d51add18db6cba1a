package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.Store;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where an answer about ranks comes from: the index if it can, else the store. Thread-safe. */
public final class Rankings {
  private static final int STORED_READS = 2;

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
    Ranking ranking = index.ranking(board, season);
    UserDictionary dictionary = users.ifLoaded(board.tenant());
    return ranking == null || dictionary == null ? null : new View(ranking, dictionary);
  }

  /**
   * From the index, else from the store; then it blocks, and the function may not ask anything else
   * of the store. The view is valid only inside the function.
   *
   * <p>Only a few at once ask the store: such an answer may read a whole season, and what everyone
   * waits for is the index, which needs the store to catch up. Whoever waits here mostly finds it
   * ready.
   */
  public <T> Answer<T> answer(Board board, Season season, Function<View, T> question) {
    View ready = inMemory(board, season);
    if (ready != null) {
      return new Answer<>(question.apply(ready), false);
    }
    UserDictionary dictionary = users.of(board.tenant());
    storedReads.acquireUninterruptibly();
    try {
      View view = inMemory(board, season);
      if (view != null) {
        return new Answer<>(question.apply(view), false);
      }
      return store.read(
          tx -> {
            Ranking ranking = new StoredRanking(tx, board, season, users);
            return new Answer<>(question.apply(new View(ranking, dictionary)), true);
          });
    } finally {
      storedReads.release();
    }
  }

  /** An answer, and whether it came from the store. */
  public record Answer<T>(T value, boolean fromStore) {}

  /** The same where nobody asks where it came from. */
  public <T> T ask(Board board, Season season, Function<View, T> question) {
    return answer(board, season, question).value();
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
