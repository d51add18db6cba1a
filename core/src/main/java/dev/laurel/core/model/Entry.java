package dev.laurel.core.model;

import org.jspecify.annotations.Nullable;

/**
 * One user's line in one season. A deleted entry stays as a tombstone: it has no rank, but its
 * {@code seen} still beats older events.
 *
 * @param score in units of the board's decimals
 * @param reached when the score was reached, the tie key, epoch milliseconds
 * @param seen the time of the newest event, what LATEST compares with
 * @param line the ledger line that gave the entry its present score
 * @param last the user's last ledger line here, also one that changed nothing: the head of the
 *     chain that {@link LedgerLine#previous} continues
 * @param metadata a JSON object of the submission that gave the present score
 */
public record Entry(
    long score,
    long reached,
    long seen,
    long line,
    long last,
    boolean deleted,
    @Nullable String metadata) {

  /** Of a user whose lines do not count, none of them: as if there were no entry. */
  public static Entry none(long last) {
    return new Entry(0, 0, Long.MIN_VALUE, last, last, true, null);
  }

  /** Whether it is {@link #none}: nobody deleted it, it never counted. */
  public boolean isNone() {
    return deleted && seen == Long.MIN_VALUE;
  }

  /** The same state at a later ledger line that changed nothing else. */
  public Entry withLast(long newLast) {
    return new Entry(score, reached, seen, line, newLast, deleted, metadata);
  }

  public Entry withMetadata(@Nullable String other) {
    return new Entry(score, reached, seen, line, last, deleted, other);
  }

  /** The same without what is personal about it. */
  public Entry withoutMetadata() {
    return withMetadata(null);
  }
}
