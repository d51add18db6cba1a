package dev.laurel.kafka;

import dev.laurel.core.events.Decoded;
import dev.laurel.core.events.EventDecoder;
import dev.laurel.core.events.SourceObserver;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Makes a batch of what was polled. Belongs to the source's thread. */
final class RecordDecoder {
  private final EventDecoder decoder;
  private final Progress progress;
  private final SourceObserver observer;
  private final int maxCommands;

  RecordDecoder(EventDecoder decoder, Progress progress, SourceObserver observer, int maxCommands) {
    this.decoder = decoder;
    this.progress = progress;
    this.observer = observer;
    this.maxCommands = maxCommands;
  }

  /**
   * @param topics those that are there
   */
  EventBatch decode(
      ConsumerRecords<byte[], byte[]> records, Map<String, KafkaTopics.Found> topics) {
    EventBatch batch = new EventBatch(maxCommands);
    for (TopicPartition partition : records.partitions()) {
      progress.polled(partition, records.records(partition).getFirst().offset());
    }
    boolean followed = false;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      KafkaTopics.Found topic = topics.get(record.topic());
      if (topic == null) {
        throw new KafkaException("topic: " + record.topic() + " (expected: one that is there)");
      }
      if (progress.isSettled(topic.id(), record)) {
        batch.pass(record);
        continue;
      }
      Decoded decoded = decodeOne(record, topic);
      if (!followed && decoded instanceof Decoded.Refused(Rejection why, var _) && mayBeNew(why)) {
        // Made a moment ago, perhaps; looked up once for all that this poll does not know.
        decoder.follow();
        followed = true;
        decoded = decodeOne(record, topic);
      }
      batch.add(new EventBatch.Item(record, topic.id(), decoded));
    }
    return batch;
  }

  private static boolean mayBeNew(Rejection why) {
    return switch (why.code()) {
      case BOARD_NOT_FOUND,
          CONFIG_NOT_FOUND,
          POD_NOT_FOUND,
          SCHEMA_NOT_FOUND,
          SCHEMA_MISMATCH,
          TOPIC_NOT_FOUND ->
          true;
      default -> false;
    };
  }

  private Decoded decodeOne(ConsumerRecord<byte[], byte[]> record, KafkaTopics.Found topic) {
    Decoded decoded;
    try {
      decoded =
          decoder.decode(
              record.topic(), record.value(), name -> Letters.header(record.headers(), name));
    } catch (RuntimeException e) {
      // Our mistake, not the event's: its partition waits for a better version of us.
      observer.failed("read an event", e);
      Rejection why = Rejection.of(ErrorCode.INTERNAL_ERROR, "the event could not be read");
      decoded = new Decoded.Refused(why, null);
    }
    return Letters.header(record.headers(), Letters.ORIGIN) != null
            && decoded instanceof Decoded.Accepted accepted
        ? Redriven.once(accepted, Letters.origin(record, topic.id()))
        : decoded;
  }
}
