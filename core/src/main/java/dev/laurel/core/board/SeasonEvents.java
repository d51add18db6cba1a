package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.WriteTransaction;

/** Hears of a season's steps in the very transaction that takes them, and so of each once. */
@FunctionalInterface
public interface SeasonEvents {
  /**
   * @param season as it is after the step
   */
  void happened(WriteTransaction tx, Board board, Season season, SeasonEvent event);
}
