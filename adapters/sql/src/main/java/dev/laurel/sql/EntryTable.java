package dev.laurel.sql;

import dev.laurel.core.model.Entry;
import dev.laurel.core.store.ReadTransaction.EntryConsumer;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.core.store.WriteTransaction.Removal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Entries by season and user number. */
final class EntryTable implements Entries {
  private static final String FIND =
      "SELECT user_number, score, reached, seen, line, last_line, deleted, metadata"
          + " FROM entries WHERE season = ? AND user_number";
  private static final String READ =
      "SELECT user_number, score, reached, CASE WHEN metadata IS NULL THEN 0 ELSE 1 END"
          + " FROM entries WHERE season = ? AND deleted = 0 ORDER BY user_number";

  private static final Insert PUT =
      Insert.into("entries")
          .numbers("season", "user_number", "score", "reached", "seen", "line", "last_line")
          .numbers("deleted")
          .texts("metadata")
          .replacing("season", "user_number");

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

  @Override
  public List<@Nullable Entry> find(long season, int[] users) throws SQLException {
    @Nullable Entry[] found = new Entry[users.length];
    // Number and place in one long: sorted, so that the tree is walked once from left to right.
    long[] asked = new long[users.length];
    for (int i = 0; i < users.length; i++) {
      asked[i] = (long) users[i] << 32 | i;
    }
    Arrays.sort(asked);
    Object[] numbers = new Object[asked.length];
    for (int i = 0; i < asked.length; i++) {
      numbers[i] = (int) (asked[i] >> 32);
    }
    statements.each(FIND, season, numbers, row -> place(row.getInt(1), entry(row), asked, found));
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

  @Override
  public int read(long season, EntryConsumer consumer) throws SQLException {
    int count = 0;
    try (ResultSet rows = statements.get(READ, season).executeQuery()) {
      while (rows.next()) {
        consumer.accept(rows.getInt(1), rows.getLong(2), rows.getLong(3), rows.getInt(4) != 0);
        count++;
      }
    }
    return count;
  }

  /** By user number. */
  @Override
  public Removal remove(long season, int limit) throws SQLException {
    // A maximum over no rows is null, which reads as 0, and users begin at 1.
    int removed =
        statements.update(REMOVE, season, statements.number(0, LAST_OF_FIRST, season, limit));
    return new Removal(removed, removed == 0);
  }

  @Override
  public int put(Collection<EntryWrite> writes) throws SQLException {
    if (writes.isEmpty()) {
      return 0;
    }
    EntryWrite[] sorted = writes.toArray(EntryWrite[]::new);
    Arrays.sort(sorted, KEY_ORDER);
    Rows rows = statements.rows(PUT);
    for (EntryWrite write : sorted) {
      Entry entry = write.entry();
      rows.number(write.season())
          .number(write.user())
          .number(entry.score())
          .number(entry.reached())
          .number(entry.seen())
          .number(entry.line())
          .number(entry.last())
          .number(entry.deleted() ? 1 : 0)
          .text(entry.metadata())
          .end();
    }
    rows.store();
    return sorted.length;
  }
}
