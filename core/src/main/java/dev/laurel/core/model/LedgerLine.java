package dev.laurel.core.model;

import org.jspecify.annotations.Nullable;

/**
 * One accepted change, for ever. Refolding a user's lines in order with {@link UpdateRule} gives
 * the entry; so the rule that was used is part of the line.
 *
 * @param line the number in the shard, without gaps
 * @param user the user's number in the tenant
 * @param mode how {@code value} was applied; meaningless for a deletion
 * @param value in units; of a revert or a release the line that it is about
 * @param at the event's time, or the time it was given under the lock; of a revert or a release
 *     that of the line it is about, so that both name the same seasons
 * @param windows bit w is set if the line reached the season of window w that was open at {@code
 *     at}; of a deletion also those of w that still took events
 * @param version the board's version that was in force
 * @param previous the user's line before this one, so that from the last line of an entry all lines
 *     of its season are met; 0 for the first
 * @param stamp random, the same on all lines of one commit: decides a commit of unknown outcome
 * @param caller who sent it: an API key, a topic or the issuer of a token, 0 if unknown
 * @param client a keyed hash of the address and the user agent that it came from; null if it came
 *     from a service
 * @param erased once its personal part (event id, metadata, client) is gone: the digest of that,
 *     which keeps the ledger's chain whole
 */
public record LedgerLine(
    int shard,
    long line,
    long board,
    int user,
    Kind kind,
    Update mode,
    long value,
    long at,
    long windows,
    int version,
    long previous,
    long stamp,
    long caller,
    @Nullable String eventId,
    @Nullable String metadata,
    @Nullable String client,
    @Nullable String erased) {

  /** The same without its personal part. */
  public LedgerLine erased(@Nullable String digest) {
    return new LedgerLine(
        shard, line, board, user, kind, mode, value, at, windows, version, previous, stamp, caller,
        null, null, null, digest);
  }

  /** The same for others: without its personal part, and with other metadata. */
  public LedgerLine without(@Nullable String otherMetadata) {
    return new LedgerLine(
        shard,
        line,
        board,
        user,
        kind,
        mode,
        value,
        at,
        windows,
        version,
        previous,
        stamp,
        caller,
        null,
        otherMetadata,
        null,
        null);
  }

  /** What happened. The order is stored: append only. */
  public enum Kind {
    SCORE,
    DELETE,
    /** The line that it names counts no more, in the windows that it names. */
    REVERT,
    /** A score that does not count, until it is released. */
    HOLD,
    /** The held line that it names counts, in its own place among the others. */
    RELEASE,
    /** What was personal about the lines before it is gone. Changes no entry's score. */
    ERASE;

    /** Whether somebody sent a score with it. */
    public boolean isSubmission() {
      return this == SCORE || this == HOLD;
    }
  }
}
