package dev.laurel.core.query;

import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.archive.Archives;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.FairTurns;
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
import dev.laurel.core.store.Asker;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
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

  private static final int STORED_READS_WAITING_OF_A_TENANT = 192;

  private static final int STORED_READ_WAIT_SECONDS = 10;

  /** How long somebody who wrote waits for a rank. */
  private static final int AT_HAND_MILLIS = 250;

  private final Store store;
  private final RankIndex index;
  private final Users users;
  private final Archives archives;
  private final ErasedTies ties;
  private final PastScores past;
  private final FairTurns storedReads =
      new FairTurns(STORED_READS, STORED_READS_WAITING, STORED_READS_WAITING_OF_A_TENANT);
  private final SpareTime spare = new SpareTime(System::nanoTime);
  private final Map<Served, LongAdder> served = new EnumMap<>(Served.class);

  public Rankings(Store store, RankIndex index, Users users, Archives archives) {
    this.store = store;
    this.index = index;
    this.users = users;
    this.archives = archives;
    this.ties = new ErasedTies(users);
    this.past = new PastScores(store);
    for (Served by : Served.values()) {
      served.put(by, new LongAdder());
    }
  }

  /** What an answer came from, as metrics tell it. */
  public enum Served {
    /** An index in this process. */
    MEMORY,
    /** An index that nodes share. */
    SHARED,
    SQL,
    FINAL,
    ARCHIVE
  }

  /** How many questions were answered so since the start. */
  public long served(Served by) {
    return counter(by).sum();
  }

  private LongAdder counter(Served by) {
    return Objects.requireNonNull(served.get(by));
  }

  /** The question that somebody asked of this view was answered. */
  public void answered(View view) {
    counter(view.ranking.isShared() ? Served.SHARED : Served.MEMORY).increment();
  }

  /** A season's ranks with the names of its users. */
  public record View(Ranking ranking, UserDictionary users) {
    /**
     * A page that a caller has chosen.
     *
     * @throws dev.laurel.core.model.RejectedException PAGE_TOO_DEEP if it would cost too much where
     *     the ranks come from now
     */
    public void page(long offset, int limit, Ranking.RowSink sink) {
      long deepest = ranking.deepest();
      if (offset > deepest) {
        if (offset >= ranking.size()) {
          return;
        }
        throw Rejection.expectation(
                ErrorCode.PAGE_TOO_DEEP,
                "offset",
                offset,
                "at most " + deepest + " while ranks come from the database; try again later")
            .asException();
      }
      ranking.page(offset, limit, sink);
    }
  }

  /** From memory, without blocking; null if only the store can answer. */
  public @Nullable View inMemory(Board board, Season season) {
    if (Seasons.isFinal(season) && !board.seasons().contains(season)) {
      // Not worth the memory: it is seldom asked for, and its ranks are written down.
      return null;
    }
    Ranking ranking = index.ranking(board, season);
    return ranking == null || (Seasons.isFinal(season) && ties.in(board, season, ranking))
        ? null
        : view(board, season, ranking);
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
      T answer = question.apply(view);
      answered(view);
      return CompletableFuture.completedFuture(answer);
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
    admitStoredRead(board);
    try {
      T late = awaitIndex(board, season, about, question);
      if (late != null) {
        return new Answer<>(late, Source.INDEX);
      }
      return read(board, season, question);
    } finally {
      storedReads.give();
    }
  }

  /** Null if the store has it no more. */
  private <T> @Nullable Answer<T> read(Board board, Season season, Function<View, T> question) {
    return store.read(
        tx -> {
          NewEpochException.unless(tx, board.epoch());
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
          T answer = question.apply(new View(ranking, dictionary));
          counter(over ? Served.FINAL : Served.SQL).increment();
          return new Answer<>(answer, over ? Source.FINAL : Source.SQL);
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
    if (!storedReads.takeIfFree()) {
      return null;
    }
    try {
      Answer<T> answer = read(board, season, question);
      return answer == null ? null : answer.value();
    } finally {
      storedReads.give();
    }
  }

  /** As it is now: whoever asks looked the season up a moment ago. */
  private static boolean isAway(ReadTransaction tx, Season season) {
    Season now = tx.season(season.id());
    return now != null && now.status().isAway();
  }

  private <T> Answer<T> archived(Board board, Season season, Function<View, T> question) {
    ArchivedSeason found = archives.open(board, season);
    // Afterwards: with the names of those who were erased by then.
    UserDictionary dictionary = users.all(board.tenant());
    Ranking ranking =
        CappedRanking.of(new ArchivedRanking(found, board, dictionary), board, season, dictionary);
    T answer = question.apply(new View(ranking, dictionary));
    counter(Served.ARCHIVE).increment();
    return new Answer<>(answer, Source.ARCHIVE);
  }

  private void admitStoredRead(Board board) {
    if (storedReads.take(board.tenant(), turn -> Asker.acquire(turn, STORED_READ_WAIT_SECONDS))) {
      return;
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
    return ask(board, season, List.of(userId), view -> Optional.ofNullable(line(view, userId)));
  }

  private static @Nullable Line line(View view, String userId) {
    Ranking.Row row = view.ranking().row(view.users().find(userId));
    return row == null ? null : new Line(row, view.ranking().size());
  }

  /** What can be told of a user's line within some time. */
  public sealed interface LineInTime {
    record Found(Line line) implements LineInTime {}

    /** The user has no entry. */
    record None() implements LineInTime {}

    /** The index cannot tell, and the store does not in time. */
    record Unknown() implements LineInTime {}
  }

  /** From the index, else from the store if that answers in time. Blocks. */
  public LineInTime line(Board board, Season season, String userId, Duration patience) {
    Function<View, LineInTime> question =
        view -> {
          Line line = line(view, userId);
          return line == null ? new LineInTime.None() : new LineInTime.Found(line);
        };
    List<String> about = List.of(userId);
    LineInTime ready = ask(board, season, inMemory(board, season, about), question).join();
    if (ready != null) {
      return ready;
    }
    CompletableFuture<LineInTime> answer = new CompletableFuture<>();
    if (store.isDown() || !patience.isPositive()) {
      return new LineInTime.Unknown();
    }
    Thread.ofVirtual()
        .name("laurel-line")
        .start(
            () -> {
              try {
                answer.complete(ask(board, season, about, question));
              } catch (StoreUnavailableException e) {
                answer.complete(new LineInTime.Unknown());
              } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
              }
            });
    answer.completeOnTimeout(new LineInTime.Unknown(), patience.toMillis(), TimeUnit.MILLISECONDS);
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /**
   * All rows of a season from one state of it, to be taken page by page, however long that takes:
   * no transaction is held meanwhile. What is final does not change, and what the index has is a
   * snapshot; only while the index cannot answer, a snapshot is made for it. Blocks.
   */
  public Pages pages(Board board, Season season) {
    List<PrizeTier> tiers = tiers(board, season);
    Pages.Entries entries = (offset, numbers) -> entries(board, season, offset, numbers);
    View ready = inMemory(board, season);
    if (ready != null && isSnapshot(board, season)) {
      Ranking own = ready.ranking();
      Pages.Field field = new Pages.Field(own.size(), tiers);
      return new Pages(Source.INDEX, ready.users(), own::page, entries, field);
    }
    UserDictionary dictionary = users.all(board.tenant());
    if (Seasons.isFinal(season)) {
      Answer<Long> size = answer(board, season, List.of(), view -> view.ranking().size());
      return new Pages(
          size.source(),
          dictionary,
          (offset, limit, sink) ->
              ask(
                  board,
                  season,
                  List.of(),
                  view -> {
                    view.ranking().page(offset, limit, sink);
                    return true;
                  }),
          entries,
          new Pages.Field(size.value(), tiers));
    }
    admitStoredRead(board);
    try {
      RankSnapshot all =
          store.read(
              Store.Reading.LONG,
              tx -> {
                NewEpochException.unless(tx, board.epoch());
                return SeasonLoad.read(tx, board, season, users.follow(tx, board.tenant()));
              });
      Ranking own = CappedRanking.of(all, board, season, dictionary);
      Pages.Field field = new Pages.Field(own.size(), tiers);
      return new Pages(Source.SQL, dictionary, own::page, entries, field);
    } finally {
      storedReads.give();
    }
  }

  /**
   * Whether {@link #pages} holds all rows in memory for itself, as long as its pages are taken.
   * Never blocks.
   */
  public boolean copies(Board board, Season season) {
    return !Seasons.isFinal(season)
        && (inMemory(board, season) == null || !isSnapshot(board, season));
  }

  /** A ranking that is elsewhere is another one at each look. */
  private boolean isSnapshot(Board board, Season season) {
    return index.ranking(board, season) instanceof RankSnapshot;
  }

  /** What is stored of the users of neighbouring rows. */
  private List<@Nullable Entry> entries(Board board, Season season, long offset, int[] numbers) {
    List<@Nullable Entry> stored =
        store.read(tx -> isAway(tx, season) ? null : tx.entries(season.id(), numbers));
    if (stored != null) {
      return stored;
    }
    List<@Nullable Entry> archived = new ArrayList<>(numbers.length);
    for (ArchivedRow row : archives.open(board, season).rows(offset, numbers.length)) {
      archived.add(row.entry());
    }
    return archived;
  }

  /** What can be won: as it was kept if the season is over, else as it is configured now. */
  private List<PrizeTier> tiers(Board board, Season season) {
    if (season.isOver()) {
      return store.read(tx -> tx.prizes(season.id()));
    }
    Window window = board.window(season.window());
    return window == null ? List.of() : window.prizes();
  }

  /** Who wins what: as it was kept if the season is over, else as it would be now. Blocks. */
  public Prizes prizes(Board board, Season season) {
    return prizes(board, season, Prizes.Part.FIRST);
  }

  /** The same with other winners than the first ones. Blocks. */
  public Prizes prizes(Board board, Season season, Prizes.Part part) {
    List<PrizeTier> tiers = tiers(board, season);
    int revision = store.read(tx -> tx.finalRevision(season.id()));
    return ask(
        board,
        season,
        List.of(),
        view -> Prizes.of(board, tiers, revision, view.ranking(), view.users(), part));
  }

  /** What a user wins, however many others do; empty if nothing. Blocks. */
  public Optional<Won> prize(Board board, Season season, String userId) {
    List<PrizeTier> tiers = tiers(board, season);
    return ask(
        board,
        season,
        List.of(userId),
        view ->
            Optional.ofNullable(Prizes.winner(board, tiers, view.ranking(), view.users(), userId))
                .map(winner -> new Won(tiers.get(winner.tier()), winner.rank())));
  }

  /** What users had at earlier lines. */
  public PastScores past() {
    return past;
  }

  /** What the store says of a season; null if there is none of this number. Blocks. */
  public @Nullable Season season(long id) {
    return store.<@Nullable Season>read(tx -> tx.season(id));
  }

  /** A prize, and the rank that wins it. */
  public record Won(PrizeTier tier, long rank) {}

  /**
   * The metadata of the submission that gave a user the score of this row, unless the entry has
   * changed since. An index may still say of an erased user's that there is some. Blocks.
   */
  public ScoreMetadata.Found metadata(Board board, Season season, Ranking.Row row) {
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
    if (entry == null
        || entry.deleted()
        || entry.score() != row.score()
        || entry.reached() != row.reached()) {
      return new ScoreMetadata.Found.Changed();
    }
    String json = entry.metadata();
    return json == null ? new ScoreMetadata.Found.None() : new ScoreMetadata.Found.Is(json);
  }

  private @Nullable Entry archivedEntry(Board board, Season season, String userId) {
    ArchivedSeason archived = archives.open(board, season);
    long position = archived.position(userId);
    return position < 0 ? null : archived.rows(position, 1).getFirst().entry();
  }
}
