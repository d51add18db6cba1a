package dev.laurel.core.guard;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import java.util.List;

/** Where the lines before a line are found: in the store, and among those that are being made. */
@FunctionalInterface
public interface EarlierLines {
  /** A line and those it leads to, in order: the last of them, at most {@code limit}. */
  List<LedgerLine> back(Board board, long last, int limit);
}
