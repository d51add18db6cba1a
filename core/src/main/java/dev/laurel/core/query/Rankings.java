package dev.laurel.core.query;

import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.archive.Archives;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import dev.laurel.core.rank.CappedRanking;
import dev.laurel.core.rank.NotFetchedException;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.SeasonLoad;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where an answer about ranks comes from: the index if it can, else the store; the archive for what
 * is nowhere else. Thread-safe.
 */
public final class Rankings {
  private static final int STORED_READS = 2;

  /** A crowd beyond it is told to come back: it would wait for longer than it wants to. */
  private static final int STORED_READS_WAITING = 256;

  private static final int STORED_READ_WAIT_SECONDS = 10;

  /** How long somebody who wrote waits for a rank. */
  private static final int AT_HAND_MILLIS = 250;

  private final Store store;
  private final RankIndex index;
  private final Users users;
  private final Archives archives;
  private final Semaphore storedReads = new Semaphore(STORED_READS, true);
  private final SpareTime spare = new SpareTime(System::nanoTime);

  public Rankings(Store store, RankIndex index, Users users, Archives archives) {
    this.store = store;
    this.index = index;
    this.users = users;
    this.archives = archives;
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
    return ranking == null ? null : view(board, season, ranking);
  }

  private @Nullable View view(Board board, Season season, Ranking ranking) {
    UserDictionary dictionary = users.ifLoaded(board.tenant());
    return dictionary == null
        ? null
        : new View(CappedRanking.of(ranking, board, season, dictionary), dictionary);
  }

  /**
   * For a question about these users, of whom the index of a capped season may not know all, and of
   * whom this node may not have heard.
   */
  public @Nullable View inMemory(Board board, Season season, List<String> about) {
    View view = inMemory(board, season);
    return view == null
            || (season.capacity() > 0 && unknown(view, about).length > 0)
            || (users.mayLack(view.users(), about) && !store.isDown())
        ? null
        : view;
  }

  /** Whether this node has heard of the user with this number. Never blocks. */
  public boolean hasMet(Board board, int user) {
    UserDictionary dictionary = users.ifLoaded(board.tenant());
    return dictionary != null && user <= dictionary.size();
  }

  /** Hears of everyone whom other nodes have numbered. Blocks. */
  public void meetAll(Board board) {
    users.all(board.tenant());
  }

  /** Asks the store for those of the users whom another node may have numbered. Blocks. */
  private void meet(Board board, List<String> about) {
    try {
      if (users.mayLack(users.of(board.tenant()), about)) {
        users.followNow(board.tenant());
      }
    } catch (StoreUnavailableException e) {
      // What is in memory is the answer then, marked as all of them are.
    }
  }

  private static int[] unknown(View view, List<String> about) {
    return about.stream()
        .mapToInt(view.users()::find)
        .filter(user -> user != 0 && !view.ranking().knows(user))
        .distinct()
        .toArray();
  }

  /** From memory but for those of the users whom only the store knows. Blocks. */
  private @Nullable View withOutsiders(Board board, Season season, List<String> about) {
    View view = inMemory(board, season);
    if (view == null || !(view.ranking() instanceof CappedRanking capped)) {
      return view;
    }
    int[] unknown = unknown(view, about);
    if (unknown.length == 0) {
      return view;
    }
    CappedRanking whole = capped.with(unknown, store.read(tx -> tx.entries(season.id(), unknown)));
    return whole == null ? null : new View(whole, view.users());
  }

