package dev.laurel.core.events;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Publishes every accepted change, at least once: it follows the ledger, which is the change log,
 * and stores how far it came after the stream has it. So what a node committed before it died is
 * published by the next one.
 *
 * <p>Of nodes that share a store one publishes a shard at a time, under a lease. A lease is no
 * lock: a node that was held up may still send what another one has sent, which is the same again.
 * {@link #turn} belongs to one thread, the counts to everyone.
 */
public final class ChangePublisher {
  private static final int CHUNK = 2000;

  /** How long the others wait for a node that died. */
  private static final long LEASE_MILLIS = Duration.ofSeconds(10).toMillis();

  private final Store store;
  private final ChangeReader reader;
  private final ChangeStream stream;
  private final Function<Change, List<ChangeStream.Message>> encoder;
  private final Map<Integer, Long> held = new HashMap<>();
  private final LongAdder published = new LongAdder();
  private volatile long behind;

  public ChangePublisher(
      Store store,
      BoardDirectory directory,
      Users users,
      ChangeStream stream,
      Function<Change, List<ChangeStream.Message>> encoder) {
    this.store = store;
    this.reader = new ChangeReader(directory, users);
    this.stream = stream;
    this.encoder = encoder;
  }

  /** Publishes what is there. */
  public void turn(BooleanSupplier stop) {
    Digest id = stream.id();
    Map<Integer, Long> positions = behind(id);
    positions.forEach(
        (shard, position) -> {
          long after = position;
          while (after >= 0 && !stop.getAsBoolean() && claim(id, shard)) {
            after = publish(id, shard, after, stop);
          }
        });
  }

  /** Where to go on in each shard that has something new. */
  private Map<Integer, Long> behind(Digest id) {
    Set<SourcePartition> asked = new HashSet<>();
    for (int shard = 0; shard < store.shards(); shard++) {
      asked.add(SourcePartition.published(id, shard));
    }
    return store.read(
        tx -> {
          Map<SourcePartition, Long> known = tx.offsets(asked);
          long[] last = tx.lastLines();
          Map<Integer, Long> left = new HashMap<>();
          long sum = 0;
          for (int shard = 0; shard < last.length; shard++) {
            long position = known.getOrDefault(SourcePartition.published(id, shard), 0L);
            if (position < last[shard]) {
              left.put(shard, position);
              sum += last[shard] - position;
            }
          }
          behind = sum;
          return left;
        });
  }

  /** The line up to which it came; -1 if there is nothing more, or it had to stop. */
  private long publish(Digest id, int shard, long after, BooleanSupplier stop) {
    List<Change> changes = store.read(tx -> reader.read(tx, shard, after, CHUNK));
    if (changes.isEmpty()) {
      return -1;
    }
    List<ChangeStream.Message> messages = new ArrayList<>(changes.size());
    changes.forEach(change -> messages.addAll(encoder.apply(change)));
    if (!stream.send(messages, stop)) {
      return -1;
    }
    long last = changes.getLast().line().line();
    store.write(
        tx -> {
          tx.moveOffsets(Map.of(SourcePartition.published(id, shard), last));
          return true;
        });
    published.add(changes.size());
    return changes.size() < CHUNK ? -1 : last;
  }

  /** Whether this node may publish the shard for a while. */
  private boolean claim(Digest id, int shard) {
    if (!store.isShared()) {
      return true;
    }
    SourcePartition lease = SourcePartition.lease(id, shard);
    Long mine = held.get(shard);
    Long until =
        store.write(
            tx -> {
              // Orders those who want the same lease.
              tx.lockShard(shard);
              long now = tx.now();
              Long stored = tx.offsets(Set.of(lease)).get(lease);
              if (stored != null && stored > now && !stored.equals(mine)) {
                return 0L;
              }
              // Never the same again, so that it tells whose it is.
              long next = Math.max(now + LEASE_MILLIS, stored == null ? 0 : stored + 1);
              tx.moveOffsets(Map.of(lease, next));
              return next;
            });
    held.put(shard, until);
    return until > 0;
  }

  /** Changes that this node has published. */
  public long published() {
    return published.sum();
  }

  /** Changes that wait to be published by some node, as of the last look. */
  public long behind() {
    return behind;
  }
}
