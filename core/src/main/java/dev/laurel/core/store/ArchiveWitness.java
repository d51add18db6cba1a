package dev.laurel.core.store;

import java.util.Set;

/**
 * What a process sees of the archive.
 *
 * @param node a random number that the process has, and its proof in the archive
 * @param at when it last looked, in epoch milliseconds of the store's clock
 * @param departed whether it has ended
 * @param persistent whether it has found the proof of another process, so that the archive is more
 *     than a folder of this one
 * @param saw the processes whose proofs it has read when it last looked
 */
public record ArchiveWitness(
    long node, long at, boolean departed, boolean persistent, Set<Long> saw) {
  public ArchiveWitness {
    saw = Set.copyOf(saw);
  }
}
