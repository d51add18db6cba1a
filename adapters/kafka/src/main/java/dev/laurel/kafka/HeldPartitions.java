package dev.laurel.kafka;

import dev.laurel.core.events.SourceObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Partitions that cannot go on while others can: one of their events met an error of ours, or their
 * topic's dead letters cannot be sent. Each waits, longer every time, and is then read again from
 * its first event that is not settled. Belongs to the source's thread.
 */
final class HeldPartitions {
  private static final long FIRST_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int LONGEST_SHIFT = 5;

  private final SourceObserver observer;
  private final Map<TopicPartition, Held> held = new HashMap<>();

  /** How often each partition was held since it last settled something. */
  private final Map<TopicPartition, Integer> attempts = new HashMap<>();

  private record Held(String why, long untilNanos) {}

  HeldPartitions(SourceObserver observer) {
    this.observer = observer;
  }

  void hold(TopicPartition partition, String why, long nowNanos) {
    int attempt = attempts.merge(partition, 1, Integer::sum);
    if (attempt == 1) {
      observer.waiting(partition + ": " + why);
    }
    long wait = FIRST_NANOS << Math.min(attempt - 1, LONGEST_SHIFT);
    held.put(partition, new Held(why, nowNanos + wait));
    tell();
  }

  boolean contains(TopicPartition partition) {
    return held.containsKey(partition);
  }

  /** Those that have waited long enough; from now on they are not held. */
  List<TopicPartition> release(long nowNanos) {
    List<TopicPartition> due = new ArrayList<>();
    held.forEach(
        (partition, each) -> {
          if (each.untilNanos - nowNanos <= 0) {
            due.add(partition);
          }
        });
    due.forEach(held::remove);
    return due;
  }

  /** They go on as they should. */
  void settled(Collection<TopicPartition> partitions) {
    if (!attempts.isEmpty() && attempts.keySet().removeAll(partitions)) {
      tell();
    }
  }

  void forget(Collection<TopicPartition> partitions) {
    held.keySet().removeAll(partitions);
    settled(partitions);
  }

  private void tell() {
    Map<String, Integer> byTopic = new HashMap<>();
    attempts.keySet().forEach(partition -> byTopic.merge(partition.topic(), 1, Integer::sum));
    observer.held(byTopic);
  }
}
