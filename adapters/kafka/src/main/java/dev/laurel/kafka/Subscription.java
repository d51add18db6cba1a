package dev.laurel.kafka;

import dev.laurel.core.events.EventDecoder;
import dev.laurel.core.events.SourceObserver;
import dev.laurel.core.pod.Pods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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

  private static final long DENIED_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** What the source does with partitions that begin anew or become another's. */
  interface Parts extends ConsumerRebalanceListener {
    /** They are read from where the store says, as if they had just been assigned. */
    void beginAnew(Collection<TopicPartition> partitions);
  }

  private final Consumer<byte[], byte[]> consumer;
  private final KafkaTopics topics;
  private final EventDecoder decoder;
  private final SourceObserver observer;
  private final Progress progress;
  private final Parts parts;

  private Map<String, KafkaTopics.Found> found = Map.of();
  private long refreshed = System.nanoTime() - REFRESH_NANOS;

  private long listed = System.nanoTime() - LIST_NANOS;

  /** Whether what changed since could not be read. */
  private boolean outdated;

  /** Topics that this node may not read, and until when it does not ask again. */
  private final Map<String, Long> denied = new HashMap<>();

  Subscription(
      Consumer<byte[], byte[]> consumer,
      KafkaTopics topics,
      EventDecoder decoder,
      SourceObserver observer,
      Progress progress,
      Parts parts) {
    this.consumer = consumer;
    this.topics = topics;
    this.decoder = decoder;
    this.observer = observer;
    this.progress = progress;
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

  /**
   * Whether the topics of what was polled are still the ones that are known here. They were known
   * before the poll, so what it brought is theirs. If one is another by now, it begins anew, and
   * nothing of this poll may be taken.
   */
  boolean areTheSame(Collection<TopicPartition> partitions) {
    Set<String> names = new TreeSet<>();
    partitions.forEach(partition -> names.add(partition.topic()));
    Map<String, KafkaTopics.Found> now = topics.find(names);
    boolean same =
        names.stream()
            .allMatch(
                name -> {
                  KafkaTopics.Found known = found.get(name);
                  KafkaTopics.Found topic = now.get(name);
                  return known != null && topic != null && known.id().equals(topic.id());
                });
    if (!same) {
      lookUp();
    }
    return same;
  }

  /** Kafka does not let this node read them: the others go on without. */
  void deny(Set<String> names) {
    long until = System.nanoTime() + DENIED_NANOS;
    names.forEach(name -> denied.put(name, until));
    lookUp();
  }

  private Set<String> wanted() {
    long now = System.nanoTime();
    denied.values().removeIf(until -> until - now <= 0);
    Set<String> names = new TreeSet<>(decoder.topics());
    names.removeAll(denied.keySet());
    return names;
  }

  private void lookUp() {
    Map<String, KafkaTopics.Found> now = topics.find(wanted());
    boolean changed = !now.keySet().equals(consumer.subscription());
    found = now;
    startOver(now);
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

  /**
   * A topic that was deleted and made again is another one, and is read from its beginning. What
   * counts is where this node's positions come from, and not what the last look found: it may have
   * been between the two, and then the partitions stay assigned as if nothing had happened.
   */
  private void startOver(Map<String, KafkaTopics.Found> now) {
    List<TopicPartition> remade = new ArrayList<>();
    for (TopicPartition partition : consumer.assignment()) {
      KafkaTopics.Found topic = now.get(partition.topic());
      if (topic != null && progress.isOfAnother(partition, topic.id())) {
        remade.add(partition);
      }
    }
    if (!remade.isEmpty()) {
      parts.beginAnew(remade);
    }
  }

  /** All that this node has, and what is to be read may be something else as well. */
  void beginAnew() {
    refreshed = System.nanoTime() - REFRESH_NANOS;
    parts.beginAnew(List.copyOf(consumer.assignment()));
  }

  /** Says how many events wait: those that are not polled, and those that are not settled. */
  void lag() {
    Map<String, Long> byTopic = new HashMap<>();
    for (TopicPartition partition : consumer.assignment()) {
      OptionalLong unread = consumer.currentLag(partition);
      long waiting = 0;
      if (unread.isPresent()) {
        long position = consumer.position(partition);
        waiting = unread.getAsLong() + position - progress.open(partition, position);
      }
      byTopic.merge(partition.topic(), waiting, Long::sum);
    }
    observer.lag(byTopic);
  }
}
