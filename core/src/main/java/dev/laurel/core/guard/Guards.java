package dev.laurel.core.guard;

import dev.laurel.core.model.Board;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.ReadTransaction;
import java.util.List;
import java.util.Map;

/** The rules of all boards that have some, as the configuration is at a revision. Thread-safe. */
public final class Guards {
  private volatile Known known = new Known(-1, Map.of());

  private record Known(long revision, Map<Long, List<GuardRule>> rules) {}

  /** Cheap when nothing changed. */
  public void follow(ReadTransaction tx, long revision) {
    if (known.revision != revision) {
      known = new Known(revision, tx.guards());
    }
  }

  /** Empty for a board that takes everything. */
  public List<GuardRule> of(Board board) {
    return known.rules.getOrDefault(board.id(), List.of());
  }
}
