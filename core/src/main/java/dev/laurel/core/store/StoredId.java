package dev.laurel.core.store;

import org.jspecify.annotations.Nullable;

/**
 * An id that was used, and what came of it: the base of the exactly-once effect. Written in the
 * same transaction as the effect.
 *
 * @param board 0 for a write that concerns no board
 * @param key names (kind, caller, id)
 * @param payload a repeated id with another payload is a conflict
 * @param line the ledger line, 0 if the write made none
 * @param effective what the update rule said
 * @param score after it, in units
 * @param reached of the entry after it
 * @param answer the bytes that the first caller got, where the whole answer is kept
 * @param expiresAt when it may be used again; 0 if it is forgotten with the events of its time,
 *     {@link #NEVER} if its event has no time by which a retry could be refused
 */
public record StoredId(
    long board,
    Digest key,
    Digest payload,
    long line,
    boolean effective,
    long score,
    long reached,
    long createdAt,
    byte @Nullable [] answer,
    long expiresAt) {
  public static final long NEVER = Long.MAX_VALUE;

  /** One that is forgotten with the events of its time. */
  public StoredId(
      long board,
      Digest key,
      Digest payload,
      long line,
      boolean effective,
      long score,
      long reached,
      long createdAt,
      byte @Nullable [] answer) {
    this(board, key, payload, line, effective, score, reached, createdAt, answer, 0);
  }

  /** Where an id is looked up. */
  public record Name(long board, Digest key) {}

  public Name name() {
    return new Name(board, key);
  }
}
