package dev.laurel.core.archive;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * Keeps seasons that are over, by name. Whoever wants to read one has the digest that {@link
 * #write} gave: what is in the archive is either what was written, or refused as damaged. Blocking,
 * in constant memory whatever the size of a season. Thread-safe.
 *
 * <p>Failures are {@link ArchiveException}s.
 */
public interface Archive extends AutoCloseable {
  /**
   * Writes a season. The same season gives the same bytes, so it does no harm if several do it, or
   * one that was killed does it again; another one of the same name stays readable by its digest.
   */
  Written write(SeasonDescription season, Rows rows);

  /** What was written. */
  record Written(long users, long bytes, String digest) {}

  /** Hands the rows of a season out, in their order. */
  @FunctionalInterface
  interface Rows {
    /** Some more; none at the end. */
    List<ArchivedRow> next();
  }

  /** The season of this name, to be read in parts. */
  ArchivedSeason open(String name, String digest);

  /**
   * Reads all of a season and compares it with its checksums.
   *
   * @param progress gets the bytes read so far
   */
  void verify(String name, String digest, LongConsumer progress);

  /** Whether it is a place of its own, such as S3, and no folder that may end with its node. */
  default boolean outlivesNodes() {
    return false;
  }

  /** Writes a proof for others to find: whoever reads it sees what this process writes. */
  default void prove(long node) {}

  /** Whether the proof of a process is there. */
  default boolean isProven(long node) {
    return false;
  }

  /** Removes the proof of a process that is gone. */
  default void withdraw(long node) {}

  @Override
  void close();
}
