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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Entries by season and user number, or what is kept in the same form. */
final class EntryTable implements Entries {
  private static final String READ =
      "SELECT user_number, score, reached, CASE WHEN metadata IS NULL THEN 0 ELSE 1 END"
          + " FROM entries WHERE season = ? AND deleted = 0 ORDER BY user_number";

  /** Neighbours in the tree one after the other: 46k rows/s in random order, 500k in key order. */
  private static final Comparator<EntryWrite> KEY_ORDER =
      Comparator.comparingLong(EntryWrite::season).thenComparingInt(EntryWrite::user);

  private final Statements statements;
  private final String find;
  private final Insert put;
  private final String lastOfFirst;
  private final String remove;

  EntryTable(Statements statements) {
    this(statements, "entries");
  }

  private EntryTable(Statements statements, String table) {
    this.statements = statements;
    this.find =
        "SELECT user_number, score, reached, seen, line, last_line, deleted, metadata FROM "
            + table
            + " WHERE season = ? AND user_number";
    this.put =
        Insert.into(table)
            .numbers("season", "user_number", "score", "reached", "seen", "line", "last_line")
            .numbers("deleted")
            .texts("metadata")
            .replacing("season", "user_number");
    this.lastOfFirst =
        "SELECT max(f.user_number) FROM (SELECT user_number FROM "
            + table
            + " WHERE season = ? ORDER BY user_number LIMIT ?) f";
    this.remove = "DELETE FROM " + table + " WHERE season = ? AND user_number <= ?";
  }

  /** What lines that were pruned had made of entries. */
  static EntryTable ofBases(Statements statements) {
    return new EntryTable(statements, "entry_bases");
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
    statements.each(find, season, numbers, row -> place(row.getInt(1), entry(row), asked, found));
    return Arrays.asList(found);
  }

  /** One query, whatever their number; the plan is the same for any: a look at the key each. */
  private static final String FIND_ALL =
      "SELECT w.n, e.score, e.reached, e.seen, e.line, e.last_line, e.deleted, e.metadata"
          + " FROM unnest(string_to_array(?, ',')::bigint[], string_to_array(?, ',')::integer[])"
          + " WITH ORDINALITY AS w (season, user_number, n) CROSS JOIN LATERAL"
          + " (SELECT * FROM entries e WHERE e.season = w.season AND e.user_number = w.user_number"
          + " LIMIT 1) e";

  /** Of PostgreSQL: SQLite's entries are asked season by season. */
  @Override
  public Map<Long, List<@Nullable Entry>> find(Map<Long, int[]> usersBySeason) throws SQLException {
    StringJoiner seasons = new StringJoiner(",");
    StringJoiner users = new StringJoiner(",");
    int count = 0;
    for (Map.Entry<Long, int[]> season : usersBySeason.entrySet()) {
      for (int user : season.getValue()) {
        seasons.add(Long.toString(season.getKey()));
        users.add(Integer.toString(user));
        count++;
      }
    }
    @Nullable Entry[] found = new Entry[count];
    try (ResultSet rows =
        statements.get(FIND_ALL, seasons.toString(), users.toString()).executeQuery()) {
      while (rows.next()) {
        found[rows.getInt(1) - 1] = entry(rows);
      }
    }
    Map<Long, List<@Nullable Entry>> bySeason = new HashMap<>();
    int from = 0;
    for (Map.Entry<Long, int[]> season : usersBySeason.entrySet()) {
      int to = from + season.getValue().length;
      bySeason.put(season.getKey(), Arrays.asList(found).subList(from, to));
      from = to;
    }
    return bySeason;
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
        statements.update(remove, season, statements.number(0, lastOfFirst, season, limit));
    return new Removal(removed, removed == 0);
  }

  @Override
  public int put(Collection<EntryWrite> writes) throws SQLException {
    if (writes.isEmpty()) {
      return 0;
    }
    EntryWrite[] sorted = writes.toArray(EntryWrite[]::new);
    Arrays.sort(sorted, KEY_ORDER);
    Rows rows = statements.rows(put);
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
