package dev.laurel.sql;

import dev.laurel.core.model.Entry;
import dev.laurel.core.store.StoreBusyException;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The entries that the entries table may lack, in memory: what the redo rows say, by key. One for
 * the store, whose process owns the database.
 *
 * <p>A commit has a number, the one of its redo row. Who reads on a snapshot asks with the last
 * number that the snapshot sees, and so gets what was true then: a key keeps as many versions as
 * open snapshots can ask for, and no entry is dropped that the table of an open snapshot lacks.
 * That works out because a snapshot says from which number on it will ask <em>before</em> it is
 * taken ({@link Snapshot#open}); one that the writer does not see yet is taken later, and sees all
 * that was committed by then.
 *
 * <p>Reading is thread-safe. Everything else is for the one who holds the writer.
 */
final class RecentEntries {
  /** A version, its entry, its key and its place in the map. */
  static final int ENTRY_BYTES = 128;

  /** A string but for its characters. */
  private static final int TEXT_BYTES = 48;

  private final ConcurrentHashMap<Long, Version> newest = new ConcurrentHashMap<>();
  private final List<Snapshot> snapshots = new CopyOnWriteArrayList<>();
  private final long sweepBytes;
  private final long mostPinned;
  private volatile long committed;

  /** How many bytes were ever written here, as a read may pin them. */
  private volatile long written;

  private long last;
  private long redoBytes;
  private final List<Long> added = new ArrayList<>();
  private @Nullable Sweep sweep;

  /** What an entry became in a commit, and what it was before. */
  private static final class Version {
    final long id;
    final Entry entry;
    volatile @Nullable Version older;

    Version(long id, Entry entry, @Nullable Version older) {
      this.id = id;
      this.entry = entry;
      this.older = older;
    }
  }

  /** Keys on their way into the table, in its order, some with each commit. */
  private static final class Sweep {
    final long[] keys;

    /** The redo rows that are not needed any more once all keys are in the table. */
    final long upTo;

    int written;
    int committed;
    int dropped;

    /** The last commit whose entries were written. */
    long writtenAt;

    final ArrayDeque<Step> steps = new ArrayDeque<>();

    Sweep(long[] keys, long upTo) {
      this.keys = keys;
      this.upTo = upTo;
    }
  }

  /** Keys up to {@code end} are in the table for whoever sees the commit {@code id}. */
  private record Step(int end, long id) {}

  /** Says what a reader may still ask for. */
  static final class Snapshot {
    private static final long CLOSED = Long.MAX_VALUE;

    private final RecentEntries recent;
    private volatile long from = CLOSED;
    private volatile boolean expired;
    private long writtenBefore;

    private Snapshot(RecentEntries recent) {
      this.recent = recent;
    }

    /** Before the database's snapshot is taken. */
    synchronized void open() {
      expired = false;
      writtenBefore = recent.written;
      from = recent.committed;
    }

    synchronized void close() {
      from = CLOSED;
    }

    /** The writer's: does not keep anything for it any more if that has become too much. */
    synchronized void expire(long written, long most) {
      if (from != CLOSED && written - writtenBefore > most) {
        // In this order: whoever was not told yet has what it asked for.
        expired = true;
        from = CLOSED;
      }
    }

    /** After each question: what was answered may be newer than the snapshot. */
    void requireKept() {
      if (expired) {
        throw new StoreBusyException(
            "more than " + recent.mostPinned + " bytes of entries were written during a read");
      }
    }
  }

  /**
   * @param sweepBytes of redo rows after which the entries are moved into the table
   * @param mostPinned how many bytes of entries may be written during a read before what it could
   *     still ask for is not kept any longer: so a reader, however slow, costs so much memory and
   *     no more
   */
  RecentEntries(long sweepBytes, long mostPinned) {
    this.sweepBytes = sweepBytes;
    this.mostPinned = mostPinned;
  }

  Snapshot newSnapshot() {
    Snapshot snapshot = new Snapshot(this);
    snapshots.add(snapshot);
    return snapshot;
  }

  void forget(Snapshot snapshot) {
    snapshots.remove(snapshot);
  }

  private static long key(long season, int user) {
    if (season < 0 || season > Integer.MAX_VALUE || user < 0) {
      throw new StoreException(
          "season: %d, user: %d (expected: numbers of 31 bits)".formatted(season, user));
    }
    return season << 32 | user;
  }

  /** The entry as of commit {@code asOf}; null if only the table knows. */
  @Nullable Entry find(long season, int user, long asOf) {
    Version version = newest.get(key(season, user));
    while (version != null && version.id > asOf) {
      version = version.older;
    }
    return version == null ? null : version.entry;
  }

  /** The season's entries as of a commit, by user; others may be in the table. */
  List<EntryWrite> of(long season, long asOf) {
    List<EntryWrite> found = new ArrayList<>();
    for (Map.Entry<Long, Version> each : newest.entrySet()) {
      if (each.getKey() >> 32 == season) {
        int user = (int) (long) each.getKey();
        Entry entry = find(season, user, asOf);
        if (entry != null) {
          found.add(new EntryWrite(season, user, entry));
        }
      }
    }
    found.sort((a, b) -> Integer.compare(a.user(), b.user()));
    return found;
  }

  /** Whether some of a season are here. */
  boolean has(long season) {
    for (Long key : newest.keySet()) {
      if (key >> 32 == season) {
        return true;
      }
    }
    return false;
  }

  /** How many states of entries are held. */
  long held() {
    long held = 0;
    for (Version newer : newest.values()) {
      for (Version version = newer; version != null; version = version.older) {
        held++;
      }
    }
    return held;
  }

  // --- the writer's

  /** Moves what is here into the table soon, and not only when there is more of it. */
  void hasten() {
    if (sweep == null) {
      startSweep();
    }
  }

  long nextId() {
    return last + 1;
  }

  /** Before the commit, so that nobody sees a commit that is not here. */
  void add(long id, Collection<EntryWrite> writes, int bytes) {
    long soFar = written;
    for (EntryWrite write : writes) {
      soFar += bytes(write);
    }
    written = soFar;
    for (Snapshot snapshot : snapshots) {
      snapshot.expire(soFar, mostPinned);
    }
    long needed = Math.min(committed, oldestSnapshot());
    last = id;
    redoBytes += bytes;
    for (EntryWrite write : writes) {
      Long key = key(write.season(), write.user());
      Version before = newest.get(key);
      // All snapshots, also those to come, ask for the newest one up to this number or a later one.
      for (Version v = before; v != null; v = v.older) {
        if (v.id <= needed) {
          v.older = null;
        }
      }
      newest.put(key, new Version(id, write.entry(), before));
      added.add(key);
    }
  }

  /** What it takes in memory, at most; metadata that stays as it was is there once. */
  @SuppressWarnings("ReferenceEquality") // whether it is the same text in memory is the question
  private long bytes(EntryWrite write) {
    String metadata = write.entry().metadata();
    if (metadata == null) {
      return ENTRY_BYTES;
    }
    Version before = newest.get(key(write.season(), write.user()));
    return before != null && metadata == before.entry.metadata()
        ? ENTRY_BYTES
        : ENTRY_BYTES + TEXT_BYTES + 2L * metadata.length();
  }

  /** The next keys to be written to the table, with what they are now; once a transaction. */
  List<EntryWrite> sweep(int limit) {
    Sweep current = sweep;
    if (current == null || current.written > current.committed) {
      return List.of();
    }
    current.writtenAt = last;
    int end = (int) Math.min(current.keys.length, (long) current.written + limit);
    List<EntryWrite> writes = new ArrayList<>(end - current.written);
    for (; current.written < end; current.written++) {
      long key = current.keys[current.written];
      Version version = newest.get(key);
      if (version != null) {
        writes.add(new EntryWrite(key >> 32, (int) key, version.entry));
      }
    }
    return writes;
  }

  /** The redo rows up to here are not needed once this transaction is committed; 0 if none. */
  long sweptUpTo() {
    Sweep current = sweep;
    return current != null && current.written == current.keys.length ? current.upTo : 0;
  }

  private void startSweep() {
    long[] keys = newest.keySet().stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(keys);
    sweep = new Sweep(keys, committed);
    redoBytes = 0;
  }

  /** Everything that is here, in the table's order. */
  List<EntryWrite> all() {
    long[] keys = newest.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    List<EntryWrite> all = new ArrayList<>(keys.length);
    for (long key : keys) {
      Version version = newest.get(key);
      if (version != null) {
        all.add(new EntryWrite(key >> 32, (int) key, version.entry));
      }
    }
    return all;
  }

  void committed() {
    added.clear();
    committed = last;
    Sweep current = sweep;
    if (current == null) {
      if (redoBytes >= sweepBytes) {
        startSweep();
      }
      return;
    }
    if (current.written > current.committed) {
      current.committed = current.written;
      current.steps.add(new Step(current.written, current.writtenAt));
    }
    dropWritten(current);
    if (current.dropped == current.keys.length) {
      sweep = null;
    }
  }

  /** Those that are in the table for everyone who reads, now or later. */
  private void dropWritten(Sweep current) {
    long oldest = oldestSnapshot();
    Step step;
    while ((step = current.steps.peek()) != null && step.id <= oldest) {
      current.steps.remove();
      for (; current.dropped < step.end; current.dropped++) {
        Long key = current.keys[current.dropped];
        Version version = newest.get(key);
        if (version != null && version.id <= step.id) {
          newest.remove(key);
        }
      }
    }
  }

  /** The transaction was rolled back, or found not to be in the database. */
  void revert() {
    for (int i = added.size() - 1; i >= 0; i--) {
      Long key = added.get(i);
      Version version = newest.get(key);
      if (version != null && version.id > committed) {
        Version older = version.older;
        if (older == null) {
          newest.remove(key);
        } else {
          newest.put(key, older);
        }
      }
    }
    added.clear();
    last = committed;
    if (sweep != null) {
      sweep.written = sweep.committed;
    }
  }

  /**
   * A new connection to write with looks at what the database has: all, where the store was just
   * opened; the last commit or not, where that one's outcome was unknown.
   */
  void recover(RedoTable redo) throws SQLException {
    if (redo.last() != last) {
      revert();
      redo.read(committed, this::add);
    }
    committed();
  }

  private long oldestSnapshot() {
    long oldest = Snapshot.CLOSED;
    for (Snapshot snapshot : snapshots) {
      oldest = Math.min(oldest, snapshot.from);
    }
    return oldest;
  }
}
