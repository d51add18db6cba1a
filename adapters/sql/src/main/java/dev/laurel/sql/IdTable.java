package dev.laurel.sql;

import dev.laurel.core.store.Digest;
import dev.laurel.core.store.IdChunk;
import dev.laurel.core.store.StoredId;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ids that were used, by board and key. */
final class IdTable {
  private static final String FIND =
      "SELECT id_key, payload, line, effective, score, reached, created_at, answer, expires_at"
          + " FROM ids WHERE board = ? AND id_key";
  private static final String DELETE = "DELETE FROM ids WHERE board = ? AND id_key = ?";
  private static final Insert INSERT =
      Insert.into("ids")
          .numbers("board")
          .bytes("id_key", "payload")
          .numbers("line", "effective", "score", "reached", "created_at")
          .bytes("answer")
          .numbers("expires_at");

  private static final String LAST_OF_CHUNK =
      "SELECT id_key FROM ids WHERE board = ? AND id_key > ? ORDER BY id_key LIMIT 1 OFFSET ?";

  /** Of earlier versions nobody knows which events had a time; see the migration V33. */
  private static final String KNOWN =
      "(answer IS NOT NULL OR created_at >="
          + " coalesce((SELECT value FROM meta WHERE name = 'ids_unknown_until'), 0))";

  private static final String OLD =
      " FROM ids WHERE board = ? AND id_key > ? AND id_key <= ?"
          + " AND (expires_at = 0 AND created_at < ? AND "
          + KNOWN
          + " OR expires_at > 0 AND expires_at < ?)";
  private static final String COUNT_OLD = "SELECT count(*)" + OLD;
  private static final String DELETE_OLD = "DELETE" + OLD;

  private static final String ANSWERS =
      " WHERE board = ? AND id_key > ? AND id_key <= ? AND answer IS NOT NULL AND ";

  /** Before and after all keys, which have 16 bytes. */
  private static final byte[] FIRST = new byte[0];

  private static final byte[] LAST = {
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
  };

  /** As the bytes compare, which is how the tree is sorted. */
  private static final Comparator<StoredId.Name> KEY_ORDER =
      Comparator.comparingLong(StoredId.Name::board)
          .thenComparing(name -> name.key().high(), Long::compareUnsigned)
          .thenComparing(name -> name.key().low(), Long::compareUnsigned);

  private final Statements statements;

  IdTable(Statements statements) {
    this.statements = statements;
  }

  int eraseAnswers(IdChunk chunk, List<String> texts, Dialect dialect) throws SQLException {
    int erased = 0;
    for (String text : texts) {
      erased +=
          statements.update(
              "UPDATE ids SET answer = NULL" + ANSWERS + dialect.contains("answer"),
              answers(chunk.board(), chunk.after(), chunk.last(), text));
    }
    return erased;
  }

  IdChunk answerChunk(
      long board, @Nullable Digest after, List<String> texts, int limit, Dialect dialect)
      throws SQLException {
    Digest last = lastOfChunk(board, after, limit);
    int found = 0;
    for (String text : texts) {
      found +=
          (int)
              statements.number(
                  0,
                  "SELECT count(*) FROM ids" + ANSWERS + dialect.contains("answer"),
                  answers(board, after, last, text));
    }
    return new IdChunk(board, after, last, found);
  }

  private static @Nullable Object[] answers(
      long board, @Nullable Digest after, @Nullable Digest last, String text) {
    return new @Nullable Object[] {
      board,
      after == null ? FIRST : after.bytes(),
      last == null ? LAST : last.bytes(),
      text.getBytes(StandardCharsets.UTF_8)
    };
  }

  Map<StoredId.Name, StoredId> find(Collection<StoredId.Name> names) throws SQLException {
    Map<StoredId.Name, StoredId> found = new HashMap<>();
    StoredId.Name[] asked = names.toArray(StoredId.Name[]::new);
    Arrays.sort(asked, KEY_ORDER);
    int from = 0;
    while (from < asked.length) {
      long board = asked[from].board();
      List<byte[]> keys = new ArrayList<>();
      for (; from < asked.length && asked[from].board() == board; from++) {
        keys.add(asked[from].key().bytes());
      }
      statements.each(
          FIND,
          board,
          keys.toArray(byte[][]::new),
          row -> {
            StoredId id = id(board, row);
            found.put(id.name(), id);
          });
    }
    return found;
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
        row.getBytes(8),
        row.getLong(9));
  }

  /** In one order, as they are put: commits of two shards may have names in common. */
  int remove(Collection<StoredId.Name> names) throws SQLException {
    int removed = 0;
    for (StoredId.Name name : names.stream().sorted(KEY_ORDER).toList()) {
      removed += statements.update(DELETE, name.board(), name.key().bytes());
    }
    return removed;
  }

  IdChunk chunk(long board, @Nullable Digest after, IdChunk.Times times, int limit)
      throws SQLException {
    Digest last = lastOfChunk(board, after, limit);
    int old = (int) statements.number(0, COUNT_OLD, old(board, after, last, times));
    return new IdChunk(board, after, last, old);
  }

  private @Nullable Digest lastOfChunk(long board, @Nullable Digest after, int limit)
      throws SQLException {
    byte[] from = after == null ? FIRST : after.bytes();
    List<byte[]> found =
        statements.list(row -> row.getBytes(1), LAST_OF_CHUNK, board, from, limit - 1);
    return found.isEmpty() ? null : Digest.from(found.getFirst());
  }

  int removeOld(IdChunk chunk, IdChunk.Times times) throws SQLException {
    return statements.update(DELETE_OLD, old(chunk.board(), chunk.after(), chunk.last(), times));
  }

  private static @Nullable Object[] old(
      long board, @Nullable Digest after, @Nullable Digest last, IdChunk.Times times) {
    return new @Nullable Object[] {
      board,
      after == null ? FIRST : after.bytes(),
      last == null ? LAST : last.bytes(),
      times.created(),
      times.expired()
    };
  }

  int put(Collection<StoredId> ids) throws SQLException {
    if (ids.isEmpty()) {
      return 0;
    }
    StoredId[] sorted = ids.toArray(StoredId[]::new);
    Arrays.sort(sorted, Comparator.comparing(StoredId::name, KEY_ORDER));
    Rows rows = statements.rows(INSERT);
    for (StoredId id : sorted) {
      rows.number(id.board())
          .bytes(id.key().bytes())
          .bytes(id.payload().bytes())
          .number(id.line())
          .number(id.effective() ? 1 : 0)
          .number(id.score())
          .number(id.reached())
          .number(id.createdAt())
          .bytes(id.answer())
          .number(id.expiresAt())
          .end();
    }
    rows.store();
    return sorted.length;
  }
}
