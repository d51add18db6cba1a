package dev.laurel.kafka;

import dev.laurel.core.events.ChangeStream;
import dev.laurel.core.store.Digest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** A topic of changes. The producer is idempotent, so a retry neither doubles nor reorders. */
final class KafkaChanges implements ChangeStream {
  private final Producer<byte[], byte[]> producer;
  private final KafkaTopics topics;
  private final String topic;

  KafkaChanges(Producer<byte[], byte[]> producer, KafkaTopics topics, String topic) {
    this.producer = producer;
    this.topics = topics;
    this.topic = topic;
  }

  @Override
  public Digest id() {
    return topics.require(topic).id();
  }

  @Override
  public boolean send(List<Message> messages, BooleanSupplier stop) {
    List<Future<?>> sent = new ArrayList<>(messages.size());
    for (Message message : messages) {
      sent.add(
          producer.send(
              new ProducerRecord<>(
                  topic, message.key().getBytes(StandardCharsets.UTF_8), message.value())));
    }
    for (Future<?> each : sent) {
      if (!await(each, stop)) {
        return false;
      }
    }
    return true;
  }

  /** A broker that is away must not hold up the end of the process. */
  private static boolean await(Future<?> sent, BooleanSupplier stop) {
    while (true) {
      try {
        sent.get(100, TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException e) {
        if (stop.getAsBoolean()) {
          return false;
        }
      } catch (ExecutionException e) {
        throw new KafkaException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
