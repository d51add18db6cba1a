package dev.laurel.core.store;

/**
 * When a shard's lines were there: at this time, all up to this one. A line itself has only the
 * time of its event, which may be any.
 */
public record LedgerMark(int shard, long line, long at) {}
