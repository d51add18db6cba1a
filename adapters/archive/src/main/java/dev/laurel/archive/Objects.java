package dev.laurel.archive;

import java.io.InputStream;
import java.nio.file.Path;

/**
 * Named bytes, wherever they are. Names are paths of safe characters. Blocking. Thread-safe.
 *
 * <p>Failures are {@link dev.laurel.core.archive.ArchiveException}s; an object that is not there is
 * a damaged archive, as nobody asks for one that was not written.
 */
public interface Objects extends AutoCloseable {
  /** Stores a file's content over what has the name: readers see the one or the other. Durable. */
  void put(String name, Path file);

  /** All of an object. */
  InputStream open(String name);

  /** A part of an object; shorter if the object ends before. */
  byte[] read(String name, long offset, int length);

  /** Removes an object; does nothing if there is none. */
  void delete(String name);

  /** Whether it is a place of its own, and no folder that may end with its node. */
  boolean outlivesNodes();

  @Override
  void close();
}
