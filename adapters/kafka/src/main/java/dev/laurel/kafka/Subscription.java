package dev.laurel.kafka;

import dev.laurel.core.events.EventDecoder;
import dev.laurel.core.events.SourceObserver;
import dev.laurel.core.pod.Pods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/**
 * Keeps a consumer subscribed to the topics of all pods and tenants: new ones need no restart.
 * Belongs to the source's thread.
 */
final class Subscription {
  private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A list of all topics may be long. */
  private static final long LIST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** What the source does with partitions that begin anew or become another's. */
  interface Parts extends ConsumerRebalanceListener {
    void forget(Collection<TopicPartition> partitions);
  }

  private final Consumer<byte[], byte[]> consumer;
  private final KafkaTopics topics;
  private final EventDecoder decoder;
  private final SourceObserver observer;
  private final Parts parts;

  private Map<String, KafkaTopics.Found> found = Map.of();
  private long refreshed = System.nanoTime() - REFRESH_NANOS;

  private long listed = System.nanoTime() - LIST_NANOS;

  /** Whether what changed since could not be read. */
  private boolean outdated;

  Subscription(
      Consumer<byte[], byte[]> consumer,
      KafkaTopics topics,
      EventDecoder decoder,
      SourceObserver observer,
      Parts parts) {
    this.consumer = consumer;
    this.topics = topics;
    this.decoder = decoder;
    this.observer = observer;
    this.parts = parts;
  }

  /** The topics that are there. */
  Map<String, KafkaTopics.Found> found() {
    return found;
  }

  boolean isEmpty() {
    return consumer.subscription().isEmpty();
  }

  /** Looks for what changed, about once a second. */
  void refresh() {
    if (System.nanoTime() - refreshed >= REFRESH_NANOS) {
      refreshed = System.nanoTime();
      lag();
      try {
        decoder.follow();
        lookUp();
        lookForUnregistered();
        outdated = false;
      } catch (RuntimeException e) {
        // What was known goes on, and so does the membership.
        if (!outdated) {
          observer.failed("look for topics", e);
        }
        outdated = true;
      }
    }
  }

  void lookUp() {
    Map<String, KafkaTopics.Found> now = topics.find(decoder.topics());
    List<String> remade = new ArrayList<>();
    now.forEach(
        (name, topic) -> {
          KafkaTopics.Found known = found.get(name);
          if (known != null && !known.id().equals(topic.id())) {
            remade.add(name);
          }
        });
    if (!remade.isEmpty()) {
      startOver(remade);
    }
    boolean changed = !now.keySet().equals(consumer.subscription());
    found = now;
    if (changed) {
      consumer.subscribe(now.keySet(), parts);
    }
  }

  /**
   * A producer that nobody registered is told of rather than read: whose board its events are for
   * is not known yet. They wait, and count once the pod is there.
   */
  private void lookForUnregistered() {
    if (System.nanoTime() - listed >= LIST_NANOS) {
      listed = System.nanoTime();
      Set<String> known = decoder.topics();
      Set<String> unregistered = new TreeSet<>(topics.names());
      unregistered.removeIf(name -> Pods.podOf(name) == null || known.contains(name));
      observer.unregistered(unregistered);
    }
  }

  /** A topic that was deleted and made again is another one, and is read from its beginning. */
  private void startOver(Collection<String> names) {
    List<TopicPartition> partitions =
        consumer.assignment().stream().filter(p -> names.contains(p.topic())).toList();
    parts.forget(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Says how many events wait. */
  void lag() {
    Map<String, Long> byTopic = new HashMap<>();
    for (TopicPartition partition : consumer.assignment()) {
      byTopic.merge(partition.topic(), consumer.currentLag(partition).orElse(0), Long::sum);
    }
    observer.lag(byTopic);
  }
}
