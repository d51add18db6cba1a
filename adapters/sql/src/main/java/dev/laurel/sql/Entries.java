package dev.laurel.sql;

import dev.laurel.core.model.Entry;
import dev.laurel.core.store.ReadTransaction.EntryConsumer;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.core.store.WriteTransaction.Removal;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entries as one connection sees them. Where they are simply in their table ({@link
 * EntryTable}) nothing happens at the begin and end of transactions; {@link DeferredEntries} has
 * more to do. Belongs to one session.
 */
interface Entries {
  List<@Nullable Entry> find(long season, int[] users) throws SQLException;

  /** Of many seasons. */
  default Map<Long, List<@Nullable Entry>> find(Map<Long, int[]> usersBySeason)
      throws SQLException {
    Map<Long, List<@Nullable Entry>> found = new HashMap<>();
    for (Map.Entry<Long, int[]> season : usersBySeason.entrySet()) {
      found.put(season.getKey(), find(season.getKey(), season.getValue()));
    }
    return found;
  }

  int read(long season, EntryConsumer consumer) throws SQLException;

  int put(Collection<EntryWrite> writes) throws SQLException;

  /** Removes some of a season that is over. */
  Removal remove(long season, int limit) throws SQLException;

  /**
   * Whether {@link RankQueries} has to look at a temporary table too, where this call has put the
   * season's newest entries.
   */
  default boolean show(long season) throws SQLException {
    return false;
  }

  // --- the course of a transaction

  default void beginRead() {}

  default void endRead() {}

  default void beginWrite() {}

  default void beforeCommit() throws SQLException {}

  default void committed() {}

  default void rolledBack() {}

  /** A new connection to write with finds out what is the newest state. */
  default void recover() throws SQLException {}

  /** Leaves a database whose tables say it all. */
  default int moveAll() throws SQLException {
    return 0;
  }

  default void close() {}
}
