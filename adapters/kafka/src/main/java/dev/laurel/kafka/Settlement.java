package dev.laurel.kafka;

import dev.laurel.core.events.SourceObserver;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * What follows the answers to a batch: first its dead letters, then the store and Kafka hear that
 * it is done. Belongs to the source's thread.
 */
final class Settlement {
  private final Consumer<byte[], byte[]> consumer;
  private final DeadLetterSender letters;
  private final Progress progress;
  private final SourceObserver observer;
  private final InstantSource clock;

  Settlement(
      Consumer<byte[], byte[]> consumer,
      DeadLetterSender letters,
      Progress progress,
      SourceObserver observer,
      InstantSource clock) {
    this.consumer = consumer;
    this.letters = letters;
    this.progress = progress;
    this.observer = observer;
    this.clock = clock;
  }

  /** Makes dead letters; returns the partitions that some are missing of, with the reason. */
  Map<TopicPartition, String> refuse(EventBatch batch) {
    Map<String, KafkaException> unsent = letters.send(batch.refused(), clock.millis());
    unsent.forEach((topic, cause) -> observer.failed("send dead letters of " + topic, cause));
    Map<TopicPartition, String> waiting = new HashMap<>();
    for (EventBatch.Item item : batch.refused()) {
      if (unsent.containsKey(item.record.topic())) {
        waiting.put(item.partition(), "dead letters cannot be sent");
      }
    }
    return waiting;
  }

  void settle(EventBatch batch) {
    store(batch, false);
    if (!batch.ends().isEmpty()) {
      // If it fails, as it does while partitions move, the next one says more.
      consumer.commitAsync(batch.ends(), (offsets, failure) -> {});
    }
  }

  /** There is no next one, or it is another node's. */
  void settleLast(EventBatch batch, Duration patience) {
    store(batch, true);
    if (!batch.ends().isEmpty()) {
      consumer.commitSync(batch.ends(), patience);
    }
  }

  private void store(EventBatch batch, boolean now) {
    boolean anyRefused = false;
    for (EventBatch.Item item : batch.items()) {
      Rejection refusal = item.refusal;
      if (refusal != null) {
        anyRefused = true;
        observer.deadLetter(item.record.topic(), refusal.code());
      } else {
        Outcome.Effect effect = item.effect;
        observer.taken(
            item.record.topic(),
            effect == null ? Outcome.Effect.DUPLICATE : effect,
            item.record.timestamp());
      }
    }
    progress.settled(batch, anyRefused || now);
  }
}
