package dev.laurel.sql;

import dev.laurel.core.model.Entry;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The entries of each commit, for as long as the entries table may lack them. */
final class RedoTable {
  /** The first byte of every row, so that another form can be told from this one. */
  private static final int FORM = 1;

  private static final int DELETED = 1;
  private static final int METADATA = 2;

  /** What an entry without metadata takes. */
  private static final int ENTRY_BYTES = 53;

  private static final String INSERT = "INSERT INTO redo (id, entries) VALUES (?, ?)";
  private static final String LAST = "SELECT max(id) FROM redo";
  private static final String READ = "SELECT id, entries FROM redo WHERE id > ? ORDER BY id";
  private static final String DELETE = "DELETE FROM redo WHERE id <= ?";

  private final Statements statements;

  RedoTable(Statements statements) {
    this.statements = statements;
  }

  /** How many bytes that took. */
  int append(long id, Collection<EntryWrite> writes) throws SQLException {
    byte[] bytes = encode(writes);
    PreparedStatement insert = statements.get(INSERT);
    insert.setLong(1, id);
    insert.setBytes(2, bytes);
    insert.executeUpdate();
    return bytes.length;
  }

  /** The last commit that this transaction sees; 0 if there is none. */
  long last() throws SQLException {
    return statements.number(0, LAST);
  }

  /** Takes one commit's entries. */
  interface Consumer {
    void accept(long id, List<EntryWrite> writes, int bytes);
  }

  int read(long after, Consumer consumer) throws SQLException {
    int count = 0;
    try (ResultSet rows = statements.get(READ, after).executeQuery()) {
      while (rows.next()) {
        byte[] bytes = rows.getBytes(2);
        consumer.accept(rows.getLong(1), decode(bytes), bytes.length);
        count++;
      }
    }
    return count;
  }

  int delete(long upTo) throws SQLException {
    return statements.update(DELETE, upTo);
  }

  static byte[] encode(Collection<EntryWrite> writes) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 + ENTRY_BYTES * writes.size());
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORM);
      for (EntryWrite write : writes) {
        Entry entry = write.entry();
        String metadata = entry.metadata();
        out.writeLong(write.season());
        out.writeInt(write.user());
        out.writeLong(entry.score());
        out.writeLong(entry.reached());
        out.writeLong(entry.seen());
        out.writeLong(entry.line());
        out.writeLong(entry.last());
        out.writeByte((entry.deleted() ? DELETED : 0) | (metadata == null ? 0 : METADATA));
        if (metadata != null) {
          byte[] text = metadata.getBytes(StandardCharsets.UTF_8);
          out.writeInt(text.length);
          out.write(text);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  static List<EntryWrite> decode(byte[] bytes) {
    List<EntryWrite> writes = new ArrayList<>(bytes.length / ENTRY_BYTES);
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int form = in.readByte();
      if (form != FORM) {
        throw new StoreException("redo: form " + form + " (expected: " + FORM + ")");
      }
      while (in.available() > 0) {
        writes.add(write(in));
      }
    } catch (IOException e) {
      throw new StoreException("redo: a row ends too early", e);
    }
    return writes;
  }

  private static EntryWrite write(DataInputStream in) throws IOException {
    long season = in.readLong();
    int user = in.readInt();
    long score = in.readLong();
    long reached = in.readLong();
    long seen = in.readLong();
    long line = in.readLong();
    long last = in.readLong();
    int flags = in.readByte();
    String metadata =
        (flags & METADATA) == 0
            ? null
            : new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    return new EntryWrite(
        season,
        user,
        new Entry(score, reached, seen, line, last, (flags & DELETED) != 0, metadata));
  }
}
