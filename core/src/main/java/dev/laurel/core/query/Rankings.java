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
   * From the store, or from the index if that has caught up meanwhile. Blocks; the view is valid
   * only inside the function, which may not ask anything else of the store.
   *
   * <p>Only a few at once: such an answer may read a whole season, and what everyone waits for is
   * the index, which needs the store to catch up. Whoever waits here mostly finds it ready.
   */
  public <T> Answer<T> stored(Board board, Season season, Function<View, T> question) {
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

  /** From wherever it is. Blocks only if the index cannot answer. */
  public <T> T ask(Board board, Season season, Function<View, T> question) {
    View view = inMemory(board, season);
    return view != null ? question.apply(view) : stored(board, season, question).value();
  }

  /** The metadata of the submission that gave a user the present score, a JSON object. Blocks. */
  public Optional<String> metadata(Season season, int user) {
    return store.read(
        tx -> {
          Entry entry = tx.entries(season.id(), new int[] {user}).getFirst();
          return entry == null || entry.deleted()
              ? Optional.empty()
              : Optional.ofNullable(entry.metadata());
        });
  }
}
