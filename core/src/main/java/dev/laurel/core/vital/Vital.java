package dev.laurel.core.vital;

import org.jspecify.annotations.Nullable;

/**
 * A part with a thread of its own. Such threads survive whatever their work throws ({@link
 * Failures}); if one ends all the same, nobody else does its work, and only a new process helps.
 */
public interface Vital {
  /** The thread that has ended though nobody closed it; null while all is well. Any thread. */
  @Nullable String lost();

  /** The name of a thread that should live and does not. */
  static @Nullable String lost(Thread thread, boolean closed) {
    return closed || thread.isAlive() ? null : thread.getName();
  }
}
