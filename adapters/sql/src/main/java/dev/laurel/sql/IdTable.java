package dev.laurel.sql;

import dev.laurel.core.store.Digest;
import dev.laurel.core.store.StoredId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** The ids that were used, by board and key. */
final class IdTable {
  private static final String[] FIND =
      Statements.withLists(
          "SELECT id_key, payload, line, effective, score, reached, created_at, answer"
              + " FROM ids WHERE board = ? AND id_key IN ",
          "");
  private static final String INSERT =
      "INSERT INTO ids"
          + " (board, id_key, payload, line, effective, score, reached, created_at, answer)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

  /** As the bytes compare, which is how the tree is sorted. */
  private static final Comparator<StoredId.Name> KEY_ORDER =
      Comparator.comparingLong(StoredId.Name::board)
          .thenComparing(name -> name.key().high(), Long::compareUnsigned)
          .thenComparing(name -> name.key().low(), Long::compareUnsigned);

  private final Statements statements;

  IdTable(Statements statements) {
    this.statements = statements;
  }

  Map<StoredId.Name, StoredId> find(Collection<StoredId.Name> names) throws SQLException {
    Map<StoredId.Name, StoredId> found = new HashMap<>();
    StoredId.Name[] asked = names.toArray(StoredId.Name[]::new);
    Arrays.sort(asked, KEY_ORDER);
    int from = 0;
    while (from < asked.length) {
      int to = from + 1;
      while (to < asked.length
          && to - from < Statements.LONGEST_LIST
          && asked[to].board() == asked[from].board()) {
        to++;
      }
      findSome(asked, from, to, found);
      from = to;
    }
    return found;
  }

  private void findSome(StoredId.Name[] asked, int from, int to, Map<StoredId.Name, StoredId> found)
      throws SQLException {
    long board = asked[from].board();
    int length = Statements.listLength(to - from);
    PreparedStatement find = statements.get(Statements.forList(FIND, length));
    find.setLong(1, board);
    for (int i = 0; i < length; i++) {
      find.setBytes(2 + i, asked[Math.min(from + i, to - 1)].key().bytes());
    }
    try (ResultSet rows = find.executeQuery()) {
      while (rows.next()) {
        StoredId id = id(board, rows);
        found.put(id.name(), id);
      }
    }
  }

  private static StoredId id(long board, ResultSet row) throws SQLException {
    return new StoredId(
        board,
        Digest.from(row.getBytes(1)),
        Digest.from(row.getBytes(2)),
        row.getLong(3),
        row.getInt(4) != 0,
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getBytes(8));
  }

  int put(Collection<StoredId> ids) throws SQLException {
    if (ids.isEmpty()) {
      return 0;
    }
    StoredId[] sorted = ids.toArray(StoredId[]::new);
    Arrays.sort(sorted, Comparator.comparing(StoredId::name, KEY_ORDER));
    PreparedStatement insert = statements.get(INSERT);
    for (StoredId id : sorted) {
      insert.setLong(1, id.board());
      insert.setBytes(2, id.key().bytes());
      insert.setBytes(3, id.payload().bytes());
      insert.setLong(4, id.line());
      insert.setInt(5, id.effective() ? 1 : 0);
      insert.setLong(6, id.score());
      insert.setLong(7, id.reached());
      insert.setLong(8, id.createdAt());
      insert.setBytes(9, id.answer());
      insert.addBatch();
    }
    insert.executeBatch();
    return sorted.length;
  }
}
