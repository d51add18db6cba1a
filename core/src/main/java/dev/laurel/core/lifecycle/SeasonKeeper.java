package dev.laurel.core.lifecycle;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.KnownBoards;
import dev.laurel.core.board.SeasonSteps;
import dev.laurel.core.model.Board;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.season.SeasonPlan;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.Store;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

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
  private final OneByOne<Long> each;
  private final ConcurrentHashMap<Long, Due> due = new ConcurrentHashMap<>();

  /** When a board needs attention, as it was at a revision. */
  private record Due(long epoch, long revision, long at) {
    boolean isOf(Board board) {
      return revision == board.revision() && epoch == board.epoch();
    }
  }

  /**
   * @param each goes through boards
   */
  public SeasonKeeper(
      Store store,
      BoardDirectory directory,
      Boards boards,
      Calendars calendars,
      SeasonSteps steps,
      OneByOne<Long> each) {
    this.store = store;
    this.directory = directory;
    this.boards = boards;
    this.calendars = calendars;
    this.steps = steps;
    this.each = each;
  }

  /** The same, to the end. */
  public void turn() {
    turn(() -> false);
  }

  /**
   * Does what is due on every board, until nothing is. A board that nothing happens to costs a
   * comparison; one that fails is tried again later.
   *
   * @param stop asked between boards, and between the steps of one
   */
  public void turn(BooleanSupplier stop) {
    boards.follow();
    long now = store.read(tx -> tx.now());
    for (Board board : directory.all()) {
      if (stop.getAsBoolean()) {
        return;
      }
      each.run(board.id(), () -> turn(board, now, stop));
    }
  }

  private void turn(Board board, long now, BooleanSupplier stop) {
    Due known = due.get(board.id());
    if (known == null || !known.isOf(board)) {
      known = due(board, now);
    }
    while (known.at <= now && !stop.getAsBoolean()) {
      boolean moved = advance(board);
      Board after = directory.find(board.id());
      if (after == null) {
        due.remove(board.id());
        return;
      }
      known = due(after, now);
      if (!moved) {
        return; // by the store's clock it is not yet time: it went back since
      }
    }
  }

  private Due due(Board board, long now) {
    SeasonPlan.Step next = SeasonPlan.next(board, calendars, now);
    long at = next == null ? Long.MAX_VALUE : next.due();
    Due known = new Due(board.epoch(), board.revision(), at);
    due.put(board.id(), known);
    return known;
  }

  /** Does what is due on one board; false if nothing is. */
  public boolean advance(Board known) {
    boolean moved =
        store.write(
            tx -> {
              tx.lockShard(known.shard());
              KnownBoards all = directory.follow(tx);
              NewEpochException.unless(tx, known.epoch());
              Board board = all.find(known.id());
              return board != null && !steps.take(tx, board, tx.now()).equals(board);
            });
    // By one that could write: a commit lane asks, and waits for nobody who reads.
    return store.write(
        tx -> {
          directory.follow(tx);
          return moved;
        });
  }
}
