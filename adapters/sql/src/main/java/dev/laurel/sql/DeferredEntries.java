package dev.laurel.sql;

import dev.laurel.core.model.Entry;
import dev.laurel.core.store.ReadTransaction.EntryConsumer;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.core.store.WriteTransaction.Removal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries as one connection sees them: the table, and over it what was committed and is not in
 * the table yet. Belongs to one session.
 *
 * <p>A commit of random users would dirty a page of the table for each of them, which was half of
 * the time of a batch. So a commit writes its entries as one row of {@link RedoTable}, durable as
 * everything else in its transaction, and keeps them in {@link RecentEntries}. When enough has come
 * together it goes into the table in key order, many entries a page, a part with each commit that
 * follows, so that none of them takes long; then the redo rows are deleted. After a crash the redo
 * rows are read again: nothing else is different from going on.
 */
final class DeferredEntries implements Entries {
  /** Entries moved with a commit, for each one that it writes: a sweep ends before the next one. */
  private static final int SWEEP_RATIO = 2;

  private static final int SWEEP_AT_LEAST = 16;

  private static final long UNKNOWN = -1;
  private static final long NEWEST = Long.MAX_VALUE;

  private static final String CLEAR_RECENT = "DELETE FROM temp.recent";
  private static final String ADD_RECENT =
      "INSERT INTO temp.recent (user_number, score, reached, deleted) VALUES (?, ?, ?, ?)";

  private final Statements statements;
  private final EntryTable table;
  private final RedoTable redo;
  private final RecentEntries recent;
  private final RecentEntries.Snapshot snapshot;

  /** The last commit that this transaction sees; not known before somebody asks for entries. */
  private long asOf = UNKNOWN;

  /** Whose entries are in the temporary table; 0 if it is empty. */
  private long shown;

  DeferredEntries(Statements statements, RecentEntries recent) {
    this.statements = statements;
    this.table = new EntryTable(statements);
    this.redo = new RedoTable(statements);
    this.recent = recent;
    this.snapshot = recent.newSnapshot();
  }

  // --- the course of a transaction

  @Override
  public void beginRead() {
    snapshot.open();
    asOf = UNKNOWN;
    shown = 0; // a rollback empties the temporary table
  }

  @Override
  public void endRead() {
    snapshot.close();
  }

  @Override
  public void beginWrite() {
    asOf = NEWEST;
    shown = 0;
  }

  @Override
  public void beforeCommit() throws SQLException {
    if (shown != 0) {
      statements.update(CLEAR_RECENT);
    }
  }

  @Override
  public void committed() {
    recent.committed();
  }

  @Override
  public void rolledBack() {
    recent.revert();
  }

  @Override
  public void recover() throws SQLException {
    recent.recover(redo);
  }

  @Override
  public int moveAll() throws SQLException {
    int count = table.put(recent.all());
    redo.delete(redo.last());
    return count;
  }

  @Override
  public void close() {
    recent.forget(snapshot);
  }

  private long asOf() throws SQLException {
    if (asOf == UNKNOWN) {
      asOf = redo.last();
    }
    return asOf;
  }

  /** What the table lacks; whatever becomes of it later, this stays as it was. */
  private List<EntryWrite> recent(long season) throws SQLException {
    List<EntryWrite> found = recent.of(season, asOf());
    snapshot.requireKept();
    return found;
  }

  // --- entries

  @Override
  public List<@Nullable Entry> find(long season, int[] users) throws SQLException {
    long at = asOf();
    @Nullable Entry[] found = new Entry[users.length];
    int[] missing = new int[users.length];
    int count = 0;
    for (int i = 0; i < users.length; i++) {
      found[i] = recent.find(season, users[i], at);
      if (found[i] == null) {
        missing[count++] = i;
      }
    }
    if (count > 0) {
      int[] asked = new int[count];
      for (int i = 0; i < count; i++) {
        asked[i] = users[missing[i]];
      }
      List<@Nullable Entry> stored = table.find(season, asked);
      for (int i = 0; i < count; i++) {
        found[missing[i]] = stored.get(i);
      }
    }
    snapshot.requireKept();
    return Arrays.asList(found);
  }

  @Override
  public int read(long season, EntryConsumer consumer) throws SQLException {
    List<EntryWrite> newer = recent(season);
    Merge merge = new Merge(newer, consumer);
    table.read(season, merge);
    merge.upTo(Integer.MAX_VALUE);
    return merge.count;
  }

  /** The table's rows and the newer ones, both by user number. */
  private static final class Merge implements EntryConsumer {
    private final List<EntryWrite> newer;
    private final EntryConsumer consumer;
    private int next;
    private int count;

    Merge(List<EntryWrite> newer, EntryConsumer consumer) {
      this.newer = newer;
      this.consumer = consumer;
    }

    @Override
    public void accept(int user, long score, long reached, boolean hasMetadata) {
      if (!upTo(user)) {
        consumer.accept(user, score, reached, hasMetadata);
        count++;
      }
    }

    /** Whether the last of them was this very user. */
    boolean upTo(int user) {
      boolean same = false;
      while (next < newer.size() && newer.get(next).user() <= user) {
        EntryWrite write = newer.get(next++);
        Entry entry = write.entry();
        same = write.user() == user;
        if (!entry.deleted()) {
          consumer.accept(write.user(), entry.score(), entry.reached(), entry.metadata() != null);
          count++;
        }
      }
      return same;
    }
  }

  @Override
  public int put(Collection<EntryWrite> writes) throws SQLException {
    if (writes.isEmpty()) {
      return 0;
    }
    if (shown != 0) {
      statements.update(CLEAR_RECENT);
      shown = 0;
    }
    write(writes, SWEEP_AT_LEAST + SWEEP_RATIO * writes.size());
    return writes.size();
  }

  /** How many entries the table got meanwhile. */
  private int write(Collection<EntryWrite> writes, int sweep) throws SQLException {
    long id = recent.nextId();
    recent.add(id, writes, redo.append(id, writes));
    List<EntryWrite> moved = recent.sweep(sweep);
    if (!moved.isEmpty()) {
      table.put(moved);
      long upTo = recent.sweptUpTo();
      if (upTo > 0) {
        redo.delete(upTo);
      }
    }
    return moved.size();
  }

  /**
   * What the table lacks would come back with the next sweep, so a sweep is made first, with
   * commits that write nothing else.
   */
  @Override
  public Removal remove(long season, int limit) throws SQLException {
    if (recent.has(season)) {
      recent.hasten();
      return new Removal(write(List.of(), limit), false);
    }
    return table.remove(season, limit);
  }

  @Override
  public boolean show(long season) throws SQLException {
    if (shown == season) {
      return true;
    }
    List<EntryWrite> newer = recent(season);
    if (newer.isEmpty()) {
      return false;
    }
    boolean reading = asOf != NEWEST;
    if (reading) {
      statements.update("PRAGMA query_only = OFF");
    }
    if (shown != 0) {
      statements.update(CLEAR_RECENT);
    }
    PreparedStatement add = statements.get(ADD_RECENT);
    for (EntryWrite row : newer) {
      add.setInt(1, row.user());
      add.setLong(2, row.entry().score());
      add.setLong(3, row.entry().reached());
      add.setInt(4, row.entry().deleted() ? 1 : 0);
      add.addBatch();
    }
    add.executeBatch();
    if (reading) {
      statements.update("PRAGMA query_only = ON");
    }
    shown = season;
    return true;
  }
}
