package dev.laurel.core.live;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.model.Window;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.Seasons;
import dev.laurel.core.rank.NotFetchedException;
import dev.laurel.core.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One range that is watched: looks at it when told to, one look at a time, and not again before
 * everyone was told of the last one. Belongs to the hub's thread.
 */
final class LiveRange {
  /** Somebody who comes back within it finds the messages that they missed. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** How long a message waits for what somebody had before. */
  private static final long BEFORE_MILLIS = 1000;

  private final LiveHub hub;
  private final Watched what;
  private final WatchedBoard group;
  private final Audience audience;
  private final Feed feed;

  /** The season as it was last seen. */
  private Season known;

  private boolean asking;
  private final boolean open;
  private final List<Audience.Newcomer> waiting = new ArrayList<>();
  private int watchers;

  /** In which the range was last found there. */
  private long epoch;

  private long leftAt;
  private boolean busy;

  /** Whether it was to be looked at while it was busy, or a look failed. */
  private boolean stale;

  LiveRange(
      LiveHub hub,
      Watched what,
      Board board,
      Season season,
      WatchedBoard group,
      Audience audience) {
    this.hub = hub;
    this.what = what;
    this.known = season;
    this.open = isOpen(board);
    this.epoch = board.epoch();
    this.group = group;
    this.audience = audience;
    this.feed = new Feed(what.range(), what.encoding());
    feed.remember(hub.recentBytes());
  }

  Watched what() {
    return what;
  }

  WatchedBoard group() {
    return group;
  }

  Audience audience() {
    return audience;
  }

  void join(Audience.Newcomer newcomer) {
    watchers++;
    Board board = board();
    if (feed.hasPicture() && (board == null || feed.isNamedAsNow(board))) {
      newcomer.join(audience, feed.first(newcomer.lastId()));
    } else {
      waiting.add(newcomer);
      look();
    }
  }

  void leave() {
    watchers--;
    leftAt = System.nanoTime();
  }

  /** Once a second. True if it is not needed any more. */
  boolean sweep(long now) {
    feed.remember(hub.recentBytes());
    if (watchers == 0) {
      return !busy && now - leftAt > LINGER_NANOS;
    }
    Board board = board();
    if (waiting.isEmpty() && (board == null || isOpen(board) != open)) {
      // Who may still watch it comes back; the others are refused then.
      audience.end();
      return true;
    }
    if (board != null && feed.hasPicture()) {
      Season season = season(board);
      if (stale || !feed.hasSeen(board, season)) {
        look();
      } else if (!asking && !Seasons.isFinal(season) && !isListed(board, season)) {
        asking = true;
        askWhatBecameOf(season);
      }
    } else if (stale) {
      look();
    }
    return false;
  }

  private static boolean isListed(Board board, Season season) {
    return board.seasons().stream().anyMatch(listed -> listed.id() == season.id());
  }

  /** A board lists its newest seasons; of others only the store knows that they are over. */
  private void askWhatBecameOf(Season season) {
    Thread.ofVirtual()
        .name("laurel-live-season")
        .start(
            () -> {
              @Nullable Season found = null;
              try {
                found = hub.rankings().season(season.id());
              } catch (Throwable e) {
                hub.failed(e);
              }
              @Nullable Season answer = found;
              hub.execute(
                  () -> {
                    asking = false;
                    known = answer == null ? known : answer;
                  });
            });
  }

  void look() {
    stale = busy;
    Board board = board();
    if (busy || board == null) {
      return;
    }
    busy = true;
    Season season = season(board);
    Function<Rankings.View, Feed.Look> question = view -> feed.look(view, season);
    CompletableFuture<Feed.@Nullable Look> found;
    try {
      Rankings.View view = hub.rankings().inMemory(board, season, about());
      if (view != null) {
        complete(board, season, question.apply(view));
        return;
      }
      found = CompletableFuture.completedFuture(null);
    } catch (NotFetchedException e) {
      found = hub.rankings().fetched(board, season, e, question);
    } catch (Throwable e) {
      failed(e);
      return;
    }
    found.whenComplete(
        (look, failure) -> {
          if (look != null) {
            hub.execute(() -> complete(board, season, look));
          } else if (failure != null) {
            hub.execute(() -> failed(failure));
          } else {
            ask(board, season, question);
          }
        });
  }

