package dev.laurel.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Makes clients. What was configured goes before what is chosen here, and after what correctness
 * hangs on.
 */
final class KafkaClients {
  private final String bootstrap;
  private final Map<String, String> configured;

  /**
   * @param configured properties of clients by Kafka's names, such as security.protocol
   */
  KafkaClients(String bootstrap, Map<String, String> configured) {
    this.bootstrap = bootstrap;
    this.configured = configured;
  }

  /**
   * A member of a group that decides itself when something is done.
   *
   * @param maxRecords of a poll
   */
  Consumer<byte[], byte[]> member(String group, int maxRecords) {
    Map<String, Object> chosen =
        Map.of(
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            maxRecords,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            100,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            4 << 20,
            ConsumerConfig.METADATA_MAX_AGE_CONFIG,
            10_000,
            // The partitions of a node that died wait so long. Brokers allow no less by default.
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            6_000,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            1_500,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.CLIENT_ID_CONFIG,
            "laurel");
    return consumer(
        chosen,
        Map.of(
            ConsumerConfig.GROUP_ID_CONFIG,
            group,
            // What a producer took back was never sent.
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            CooperativeStickyAssignor.class.getName()));
  }

  /** One that belongs to no group and says itself what it reads. */
  Consumer<byte[], byte[]> reader() {
    return consumer(
        Map.of(
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            10_000,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            20),
        Map.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"));
  }

  private Consumer<byte[], byte[]> consumer(
      Map<String, Object> chosen, Map<String, Object> needed) {
    Map<String, Object> properties = properties(chosen);
    properties.putAll(needed);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  Producer<byte[], byte[]> producer() {
    Map<String, Object> properties =
        properties(
            Map.of(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                30_000,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                10_000,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                10_000,
                ProducerConfig.LINGER_MS_CONFIG,
                0));
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, KafkaTopics.MAX_LETTER_BYTES);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  Admin admin() {
    return Admin.create(
        properties(Map.of("default.api.timeout.ms", 10_000, "request.timeout.ms", 5_000)));
  }

  private Map<String, Object> properties(Map<String, Object> chosen) {
    Map<String, Object> properties = new HashMap<>(chosen);
    properties.putAll(configured);
    properties.put("bootstrap.servers", bootstrap);
    return properties;
  }
}
