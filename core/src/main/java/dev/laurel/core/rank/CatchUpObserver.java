package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;

/** Hears how the catch-ups of an index end. Returns at once; called from any thread. */
@FunctionalInterface
public interface CatchUpObserver {
  /** The season stays behind, its reads come from the store, and it is tried again. */
  void failed(Board board, Season season, Throwable cause);

  /** The season is where the store is. */
  default void succeeded(Season season) {}
}
