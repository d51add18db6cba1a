package dev.laurel.archive;

import dev.laurel.core.model.UserIds;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the user ids of a season of any size in constant memory: sorted runs in files, merged at
 * the end. A query in id order would sort in the database instead, which on SQLite means all of it
 * in memory, during a transaction. Belongs to one thread.
 */
final class SortedIds {
  static final int RUN = 100_000;

  private final Path folder;
  private final int runLength;
  private final List<Path> runs = new ArrayList<>();
  private final List<Id> run = new ArrayList<>();

  SortedIds(Path folder, int runLength) {
    this.folder = folder;
    this.runLength = runLength;
  }

  /** An id in its bytes, and the position of its user. */
  record Id(byte[] id, long position) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      return Arrays.compareUnsigned(id, other.id);
    }
  }

  void add(String id, long position) throws IOException {
    run.add(new Id(UserIds.bytes(id), position));
    if (run.size() == runLength) {
      spill();
    }
  }

  private void spill() throws IOException {
    run.sort(null);
    Path file = folder.resolve("run-" + runs.size());
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      for (Id each : run) {
        out.writeShort(each.id.length);
        out.write(each.id);
        out.writeLong(each.position);
      }
    }
    runs.add(file);
    run.clear();
  }

  /** Takes one of them. */
  interface Sink {
    void accept(Id id) throws IOException;
  }

  /** All of them, in order; nothing can be added afterwards. */
  void drain(Sink sink) throws IOException {
    spill();
    List<Cursor> open = new ArrayList<>();
    try {
      PriorityQueue<Cursor> next = new PriorityQueue<>();
      for (Path file : runs) {
        Cursor cursor = new Cursor(file);
        open.add(cursor);
        if (cursor.advance()) {
          next.add(cursor);
        }
      }
      while (!next.isEmpty()) {
        Cursor cursor = next.remove();
        sink.accept(cursor.current());
        if (cursor.advance()) {
          next.add(cursor);
        }
      }
    } finally {
      for (Cursor cursor : open) {
        cursor.in.close();
      }
    }
  }

  /** Where the merge is in one run. */
  private static final class Cursor implements Comparable<Cursor> {
    final DataInputStream in;
    private @Nullable Id current;

    Cursor(Path file) throws IOException {
      this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
    }

    Id current() {
      if (current == null) {
        throw new IllegalStateException("advance first");
      }
      return current;
    }

    boolean advance() throws IOException {
      try {
        byte[] id = new byte[in.readUnsignedShort()];
        in.readFully(id);
        current = new Id(id, in.readLong());
        return true;
      } catch (EOFException e) {
        return false;
      }
    }

    @Override
    public int compareTo(Cursor other) {
      return current().compareTo(other.current());
    }
  }
}
