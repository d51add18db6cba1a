package dev.laurel.core.store;

/**
 * Where the chain of a shard's lines stands.
 *
 * @param line the shard's last line
 * @param from the line after which the chain begins: those up to it were pruned, or are older than
 *     the chain
 * @param digest of the last line and all before it, in hexadecimal
 * @param mac by the ledger's key over all of this, in hexadecimal
 */
public record LedgerHead(int shard, long line, long from, String digest, String mac) {}
