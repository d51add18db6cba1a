package dev.laurel.core.store;

import org.jspecify.annotations.Nullable;

/**
 * Some ids of a board that follow each other.
 *
 * @param after the key before the first of them; null for the beginning
 * @param last the key of the last of them; null if there are no more
 * @param old how many of them are to go: those that are past their time, or what was asked for
 */
public record IdChunk(long board, @Nullable Digest after, @Nullable Digest last, int old) {
  /**
   * When ids are past their time, in epoch milliseconds.
   *
   * @param created those that are forgotten with their events: stored before this
   * @param expired those with a time of their own: if that is before this
   */
  public record Times(long created, long expired) {}
}
