package dev.laurel.kafka;

import dev.laurel.core.events.ChangeStream;
import dev.laurel.core.events.DeadLetterTopics;
import dev.laurel.core.events.EventDecoder;
import dev.laurel.core.events.SourceObserver;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.pod.TopicMaker;
import dev.laurel.core.store.RememberedStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Laurel's part in a Kafka cluster: reads events, keeps dead letters, publishes changes.
 * Thread-safe.
 */
public final class Kafka implements AutoCloseable {
  private final KafkaClients clients;
  private final KafkaTopics topics;
  private final Producer<byte[], byte[]> producer;
  private final DeadLetterSender sender;

  /**
   * Connects when it is used first: a cluster that is not there now may be there later.
   *
   * @param properties of clients, by Kafka's names
   */
  public Kafka(String bootstrap, Map<String, String> properties) {
    this.clients = new KafkaClients(bootstrap, properties);
    this.topics = new KafkaTopics(clients.admin());
    this.producer = clients.producer();
    this.sender = new DeadLetterSender(producer, topics);
  }

  public DeadLetterTopics deadLetters() {
    return new KafkaDeadLetters(clients, topics, sender);
  }

  public TopicMaker topicMaker() {
    return topic -> {
      try {
        topics.require(topic);
      } catch (KafkaException e) {
        if (!(e.getCause() instanceof AuthorizationException)) {
          throw KafkaDeadLetters.unavailable(e);
        }
      }
    };
  }

  /** A topic that changes are published to. */
  public ChangeStream changes(String topic) {
    return new KafkaChanges(producer, topics, topic);
  }

  /**
   * Begins to read events, until what it returns is closed.
   *
   * @param group the members of which share the partitions
   * @param maxCommands that a request to the pipeline may have
   */
  public AutoCloseable read(
      String group,
      EventDecoder decoder,
      ScorePipeline pipeline,
      RememberedStore store,
      SourceObserver observer,
      InstantSource clock,
      int maxCommands) {
    return new KafkaSource(
        // As many as one commit takes: of one partition's requests only one is under way, so a
        // second one would wait for the first with nothing decoded beside it.
        clients.member(group, maxCommands),
        topics,
        sender,
        decoder,
        pipeline,
        store,
        observer,
        clock,
        maxCommands);
  }

  @Override
  public void close() {
    // What is under way by now will be sent again; a broker that is away is not waited for.
    producer.close(Duration.ofSeconds(5));
    topics.close();
  }
}
