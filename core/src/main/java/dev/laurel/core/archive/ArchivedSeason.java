package dev.laurel.core.archive;

import java.util.List;

/** A season in the archive. Reads what it is asked for and little more. Thread-safe; blocking. */
public interface ArchivedSeason {
  /** The ledger line that its ranks stand at. */
  long line();

  long users();

  /** The rows from a position (from 0) on, in their order. */
  List<ArchivedRow> rows(long from, int limit);

  /** Of a user; -1 if the user is not in it. */
  long position(String userId);
}
