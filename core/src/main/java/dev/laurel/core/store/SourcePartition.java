package dev.laurel.core.store;

/**
 * A partition of a stream, as one board sees it: how far the board has taken it is stored with the
 * scores.
 *
 * @param board 0 for how far everything is settled: committed, or a dead letter
 * @param topic the stream's own id, so that one that is deleted and made again is another one
 */
public record SourcePartition(long board, Digest topic, int partition) {
  private static final long SETTLED = 0;
  private static final long PUBLISHED = -1;
  private static final long LEASE = -2;
  private static final long NOTED = -3;
  private static final Digest CORRECTIONS = Digest.of("corrections");

  /** Whether it is about all boards: committed, or a dead letter. */
  public boolean isSettled() {
    return board == SETTLED;
  }

  /** The other direction: up to which line a shard's changes are in the stream. */
  public static SourcePartition published(Digest stream, int shard) {
    return new SourcePartition(PUBLISHED, stream, shard);
  }

  /** Up to which line of a shard corrections were noted. */
  public static SourcePartition noted(int shard) {
    return new SourcePartition(NOTED, CORRECTIONS, shard);
  }

  /** Until when whoever publishes a shard's changes does so alone. */
  public static SourcePartition lease(Digest stream, int shard) {
    return new SourcePartition(LEASE, stream, shard);
  }
}
