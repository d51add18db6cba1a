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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Up to where each partition is settled: committed, or a dead letter. Kafka is told after every
 * batch, the store once a second and after dead letters; so a topic that is read again from its
 * beginning makes no second dead letters, and what was taken under an older schema is not refused
 * by a newer one. Belongs to the source's thread.
 */
final class Progress {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Store store;
  private final Map<SourcePartition, Long> settled = new HashMap<>();
  private final Set<TopicPartition> loaded = new HashSet<>();
  private final Map<TopicPartition, Long> last = new HashMap<>();
  private final Map<SourcePartition, Long> unstored = new HashMap<>();
  private long stored = System.nanoTime();

  Progress(Store store) {
    this.store = store;
  }

  /** Whether a partition goes on before where it was. */
  boolean wentBack(ConsumerRecords<byte[], byte[]> records) {
    boolean back = false;
    for (TopicPartition partition : records.partitions()) {
      var some = records.records(partition);
      Long before = last.put(partition, some.getLast().offset());
      back |= before != null && some.getFirst().offset() <= before;
    }
    return back;
  }

  /** Reads what the store knows of partitions that are new here. */
  void load(Collection<TopicPartition> partitions, Map<String, KafkaTopics.Found> topics) {
    Set<SourcePartition> asked = new HashSet<>();
    for (TopicPartition partition : partitions) {
      KafkaTopics.Found topic = topics.get(partition.topic());
      if (topic != null && !loaded.contains(partition)) {
        asked.add(new SourcePartition(0, topic.id(), partition.partition()));
      }
    }
    if (!asked.isEmpty()) {
      settled.putAll(store.read(tx -> tx.offsets(asked)));
      loaded.addAll(partitions);
    }
  }

  boolean isSettled(Digest topic, ConsumerRecord<?, ?> record) {
    Long offset = settled.get(new SourcePartition(0, topic, record.partition()));
    return offset != null && record.offset() <= offset;
  }

  void settled(Map<SourcePartition, Long> moved, boolean now) {
    unstored.putAll(moved);
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

  void forget(Collection<TopicPartition> partitions) {
    loaded.removeAll(partitions);
    partitions.forEach(last::remove);
  }
}