  /** Of the store, on a thread that may wait. */
  private void ask(Board board, Season season, Function<Rankings.View, Feed.Look> question) {
    Thread.ofVirtual()
        .name("laurel-live-read")
        .start(
            () -> {
              try {
                Feed.Look look = hub.rankings().ask(board, season, about(), question);
                hub.execute(() -> complete(board, season, look));
              } catch (Throwable e) {
                hub.execute(() -> failed(e));
              }
            });
  }

  /**
   * Takes a look, when it is known what those had before who came into the range. An index in
   * memory can be asked about its last state; of any other the ledger knows it.
   */
  private void complete(Board board, Season season, Feed.Look look) {
    int[] unknown = look.unknownBefore();
    if (unknown.length == 0) {
      take(board, season, look);
      return;
    }
    CompletableFuture<Map<Integer, Long>> before = new CompletableFuture<>();
    before
        // What is known is told all the same, as reads are answered.
        .completeOnTimeout(Map.of(), BEFORE_MILLIS, TimeUnit.MILLISECONDS)
        .thenAccept(scores -> hub.execute(() -> take(board, season, look.with(scores))));
    Thread.ofVirtual()
        .name("laurel-live-before")
        .start(
            () -> {
              try {
                before.complete(hub.rankings().past().scores(board, season, unknown, look.since()));
              } catch (StoreUnavailableException e) {
                before.complete(Map.of());
              } catch (Throwable e) {
                hub.failed(e);
                before.complete(Map.of());
              }
            });
  }

  /** A look that could not be told must not be the last one. */
  private void take(Board board, Season season, Feed.Look look) {
    try {
      found(board, season, look);
    } catch (Throwable e) {
      failed(e);
    }
  }

  private void found(Board board, Season season, Feed.Look look) {
    known = season;
    byte[] message = feed.take(board, season, look, hub.epoch());
    for (Audience.Newcomer newcomer : waiting) {
      newcomer.join(audience, feed.first(newcomer.lastId()));
    }
    waiting.clear();
    if (message == null || watchers == 0) {
      rested();
      return;
    }
    long begin = System.nanoTime();
    audience.tell(
        message,
        () -> {
          // As long as it took: telling takes half of the time of whoever does it, at most.
          long took = System.nanoTime() - begin;
          hub.schedule(this::rested, took);
        });
  }

  private void rested() {
    busy = false;
    if (stale) {
      group.mark();
    }
  }

  private void failed(Throwable why) {
    busy = false;
    stale = true; // tried again by the sweep
    if (waiting.isEmpty()) {
      hub.failed(why);
    }
    watchers -= waiting.size();
    leftAt = System.nanoTime();
    waiting.forEach(newcomer -> newcomer.fail(why));
    waiting.clear();
  }

  /** Null also if the board or its season is another one in the epoch that the store is in now. */
  private @Nullable Board board() {
    Board board = hub.board(what.board());
    if (board == null || !board.leaderboardId().equals(what.leaderboardId())) {
      return null;
    }
    if (board.epoch() != epoch) {
      if (!hasSeason(board)) {
        return null;
      }
      epoch = board.epoch();
    }
    return board;
  }

  private boolean hasSeason(Board board) {
    Window window = board.window(what.window());
    return what.season() == Watched.NEWEST
        ? window != null && board.newest(window) != null
        : board.seasons().stream()
            .anyMatch(
                season ->
                    season.id() == known.id()
                        && season.window() == known.window()
                        && season.start() == known.start());
  }

  private List<String> about() {
    return what.range() instanceof Range.Around(String userId, int _) ? List.of(userId) : List.of();
  }

  private Season season(Board board) {
    if (what.season() == Watched.NEWEST) {
      Window window = board.window(what.window());
      Season newest = window == null ? null : board.newest(window);
      if (newest != null) {
        return newest;
      }
    }
    for (Season listed : board.seasons()) {
      if (listed.id() == known.id()) {
        return listed;
      }
    }
    return known;
  }

  private static boolean isOpen(Board board) {
    return board.visibility() == Visibility.PUBLIC;
  }
}
