package dev.laurel.core.store;

/**
 * A partition of a stream, as one board sees it: how far the board has taken it is stored with the
 * scores.
 *
 * @param board 0 for how far everything is settled: committed, or a dead letter
 * @param topic the stream's own id, so that one that is deleted and made again is another one
 */
public record SourcePartition(long board, Digest topic, int partition) {}
