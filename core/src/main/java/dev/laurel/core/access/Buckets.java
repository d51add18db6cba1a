package dev.laurel.core.access;

/** Token buckets, by key: how often something may happen in a minute. Thread-safe. */
public interface Buckets extends AutoCloseable {
  /** Whether a question may have to wait for another machine. */
  boolean mayWait();

  /**
   * Takes one from a bucket that holds a minute's worth and fills up evenly.
   *
   * @param perMinute the same for a key every time
   */
  Taken take(String key, int perMinute);

  /**
   * What came of it.
   *
   * @param waitNanos until one can be had, 0 if it was
   * @param resetNanos until the bucket is full again
   */
  record Taken(boolean ok, long remaining, long waitNanos, long resetNanos) {}

  @Override
  default void close() {}
}
