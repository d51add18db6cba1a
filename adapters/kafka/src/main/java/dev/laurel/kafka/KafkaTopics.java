package dev.laurel.kafka;

import dev.laurel.core.board.Topics;
import dev.laurel.core.store.Digest;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Which topics there are. Blocking. Thread-safe. */
final class KafkaTopics implements AutoCloseable {
  static final int MAX_LETTER_BYTES = 10 << 20;

  private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Admin admin;

  KafkaTopics(Admin admin) {
    this.admin = admin;
  }

  /** A topic that is there. */
  record Found(Digest id, int partitions) {}

  static String deadLetters(String topic) {
    return topic + Topics.DEAD_LETTERS;
  }

  /** Those of the topics that exist and that this node may describe. */
  Map<String, Found> find(Collection<String> names) {
    Map<String, Found> found = new HashMap<>();
    if (names.isEmpty()) {
      return found;
    }
    for (Map.Entry<String, KafkaFuture<TopicDescription>> entry :
        admin.describeTopics(names).topicNameValues().entrySet()) {
      TopicDescription topic = described(entry.getValue());
      if (topic != null) {
        Uuid id = topic.topicId();
        found.put(
            entry.getKey(),
            new Found(
                new Digest(id.getMostSignificantBits(), id.getLeastSignificantBits()),
                topic.partitions().size()));
      }
    }
    return found;
  }

  /** The names of all topics but the broker's own. */
  Set<String> names() {
    Set<String> names = get(admin.listTopics().names());
    return names == null ? Set.of() : names;
  }

  /**
   * The topic, which is made unless it is there. Brokers know a new topic a moment later than the
   * one that made it.
   */
  Found require(String name) {
    long deadline = System.nanoTime() + KNOWN_NANOS;
    Found found = find(List.of(name)).get(name);
    if (found == null) {
      create(new NewTopic(name, Optional.empty(), Optional.empty()));
      found = find(List.of(name)).get(name);
      while (found == null && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
        found = find(List.of(name)).get(name);
      }
    }
    if (found == null) {
      throw new KafkaException("topic: " + name + " (expected: to be there a moment later)");
    }
    return found;
  }

  private void create(NewTopic wanted) {
    get(admin.createTopics(List.of(wanted)).values().get(wanted.name()));
  }

  /**
   * Makes the topic for a topic's dead letters unless it is there. Looks each time: somebody may
   * have deleted it, and a producer waits long for a topic that is gone.
   */
  void ensureDeadLetters(String topic) {
    String name = deadLetters(topic);
    if (!find(List.of(name)).containsKey(name)) {
      create(
          new NewTopic(name, Optional.empty(), Optional.empty())
              // An event that its own topic just took gets headers on top.
              .configs(Map.of("max.message.bytes", Integer.toString(MAX_LETTER_BYTES))));
    }
  }

  /** One topic that this node may not see must not hide the others. */
  private static @Nullable TopicDescription described(KafkaFuture<TopicDescription> future) {
    try {
      return get(future);
    } catch (KafkaException e) {
      if (e.getCause() instanceof AuthorizationException) {
        return null;
      }
      throw e;
    }
  }

  /** What became of it; null if it is not there, or is there already. */
  private static <T> @Nullable T get(@Nullable KafkaFuture<T> future) {
    try {
      return future == null ? null : future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof InvalidTopicException
          || e.getCause() instanceof TopicExistsException) {
        return null;
      }
      throw new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException(e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
