package dev.laurel.core.live;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.CatchUpObserver;
import dev.laurel.core.rank.RankIndex;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where everyone who moves a board leaves a mark: commits here, commits of other nodes, seasons
 * that have caught up. For a board that nobody watches this is one look into a map. Thread-safe.
 */
public final class LiveMarks implements ChangeListener {
  private final ConcurrentHashMap<Long, WatchedBoard> watched = new ConcurrentHashMap<>();

  @Override
  public void changed(Board board, Season season, long line, List<RankIndex.Change> changes) {
    moved(board.id());
  }

  /** Something about the board has changed and can be read. */
  public void moved(long board) {
    WatchedBoard found = watched.get(board);
    if (found != null) {
      found.mark();
    }
  }

  /** The same observer; what has caught up has moved too. */
  public CatchUpObserver after(CatchUpObserver observer) {
    return new CatchUpObserver() {
      @Override
      public void failed(Board board, Season season, Throwable cause) {
        observer.failed(board, season, cause);
      }

      @Override
      public void succeeded(Season season) {
        observer.succeeded(season);
        moved(season.board());
      }
    };
  }

  WatchedBoard watch(long board, LiveHub hub) {
    return watched.computeIfAbsent(board, id -> new WatchedBoard(hub));
  }

  void forget(long board) {
    watched.remove(board);
  }
}
