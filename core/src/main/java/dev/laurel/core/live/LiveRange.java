package dev.laurel.core.live;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.model.Window;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.NotFetchedException;
import java.util.ArrayList;
import java.util.List;
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

  private final LiveHub hub;
  private final Watched what;
  private final WatchedBoard group;
  private final Audience audience;
  private final Feed feed;
  private final Season given;
  private final boolean open;
  private final List<Audience.Newcomer> waiting = new ArrayList<>();
  private int watchers;
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
    this.given = season;
    this.open = isOpen(board);
    this.group = group;
    this.audience = audience;
    this.feed = new Feed(what.range(), what.encoding());
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
    Board board = hub.board(what.board());
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
    if (watchers == 0) {
      return !busy && now - leftAt > LINGER_NANOS;
    }
    Board board = hub.board(what.board());
    if (waiting.isEmpty() && (board == null || isOpen(board) != open)) {
      // Who may still watch it comes back; the others are refused then.
      audience.end();
      return true;
    }
    Season season = feed.season();
    if (stale || (board != null && season != null && season.id() != season(board).id())) {
      look();
    }
    return false;
  }

  void look() {
    stale = busy;
    Board board = hub.board(what.board());
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
        found(board, season, question.apply(view));
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
            hub.execute(() -> take(board, season, look));
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
                hub.execute(() -> take(board, season, look));
              } catch (Throwable e) {
                hub.execute(() -> failed(e));
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
    Season last = feed.season();
    Season known = last == null ? given : last;
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
