package dev.laurel.kafka;

import dev.laurel.core.events.Decoded;
import dev.laurel.core.model.Rejection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Writes to Kafka and returns when it is there. Thread-safe. */
final class DeadLetterSender {
  private final Producer<byte[], byte[]> producer;
  private final KafkaTopics topics;

  DeadLetterSender(Producer<byte[], byte[]> producer, KafkaTopics topics) {
    this.producer = producer;
    this.topics = topics;
  }

  /** Makes dead letters of events that were refused. */
  void send(Collection<EventBatch.Item> refused, long now) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (EventBatch.Item item : refused) {
      Rejection why = item.refusal;
      if (why != null) {
        String topic = item.record.topic();
        topics.ensureDeadLetters(topic);
        Decoded decoded = item.decoded;
        records.add(
            Letters.write(
                KafkaTopics.deadLetters(topic),
                item.record,
                item.topicId,
                why,
                decoded.schemaVersion(),
                now));
      }
    }
    send(records);
  }

  void send(List<ProducerRecord<byte[], byte[]>> records) {
    List<Future<?>> sent = new ArrayList<>(records.size());
    for (ProducerRecord<byte[], byte[]> record : records) {
      sent.add(producer.send(record));
    }
    for (Future<?> each : sent) {
      try {
        each.get();
      } catch (ExecutionException e) {
        topics.forgetDeadLetters();
        throw new KafkaException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new KafkaException(e);
      }
    }
  }
}
