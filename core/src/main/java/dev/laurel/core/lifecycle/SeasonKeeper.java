package dev.laurel.core.lifecycle;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.SeasonSteps;
import dev.laurel.core.model.Board;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.season.SeasonPlan;
import dev.laurel.core.store.Store;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes the steps that are due. Every node may run one: a step is decided anew under the shard's
 * lock, on what is stored, by the store's clock; so of several nodes one takes it, and after any
 * downtime all that was missed is done in order. Thread-safe.
 */
public final class SeasonKeeper {
  private final Store store;
  private final BoardDirectory directory;
  private final Boards boards;
  private final Calendars calendars;
  private final SeasonSteps steps;
  private final ConcurrentHashMap<Long, Due> due = new ConcurrentHashMap<>();

  /** When a board needs attention, as it was at a revision. */
  private record Due(long revision, long at) {}

  public SeasonKeeper(
      Store store,
      BoardDirectory directory,
      Boards boards,
      Calendars calendars,
      SeasonSteps steps) {
    this.store = store;
    this.directory = directory;
    this.boards = boards;
    this.calendars = calendars;
    this.steps = steps;
  }

  /**
   * Does what is due on every board, until nothing is. A board that nothing happens to costs a
   * comparison. Returns when there will be something to do, by the store's clock.
   */
  public long turn() {
    boards.follow();
    long now = store.read(tx -> tx.now());
    long next = Long.MAX_VALUE;
    for (Board board : directory.all()) {
      next = Math.min(next, turn(board, now));
    }
    return next;
  }

  private long turn(Board board, long now) {
    Due known = due.get(board.id());
    if (known == null || known.revision != board.revision()) {
      known = due(board, now);
    }
    while (known.at <= now) {
      advance(board);
      Board after = directory.find(board.id());
      if (after == null) {
        due.remove(board.id());
        return Long.MAX_VALUE;
      }
      known = due(after, now);
    }
    return known.at;
  }

  private Due due(Board board, long now) {
    SeasonPlan.Step next = SeasonPlan.next(board, calendars, now);
    Due known = new Due(board.revision(), next == null ? Long.MAX_VALUE : next.due());
    due.put(board.id(), known);
    return known;
  }

  /** Does what is due on one board. */
  public void advance(Board known) {
    store.write(
        tx -> {
          tx.lockShard(known.shard());
          directory.follow(tx);
          Board board = directory.find(known.id());
          if (board != null) {
            steps.take(tx, board, tx.now());
          }
          return true;
        });
    boards.follow();
  }
}