  /** Null if only the store can answer. */
  private <T> CompletableFuture<@Nullable T> ask(
      Board board, Season season, @Nullable View view, Function<View, T> question) {
    if (view == null) {
      return CompletableFuture.completedFuture(null);
    }
    try {
      return CompletableFuture.completedFuture(question.apply(view));
    } catch (NotFetchedException e) {
      return fetched(board, season, e, question);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Goes on with a question that was asked of the index and lacked a fact. Completes with null if
   * only the store can answer.
   */
  public <T> CompletableFuture<@Nullable T> fetched(
      Board board, Season season, NotFetchedException missing, Function<View, T> question) {
    return missing
        .fetch()
        .thenCompose(
            next -> ask(board, season, next == null ? null : view(board, season, next), question));
  }

  /** From the index, wherever it is, for a thread that may wait; null if it cannot tell. */
  private <T> @Nullable T awaitIndex(
      Board board, Season season, List<String> about, Function<View, T> question) {
    try {
      return ask(board, season, withOutsiders(board, season, about), question).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /**
   * From the index, else from the store or the archive; then it blocks, and the function may not
   * ask anything else of the store. It may be asked several times, so it must have no effect but
   * its value. The view is valid only inside the function.
   *
   * <p>Only a few at once ask the store: such an answer may read a whole season, and what everyone
   * waits for is the index, which needs the store to catch up. Whoever waits here mostly finds it
   * ready.
   *
   * @param about whose rows the question is about
   */
  public <T> Answer<T> answer(
      Board board, Season season, List<String> about, Function<View, T> question) {
    meet(board, about);
    T ready = awaitIndex(board, season, about, question);
    if (ready != null) {
      return new Answer<>(ready, Source.INDEX);
    }
    Answer<T> stored = season.status().isAway() ? null : stored(board, season, about, question);
    return stored != null ? stored : archived(board, season, question);
  }

  /** Null if the store has it no more. */
  private <T> @Nullable Answer<T> stored(
      Board board, Season season, List<String> about, Function<View, T> question) {
    admitStoredRead();
    try {
      T late = awaitIndex(board, season, about, question);
      if (late != null) {
        return new Answer<>(late, Source.INDEX);
      }
      return read(board, season, question);
    } finally {
      storedReads.release();
    }
  }

  /** Null if the store has it no more. */
  private <T> @Nullable Answer<T> read(Board board, Season season, Function<View, T> question) {
    return store.read(
        tx -> {
          Season now = tx.season(season.id());
          if (now != null && now.status().isAway()) {
            return null;
          }
          // Again, as it is now: a revert takes final ranks back for a moment.
          boolean over = Seasons.isFinal(now == null ? season : now);
          UserDictionary dictionary = users.in(tx, board.tenant());
          Ranking ranking =
              over
                  ? CappedRanking.of(
                      new FinalRanking(tx, board, season, dictionary), board, season, dictionary)
                  : StoredRanking.of(tx, board, season, users);
          return new Answer<>(
              question.apply(new View(ranking, dictionary)), over ? Source.FINAL : Source.SQL);
        });
  }

  /**
   * For the answer to somebody whose write is stored: what the index says, or the store if it has
   * time to spare. Completes with null if neither can tell within a moment, and never fails: a
   * write that was done is never answered by an error, and does not wait for ranks. Returns at
   * once.
   *
   * @param about whose rows the question is about
   */
  public <T> CompletableFuture<@Nullable T> atHand(
      Board board, Season season, List<String> about, Function<View, T> question) {
    CompletableFuture<@Nullable T> answer = new CompletableFuture<>();
    try {
      ask(board, season, inMemory(board, season, about), question)
          .whenComplete(
              (found, failure) -> {
                if (found == null) {
                  spare
                      .use(() -> storedIfFree(board, season, question))
                      .thenAccept(answer::complete);
                } else {
                  answer.complete(found);
                }
              });
    } catch (RuntimeException e) {
      answer.complete(null);
    }
    answer.completeOnTimeout(null, AT_HAND_MILLIS, TimeUnit.MILLISECONDS);
    return answer;
  }

  private <T> @Nullable T storedIfFree(Board board, Season season, Function<View, T> question) {
    boolean free = false;
    try {
      // Without a wait, but not before those who wait.
      free = storedReads.tryAcquire(0, TimeUnit.SECONDS);
      Answer<T> answer = free ? read(board, season, question) : null;
      return answer == null ? null : answer.value();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      if (free) {
        storedReads.release();
      }
    }
  }

  /** As it is now: whoever asks looked the season up a moment ago. */
  private static boolean isAway(ReadTransaction tx, Season season) {
    Season now = tx.season(season.id());
    return now != null && now.status().isAway();
  }

  private <T> Answer<T> archived(Board board, Season season, Function<View, T> question) {
    UserDictionary dictionary = users.all(board.tenant());
    ArchivedSeason found = archives.open(board, season);
    Ranking ranking =
        CappedRanking.of(new ArchivedRanking(found, board, dictionary), board, season, dictionary);
    return new Answer<>(question.apply(new View(ranking, dictionary)), Source.ARCHIVE);
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
    FINAL,
    /** The same ranks, after they were removed from the store. */
    ARCHIVE
  }

  /** An answer, and where it came from. */
  public record Answer<T>(T value, Source source) {}

  /** The same where nobody asks where it came from. */
  public <T> T ask(Board board, Season season, List<String> about, Function<View, T> question) {
    return answer(board, season, about, question).value();
  }

  /** A user's row, and how many there are beside it. */
  public record Line(Ranking.Row row, long size) {}

  /** Empty if the user has no entry. Blocks. */
  public Optional<Line> line(Board board, Season season, String userId) {
    return ask(
        board,
        season,
        List.of(userId),
        view ->
            Optional.ofNullable(view.ranking().row(view.users().find(userId)))
                .map(row -> new Line(row, view.ranking().size())));
  }

  /**
   * All rows of a season from one state of it, to be taken page by page, however long that takes:
   * no transaction is held meanwhile. What is final does not change, and what the index has is a
   * snapshot; only while the index cannot answer, a snapshot is made for it. Blocks.
   */
  public Pages pages(Board board, Season season) {
    View ready = inMemory(board, season);
    // A ranking that is elsewhere is another one at each look.
    if (ready != null && index.ranking(board, season) instanceof RankSnapshot) {
      return new Pages(Source.INDEX, ready.users(), ready.ranking()::page);
    }
    UserDictionary dictionary = users.all(board.tenant());
    if (Seasons.isFinal(season)) {
      Source source = answer(board, season, List.of(), view -> true).source();
      return new Pages(
          source,
          dictionary,
          (offset, limit, sink) ->
              ask(
                  board,
                  season,
                  List.of(),
                  view -> {
                    view.ranking().page(offset, limit, sink);
                    return true;
                  }));
    }
    admitStoredRead();
    try {
      RankSnapshot all =
          store.read(
              Store.Reading.LONG,
              tx -> SeasonLoad.read(tx, board, season, users.follow(tx, board.tenant())));
      Ranking own = CappedRanking.of(all, board, season, dictionary);
      return new Pages(Source.SQL, dictionary, own::page);
    } finally {
      storedReads.release();
    }
  }

  /** Who wins what: as it was kept if the season is over, else as it would be now. Blocks. */
  public Prizes prizes(Board board, Season season) {
    List<PrizeTier> tiers;
    if (!season.isOver()) {
      Window window = board.window(season.window());
      tiers = window == null ? List.of() : window.prizes();
    } else {
      tiers = store.read(tx -> tx.prizes(season.id()));
    }
    int revision = store.read(tx -> tx.finalRevision(season.id()));
    return ask(
        board, season, List.of(), view -> Prizes.of(tiers, revision, view.ranking(), view.users()));
  }

  /**
   * The metadata of the submission that gave a user the score of this row, a JSON object; empty if
   * the entry has changed since. Blocks.
   */
  public Optional<String> metadata(Board board, Season season, Ranking.Row row) {
    Entry entry =
        store.read(
            tx ->
                isAway(tx, season)
                    ? null
                    : tx.entries(season.id(), new int[] {row.user()}).getFirst());
    if (entry == null) {
      // Entries are never without a trace but for those in the archive.
      entry = archivedEntry(board, season, users.of(board.tenant()).id(row.user()));
    }
    return entry == null
            || entry.deleted()
            || entry.score() != row.score()
            || entry.reached() != row.reached()
        ? Optional.empty()
        : Optional.ofNullable(entry.metadata());
  }

  private @Nullable Entry archivedEntry(Board board, Season season, String userId) {
    ArchivedSeason archived = archives.open(board, season);
    long position = archived.position(userId);
    return position < 0 ? null : archived.rows(position, 1).getFirst().entry();
  }
}
