package dev.laurel.kafka;

import dev.laurel.core.store.Digest;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Up to where each partition is settled: committed, or a dead letter. The store is told once a
 * second and after dead letters, and a partition that comes to this node goes on where the store
 * says, by the topic's own id. Kafka is told too, for those who watch the group; its word does not
 * count, because it names topics, and a topic that was made again has the same name. Belongs to the
 * source's thread.
 */
final class Progress {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Store store;
  private final Map<SourcePartition, Long> settled = new HashMap<>();

  /** Assigned to this node, and not yet put to where they go on. */
  private final Set<TopicPartition> unplaced = new HashSet<>();

  /** Of which topic the position of each partition is. */
  private final Map<TopicPartition, Digest> placed = new HashMap<>();

  /** The first offset of each partition that is not settled. */
  private final Map<TopicPartition, Long> open = new HashMap<>();

  private final Map<SourcePartition, Long> unstored = new HashMap<>();
  private long stored = System.nanoTime();

  Progress(Store store) {
    this.store = store;
  }

  /** Partitions that begin here: {@link #place} says where. */
  void begin(Collection<TopicPartition> partitions) {
    forget(partitions);
    unplaced.addAll(partitions);
  }

  boolean isPlaced(TopicPartition partition) {
    return !unplaced.contains(partition);
  }

  /** Whether this node's position in the partition is that of a topic which had the same name. */
  boolean isOfAnother(TopicPartition partition, Digest topic) {
    Digest known = placed.get(partition);
    return known != null && !known.equals(topic);
  }

  /**
   * Puts the partitions that are new here to where the store says, or to their beginning. May fail
   * as the store does; then they wait.
   *
   * @return those that can be read now
   */
  Collection<TopicPartition> place(
      Consumer<byte[], byte[]> consumer, Map<String, KafkaTopics.Found> topics) {
    Map<TopicPartition, SourcePartition> asked = new HashMap<>();
    for (TopicPartition partition : unplaced) {
      KafkaTopics.Found topic = topics.get(partition.topic());
      if (topic != null) {
        asked.put(partition, new SourcePartition(0, topic.id(), partition.partition()));
      }
    }
    if (asked.isEmpty()) {
      return asked.keySet();
    }
    settled.putAll(store.read(tx -> tx.offsets(Set.copyOf(asked.values()))));
    asked.forEach(
        (partition, source) -> {
          Long last = settled.get(source);
          if (last == null) {
            consumer.seekToBeginning(Set.of(partition));
          } else {
            consumer.seek(partition, last + 1);
            open.put(partition, last + 1);
          }
          placed.put(partition, source.topic());
          unplaced.remove(partition);
        });
    return asked.keySet();
  }

  boolean isSettled(Digest topic, ConsumerRecord<?, ?> record) {
    Long offset = settled.get(new SourcePartition(0, topic, record.partition()));
    return offset != null && record.offset() <= offset;
  }

  /**
   * The first offset that is not settled.
   *
   * @param position what is polled next; of a partition that settled nothing yet, all before it was
   *     never there
   */
  long open(TopicPartition partition, long position) {
    return open.getOrDefault(partition, position);
  }

  /** A partition whose first event is polled: what is before it was never there. */
  void polled(TopicPartition partition, long first) {
    open.putIfAbsent(partition, first);
  }

  void settled(EventBatch batch, boolean now) {
    batch.ends().forEach((partition, end) -> open.put(partition, end.offset()));
    settled.putAll(batch.settled());
    unstored.putAll(batch.settled());
    if (!unstored.isEmpty() && (now || System.nanoTime() - stored > INTERVAL_NANOS)) {
      Map<SourcePartition, Long> all = Map.copyOf(unstored);
      stored = System.nanoTime();
      try {
        store.write(
            tx -> {
              tx.moveOffsets(all);
              return true;
            });
        unstored.clear();
      } catch (StoreException e) {
        // The next one says more.
      }
    }
  }

  /** What was settled in another epoch. */
  void forget() {
    settled.clear();
    unstored.clear();
  }

  void forget(Collection<TopicPartition> partitions) {
    unplaced.removeAll(partitions);
    partitions.forEach(open::remove);
    partitions.forEach(placed::remove);
  }
}
