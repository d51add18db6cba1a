package dev.laurel.kafka;

import dev.laurel.core.model.Rejection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;

/** Writes to Kafka and returns when it is there. Thread-safe. */
final class DeadLetterSender {
  private final Producer<byte[], byte[]> producer;
  private final KafkaTopics topics;

  DeadLetterSender(Producer<byte[], byte[]> producer, KafkaTopics topics) {
    this.producer = producer;
    this.topics = topics;
  }

  /**
   * Makes dead letters of events that were refused, topic by topic: what is wrong with one topic's
   * letters is no reason to keep back another's.
   *
   * @return the topics of the events whose letters are not all there, with the reason
   */
  Map<String, KafkaException> send(Collection<EventBatch.Item> refused, long now) {
    Map<String, List<EventBatch.Item>> byTopic = new LinkedHashMap<>();
    for (EventBatch.Item item : refused) {
      byTopic.computeIfAbsent(item.record.topic(), t -> new ArrayList<>()).add(item);
    }
    Map<String, KafkaException> unsent = new LinkedHashMap<>();
    byTopic.forEach(
        (topic, items) -> {
          try {
            topics.ensureDeadLetters(topic);
            sendOf(items, now);
          } catch (KafkaException e) {
            unsent.put(topic, e);
          }
        });
    return unsent;
  }

  private void sendOf(List<EventBatch.Item> items, long now) {
    Map<EventBatch.Item, Future<?>> sent = new LinkedHashMap<>();
    List<EventBatch.Item> tooLarge = new ArrayList<>();
    for (EventBatch.Item item : items) {
      Rejection why = item.refusal;
      if (why != null) {
        Future<?> future = producer.send(Letters.write(item, why, now));
        if (future.isDone() && !fits(future)) {
          // At once: a producer that waited for the topic in vain would wait again for the next.
          tooLarge.add(item);
        } else {
          sent.put(item, future);
        }
      }
    }
    sent.forEach(
        (item, future) -> {
          if (!fits(future)) {
            tooLarge.add(item);
          }
        });
    for (EventBatch.Item item : tooLarge) {
      Rejection why = item.refusal;
      if (why != null) {
        await(producer.send(Letters.cut(item, why, now)));
      }
    }
  }

  /** False if the letter is larger than the producer sends, or than its topic takes. */
  private static boolean fits(Future<?> sent) {
    try {
      await(sent);
      return true;
    } catch (KafkaException e) {
      if (e.getCause() instanceof RecordTooLargeException) {
        return false;
      }
      throw e;
    }
  }

  void send(List<ProducerRecord<byte[], byte[]>> records) {
    List<Future<?>> sent = new ArrayList<>(records.size());
    for (ProducerRecord<byte[], byte[]> record : records) {
      sent.add(producer.send(record));
    }
    sent.forEach(DeadLetterSender::await);
  }

  private static void await(Future<?> sent) {
    try {
      sent.get();
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException(e);
    }
  }
}
