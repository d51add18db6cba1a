package dev.laurel.core.store;

/**
 * Where the chain of a shard's lines stood. The first one is where it begins; the others cut it
 * into stretches, each of which can be verified, and found to be changed, by itself.
 *
 * @param digest of the line and all before it, in hexadecimal
 * @param mac by the ledger's key over all of this, in hexadecimal
 */
public record LedgerCheckpoint(int shard, long line, String digest, String mac) {}
