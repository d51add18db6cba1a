package dev.laurel.server;

import dev.laurel.stack.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The other side of a topic: makes it and writes to it. Single quotes stand for double ones. */
public final class Streams implements AutoCloseable {
  private final Map<String, Object> properties;
  private final Admin admin;
  private final Producer<String, String> producer;

  public Streams(KafkaServer kafka) {
    this.properties = Map.of("bootstrap.servers", kafka.bootstrap());
    this.admin = Admin.create(properties);
    Map<String, Object> inTurn = new HashMap<>(properties);
    // A topic that was made a moment ago refuses the first batch and not the next, out of order.
    inTurn.put("max.in.flight.requests.per.connection", 1);
    this.producer = new KafkaProducer<>(inTurn, new StringSerializer(), new StringSerializer());
  }

  public void create(String topic, int partitions) {
    create(topic, partitions, Map.of());
  }

  public void create(String topic, int partitions, Map<String, String> configuration) {
    NewTopic wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty());
    await(
        admin
            .createTopics(List.of(wanted.configs(configuration)))
            .all()
            .toCompletionStage()
            .toCompletableFuture());
  }

  public void delete(String topic) {
    await(admin.deleteTopics(List.of(topic)).all().toCompletionStage().toCompletableFuture());
  }

  /** Deletes it and makes another one of the same name. */
  public void remake(String topic, int partitions) {
    delete(topic);
    Poll.until(
        "the name is free",
        Duration.ofSeconds(60),
        () -> {
          try {
            create(topic, partitions);
            return true;
          } catch (IllegalStateException e) {
            return false;
          }
        });
  }

  /** As if the group had read nothing of the topic's first partition. */
  public void rewind(String group, String topic) {
    await(
        admin
            .alterConsumerGroupOffsets(
                group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(0)))
            .all()
            .toCompletionStage()
            .toCompletableFuture());
  }

  /** Returns when all are there. */
  public void send(String topic, String... events) {
    List<Future<?>> sent = new ArrayList<>();
    for (String event : events) {
      sent.add(producer.send(new ProducerRecord<>(topic, event.replace('\'', '"'))));
    }
    sent.forEach(Streams::await);
  }

  /** To this partition. */
  public void send(String topic, int partition, String event) {
    await(producer.send(new ProducerRecord<>(topic, partition, null, event.replace('\'', '"'))));
  }

  public void send(String topic, Map<String, String> headers, String event) {
    ProducerRecord<String, String> record = new ProducerRecord<>(topic, event.replace('\'', '"'));
    headers.forEach(
        (name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
    await(producer.send(record));
  }

  /** An event that is far larger than what the broker gets of it. */
  public void sendCompressed(String topic, String event) {
    Map<String, Object> large = new HashMap<>(properties);
    large.put("compression.type", "gzip");
    large.put("max.request.size", 64 << 20);
    large.put("buffer.memory", 128 << 20);
    try (Producer<String, String> own =
        new KafkaProducer<>(large, new StringSerializer(), new StringSerializer())) {
      await(own.send(new ProducerRecord<>(topic, event.replace('\'', '"'))));
    }
  }

  /** Events of one transaction, which is committed or aborted. */
  public void sendInTransaction(boolean commit, String topic, String... events) {
    Map<String, Object> own = new HashMap<>(properties);
    own.put("transactional.id", topic + "-" + commit);
    try (Producer<String, String> transactional =
        new KafkaProducer<>(own, new StringSerializer(), new StringSerializer())) {
      transactional.initTransactions();
      transactional.beginTransaction();
      for (String event : events) {
        await(transactional.send(new ProducerRecord<>(topic, event.replace('\'', '"'))));
      }
      if (commit) {
        transactional.commitTransaction();
      } else {
        transactional.abortTransaction();
      }
    }
  }

  /** Everything that is in a topic now; nothing if there is none. */
  public List<String> read(String topic) {
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }

  private static void await(Future<?> future) {
    try {
      future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
