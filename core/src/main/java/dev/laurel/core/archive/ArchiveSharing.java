package dev.laurel.core.archive;

import dev.laurel.core.store.ArchiveWitness;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether all nodes of a shared store see one archive. Each process writes a proof into the archive
 * that it has, looks for the proofs of all others, and puts into the store which ones it has read.
 * What leaves the database is in the archive only: so nothing does before every node has read the
 * proof of every other one. A folder has to outlive its process too: one that nobody but its writer
 * has ever read may be gone with the next container. A store of one node needs no proof.
 *
 * <p>{@link #turn} is for one thread, the rest for any.
 */
public final class ArchiveSharing implements AutoCloseable {
  /** How often a process says that it still sees what it saw. */
  private static final long EVERY_NANOS = Duration.ofSeconds(15).toNanos();

  /** A process that was silent for so long is gone, also if it did not say so. */
  private static final long GONE_NANOS = Duration.ofHours(1).toNanos();

  /** How many processes that are gone are remembered: the next one looks for their proofs. */
  private static final int REMEMBERED = 8;

  private final Store store;
  private final Archive archive;
  private final LongSupplier nanos;
  private final boolean needed;
  private final long node = ThreadLocalRandom.current().nextLong();

  /** Of each process that the store knows. */
  private final Map<Long, Heard> heard = new ConcurrentHashMap<>();

  /** What a process said last, and since when this one knows that. */
  private record Heard(long at, long since) {}

  private boolean written;
  private boolean persistent;

  /** Of those that are there. */
  private Set<Long> saw = Set.of();

  private long saidAt;
  private volatile @Nullable String problem;

  /** Whether it is this node that does not see what others have written. */
  private volatile boolean blind;

  /**
   * Says that this process is there, and has not seen anything yet.
   *
   * @param nanos a clock that never jumps
   */
  public ArchiveSharing(Store store, Archive archive, LongSupplier nanos) {
    this(store, archive, nanos, store.isShared());
    if (needed) {
      say(List.of(), false);
      problem = "this node has not looked at the archive yet";
      blind = true;
    }
  }

  private ArchiveSharing(Store store, Archive archive, LongSupplier nanos, boolean needed) {
    this.store = store;
    this.archive = archive;
    this.nanos = nanos;
    this.needed = needed;
  }

  /** Where one process has the archive for itself. */
  public static ArchiveSharing unneeded(Store store, Archive archive) {
    return new ArchiveSharing(store, archive, () -> 0, false);
  }

  /** Why nothing may be purged, as of the last turn; null if it may. */
  public @Nullable String problem() {
    return problem;
  }

  /** The same in a transaction: what decides. */
  public @Nullable String problem(ReadTransaction tx) {
    return needed ? problem(tx.archiveWitnesses()) : null;
  }

  /** To be called each second. Blocks. */
  public void turn() {
    if (!needed) {
      return;
    }
    List<ArchiveWitness> known = store.read(ReadTransaction::archiveWitnesses);
    hear(known);
    boolean due = nanos.getAsLong() - saidAt >= EVERY_NANOS;
    String failure = due || problem(known) != null ? look(known) : null;
    ArchiveWitness said =
        known.stream().filter(each -> each.node() == node).findFirst().orElse(null);
    if (due || said == null || !said.saw().equals(saw) || said.persistent() != persistent) {
      List<Long> forgotten = forgotten(known);
      say(forgotten, false);
      known = store.read(ReadTransaction::archiveWitnesses);
      withdraw(forgotten);
    }
    problem = failure != null ? failure : problem(known);
    blind = failure != null || (problem != null && (!persistent || missesSome(known)));
  }

  /** Which proofs are there; what is wrong if that cannot be told. */
  private @Nullable String look(List<ArchiveWitness> known) {
    Set<Long> found = new HashSet<>();
    try {
      if (!written) {
        archive.prove(node);
        written = true;
      }
      if (archive.isProven(node)) {
        found.add(node);
      } else {
        written = false; // somebody has emptied it
      }
      for (ArchiveWitness other : known) {
        if (other.node() != node
            && (isThere(other) || !persistent)
            && archive.isProven(other.node())) {
          persistent = true;
          if (isThere(other)) {
            found.add(other.node());
          }
        }
      }
    } catch (ArchiveException e) {
      written = false;
      return "node " + name(node) + ": " + e.getMessage();
    } finally {
      saw = Set.copyOf(found);
    }
    return null;
  }

  private boolean missesSome(List<ArchiveWitness> known) {
    return known.stream().anyMatch(each -> isThere(each) && !saw.contains(each.node()));
  }

  private @Nullable String problem(List<ArchiveWitness> known) {
    List<ArchiveWitness> there = known.stream().filter(each -> isThere(each)).toList();
    if (there.stream().noneMatch(each -> each.node() == node)) {
      return "this node has not looked at the archive yet";
    }
    for (ArchiveWitness reader : there) {
      List<ArchiveWitness> missing =
          there.stream().filter(writer -> !reader.saw().contains(writer.node())).toList();
      if (!missing.isEmpty()) {
        return "node %s%s does not see what %s wrote into the archive"
            .formatted(
                name(reader.node()),
                reader.node() == node ? " (this one)" : "",
                missing.stream().map(each -> name(each.node())).collect(Collectors.joining(", ")));
      }
    }
    if (!archive.outlivesNodes() && there.stream().noneMatch(ArchiveWitness::persistent)) {
      return "no process but the one that wrote it has read the archive: another node has to, or"
          + " this one after its next start";
    }
    return null;
  }

  /** Whether it is this node that does not see what others have written. */
  boolean isBlind() {
    return blind;
  }

  /**
   * Not by what the rows say of the time: after a pause of the whole cluster, or a step of the
   * clock, all others would look gone until they speak.
   */
  private void hear(List<ArchiveWitness> known) {
    long now = nanos.getAsLong();
    heard.keySet().retainAll(known.stream().map(ArchiveWitness::node).toList());
    for (ArchiveWitness each : known) {
      heard.merge(
          each.node(),
          new Heard(each.at(), now),
          (before, latest) -> before.at == latest.at ? before : latest);
    }
  }

  private boolean isThere(ArchiveWitness witness) {
    Heard last = heard.get(witness.node());
    return !witness.departed()
        && (last == null || last.at != witness.at() || nanos.getAsLong() - last.since < GONE_NANOS);
  }

  private List<Long> forgotten(List<ArchiveWitness> known) {
    return known.stream()
        .filter(each -> !isThere(each))
        .sorted(Comparator.comparingLong(ArchiveWitness::at).reversed())
        .skip(REMEMBERED)
        .map(ArchiveWitness::node)
        .toList();
  }

  private void say(List<Long> forgotten, boolean departed) {
    store.write(
        tx -> {
          tx.putArchiveWitness(new ArchiveWitness(node, tx.now(), departed, persistent, saw));
          tx.removeArchiveWitnesses(forgotten);
          return true;
        });
    saidAt = nanos.getAsLong();
  }

  /** A proof that stays harms nobody. */
  private void withdraw(List<Long> forgotten) {
    try {
      forgotten.forEach(archive::withdraw);
    } catch (ArchiveException e) {
      // Nobody looks for it any more.
    }
  }

  private static String name(long node) {
    return Long.toHexString(node);
  }

  /** Nobody has to wait for this process any more; the next one looks for its proof. */
  @Override
  public void close() {
    if (needed) {
      say(List.of(), true);
    }
  }
}
