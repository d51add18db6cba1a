package dev.laurel.core.store;

import dev.laurel.core.model.LedgerLine;

/**
 * What a line of the ledger says about an earlier one of its shard: a revert or a release.
 *
 * @param target the line that it is about
 * @param line the one that says so
 */
public record Correction(long target, long line, LedgerLine.Kind kind, long windows) {}
