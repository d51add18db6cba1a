package dev.laurel.core.pipeline;

import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.SourceRefusal;
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The streams that requests of one batch come from: how far each board has taken each, and what of
 * them was refused, so that what comes again is answered as it was then. Belongs to the batch's
 * thread.
 */
final class BatchSources {
  private static final Decision TAKEN_BEFORE =
      new Decision(
          new Outcome.Accepted(Outcome.Effect.DUPLICATE, false, 0, 0, 0, 0, null, List.of()),
          null,
          0);

  private final Map<SourcePartition, Long> before;

  /** The same, the batch included. */
  private final Map<SourcePartition, Long> offsets;

  /** What was refused by an earlier commit, where some of it comes again. */
  private final Map<SourcePartition, Map<Long, Rejection>> refusedBefore = new HashMap<>();

  private final List<SourceRefusal> refusals = new ArrayList<>();

  BatchSources(ReadTransaction tx, List<Pending> pending) {
    this.before = tx.offsets(partitions(pending));
    this.offsets = new HashMap<>(before);
    for (Pending p : pending) {
      Request.Source source = p.request.source();
      if (source != null && source.offsets()[0] <= taken(source)) {
        refusedBefore.computeIfAbsent(source.partition(), tx::refusals);
      }
    }
  }

  private static Set<SourcePartition> partitions(List<Pending> pending) {
    Set<SourcePartition> partitions = new HashSet<>();
    for (Pending p : pending) {
      if (p.request.source() != null) {
        partitions.add(p.request.source().partition());
      }
    }
    return partitions;
  }

  /** The last offset that the board has taken; -1 if none. */
  long taken(Request.Source source) {
    return offsets.getOrDefault(source.partition(), -1L);
  }

  /** What is said about a command that was taken: the same as then. */
  Decision again(Request.Source source, int i) {
    Rejection refused =
        refusedBefore.getOrDefault(source.partition(), Map.of()).get(source.offsets()[i]);
    return refused == null ? TAKEN_BEFORE : Decision.rejected(refused);
  }

  /** A command is refused that was not taken before. */
  void refuse(Request.Source source, int i, Rejection rejection) {
    refusals.add(new SourceRefusal(source.partition(), source.offsets()[i], rejection));
  }

  /** All commands of a request are decided. */
  void take(Request.Source source) {
    offsets.merge(source.partition(), source.last(), Math::max);
  }

  /** Stores what changed. */
  void write(WriteTransaction transaction) {
    offsets.entrySet().removeAll(before.entrySet());
    transaction.moveOffsets(offsets);
    transaction.putRefusals(refusals);
  }
}
