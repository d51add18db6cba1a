package dev.laurel.core.guard;

import dev.laurel.core.model.Board;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.ReadTransaction;
import java.util.List;
import java.util.Map;

/** The rules of all boards that have some, as the configuration is at a revision. Thread-safe. */
public final class Guards {
  private volatile Known known = new Known(0, -1, Map.of());

  private record Known(long epoch, long revision, Map<Long, List<GuardRule>> rules) {}

  /**
   * The rules of boards, by number, in the transaction's epoch at this revision. Cheap when nothing
   * changed.
   */
  Map<Long, List<GuardRule>> follow(ReadTransaction tx, long revision) {
    Known current = known;
    if (current.revision != revision || current.epoch != tx.epoch()) {
      current = new Known(tx.epoch(), revision, tx.guards());
      known = current;
    }
    return current.rules;
  }

  /** Empty for a board that takes everything. */
  public List<GuardRule> of(Board board) {
    return known.rules.getOrDefault(board.id(), List.of());
  }
}
