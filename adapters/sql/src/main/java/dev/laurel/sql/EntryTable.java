package dev.laurel.sql;

import dev.laurel.core.model.Entry;
import dev.laurel.core.store.ReadTransaction.EntryConsumer;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Entries by season and user number. */
final class EntryTable {
  private static final String[] FIND =
      Statements.withLists(
          "SELECT user_number, score, reached, seen, line, last_line, deleted, metadata"
              + " FROM entries WHERE season = ? AND user_number IN ",
          "");
  private static final String READ =
      "SELECT user_number, score, reached, CASE WHEN metadata IS NULL THEN 0 ELSE 1 END"
          + " FROM entries WHERE season = ? AND deleted = 0 ORDER BY user_number";

  /**
   * SQLite's own form, without the look at the old row that ON CONFLICT takes. Only {@link
   * DeferredEntries} writes here, which no database of several nodes can use.
   */
  private static final String PUT =
      "INSERT OR REPLACE INTO entries"
          + " (season, user_number, score, reached, seen, line, last_line, deleted, metadata)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private static final String LAST_OF_FIRST =
      "SELECT max(f.user_number) FROM"
          + " (SELECT user_number FROM entries WHERE season = ? ORDER BY user_number LIMIT ?) f";
  private static final String REMOVE = "DELETE FROM entries WHERE season = ? AND user_number <= ?";

  /** Neighbours in the tree one after the other: 46k rows/s in random order, 500k in key order. */
  private static final Comparator<EntryWrite> KEY_ORDER =
      Comparator.comparingLong(EntryWrite::season).thenComparingInt(EntryWrite::user);

  private final Statements statements;

  EntryTable(Statements statements) {
    this.statements = statements;
  }

  List<@Nullable Entry> find(long season, int[] users) throws SQLException {
    @Nullable Entry[] found = new Entry[users.length];
    // Number and place in one long: sorted, so that the tree is walked once from left to right.
    long[] asked = new long[users.length];
    for (int i = 0; i < users.length; i++) {
      asked[i] = (long) users[i] << 32 | i;
    }
    Arrays.sort(asked);
    for (int from = 0; from < asked.length; from += Statements.LONGEST_LIST) {
      int to = Math.min(asked.length, from + Statements.LONGEST_LIST);
      int length = Statements.listLength(to - from);
      PreparedStatement find = statements.get(Statements.forList(FIND, length));
      find.setLong(1, season);
      for (int i = 0; i < length; i++) {
        find.setInt(2 + i, (int) (asked[Math.min(from + i, to - 1)] >> 32));
      }
      try (ResultSet rows = find.executeQuery()) {
        while (rows.next()) {
          place(rows.getInt(1), entry(rows), asked, found);
        }
      }
    }
    return Arrays.asList(found);
  }

  /** Wherever the user was asked for; that may be more than once. */
  private static void place(int user, Entry entry, long[] asked, @Nullable Entry[] found) {
    int at = Arrays.binarySearch(asked, (long) user << 32);
    for (at = at < 0 ? ~at : at; at < asked.length && asked[at] >> 32 == user; at++) {
      found[(int) asked[at]] = entry;
    }
  }

  private static Entry entry(ResultSet row) throws SQLException {
    return new Entry(
        row.getLong(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getInt(7) != 0,
        row.getString(8));
  }

  int read(long season, EntryConsumer consumer) throws SQLException {
    int count = 0;
    try (ResultSet rows = statements.get(READ, season).executeQuery()) {
      while (rows.next()) {
        consumer.accept(rows.getInt(1), rows.getLong(2), rows.getLong(3), rows.getInt(4) != 0);
        count++;
      }
    }
    return count;
  }

  /** Some of a season, by user number; how many. */
  int remove(long season, int limit) throws SQLException {
    // A maximum over no rows is null, which reads as 0, and users begin at 1.
    return statements.update(REMOVE, season, statements.number(0, LAST_OF_FIRST, season, limit));
  }

  int put(Collection<EntryWrite> writes) throws SQLException {
    if (writes.isEmpty()) {
      return 0;
    }
    EntryWrite[] sorted = writes.toArray(EntryWrite[]::new);
    Arrays.sort(sorted, KEY_ORDER);
    PreparedStatement put = statements.get(PUT);
    for (EntryWrite write : sorted) {
      Entry entry = write.entry();
      put.setLong(1, write.season());
      put.setInt(2, write.user());
      put.setLong(3, entry.score());
      put.setLong(4, entry.reached());
      put.setLong(5, entry.seen());
      put.setLong(6, entry.line());
      put.setLong(7, entry.last());
      put.setInt(8, entry.deleted() ? 1 : 0);
      put.setString(9, entry.metadata());
      put.addBatch();
    }
    put.executeBatch();
    return sorted.length;
  }
}
