package dev.laurel.core.repair;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.CatchUpObserver;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The seasons whose index is wrong or behind on this node: what, why and since when. It is lost
 * with the process, as the local index is; what is wrong in Redis is found again. Thread-safe.
 */
public final class RepairQueue implements CatchUpObserver, RememberedStore.Part {
  /** Whoever breaks more than this has one problem, not many. */
  static final int MAX = 10_000;

  private static final long PAUSE_MILLIS = Duration.ofSeconds(10).toMillis();

  private final Map<Long, Item> items = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final Consumer<Throwable> onFailure;

  /**
   * @param onFailure told when a season begins to fail
   */
  public RepairQueue(InstantSource clock, Consumer<Throwable> onFailure) {
    this.clock = clock;
    this.onFailure = onFailure;
  }

  /** What has to be done. */
  public enum Kind {
    /** It could not catch up. */
    CATCH_UP,
    /** It was compared with the store and is wrong, or did not answer. */
    REBUILD
  }

  /**
   * One season.
   *
   * @param attempts how often it was tried in vain since
   * @param next when it is tried again, epoch milliseconds
   */
  public record Item(
      Board board, Season season, Kind kind, String problem, long since, int attempts, long next) {}

  @Override
  public void failed(Board board, Season season, Throwable cause) {
    if (cause instanceof NewEpochException) {
      return; // the index has forgotten it
    }
    boolean isNew = put(board, season, Kind.CATCH_UP, said(cause));
    // An index elsewhere that is away has said so itself, once and not for every season.
    if (isNew && !(cause instanceof CompletionException)) {
      onFailure.accept(cause);
    }
  }

  /** The index begins with nothing, and so does this. */
  @Override
  public void enter(ReadTransaction tx) {
    items.clear();
  }

  @Override
  public void succeeded(Season season) {
    Item item = items.get(season.id());
    if (item != null && item.kind == Kind.CATCH_UP) {
      items.remove(season.id(), item);
    }
  }

  /** It is known to be wrong: it is built anew. */
  public void wrong(Board board, Season season, String problem) {
    put(board, season, Kind.REBUILD, problem);
  }

  /** A check found it right. */
  void right(Season season) {
    items.remove(season.id());
  }

  private boolean put(Board board, Season season, Kind kind, String problem) {
    long now = clock.millis();
    Item known = items.get(season.id());
    if (known == null && items.size() >= MAX) {
      return false;
    }
    // What has to be rebuilt is not mended by a catch-up.
    Kind worst = known != null && known.kind == Kind.REBUILD ? Kind.REBUILD : kind;
    long since = known == null ? now : known.since;
    int attempts = known == null ? 0 : known.attempts;
    long next = known == null || known.kind != worst ? now : known.next;
    items.put(season.id(), new Item(board, season, worst, problem, since, attempts, next));
    return known == null;
  }

  /** What is to be tried now; it is not due again for a while. */
  List<Item> takeDue() {
    long now = clock.millis();
    List<Item> due = items.values().stream().filter(item -> item.next <= now).toList();
    for (Item item : due) {
      items.computeIfPresent(
          item.season.id(),
          (_, i) ->
              new Item(
                  i.board,
                  i.season,
                  i.kind,
                  i.problem,
                  i.since,
                  i.attempts + 1,
                  now + PAUSE_MILLIS));
    }
    return due;
  }

  /** Longest first. */
  public List<Item> list() {
    return items.values().stream().sorted(Comparator.comparingLong(Item::since)).toList();
  }

  public @Nullable Item find(Season season) {
    return items.get(season.id());
  }

  public int size() {
    return items.size();
  }

  /** A cause in words. */
  public static String said(Throwable cause) {
    Throwable told =
        cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
    String message = told.getMessage();
    return message == null ? told.getClass().getSimpleName() : message;
  }
}
