package dev.laurel.kafka;

import dev.laurel.core.events.DeadLetter;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Digest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * How a dead letter is written: the event's own bytes, key and headers, and headers of ours that
 * say where it was and why it is here.
 */
final class Letters {
  static final String ORIGIN = "laurel-origin";
  static final String ATTEMPT = "laurel-attempt";
  private static final String OURS = "laurel-";
  private static final String CODE = "laurel-code";
  private static final String REASON = "laurel-reason";
  private static final String SCHEMA_VERSION = "laurel-schema-version";
  private static final String TIME = "laurel-time";
  private static final String TOPIC = "laurel-topic";
  private static final String PARTITION = "laurel-partition";
  private static final String OFFSET = "laurel-offset";

  /** How many bytes the event's value had, where the letter has only its beginning. */
  private static final String CUT = "laurel-cut";

  /** What is left of an event that is too large for a letter. */
  private static final int CUT_VALUE_BYTES = 64 << 10;

  private static final int CUT_KEY_BYTES = 8 << 10;
  private static final int CUT_HEADER_BYTES = 16 << 10;

  private Letters() {}

  static @Nullable String header(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null
        ? null
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  /** Where an event was at first: of one that came back, its headers know. */
  static String origin(ConsumerRecord<byte[], byte[]> record, Digest topicId) {
    String given = header(record.headers(), ORIGIN);
    return given != null
        ? given
        : "%016x%016x/%d/%d"
            .formatted(topicId.high(), topicId.low(), record.partition(), record.offset());
  }

  /** The letter of an event that was refused. */
  static ProducerRecord<byte[], byte[]> write(EventBatch.Item item, Rejection why, long now) {
    ConsumerRecord<byte[], byte[]> record = item.record;
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>(KafkaTopics.deadLetters(record.topic()), record.key(), record.value());
    for (Header header : record.headers()) {
      if (!header.key().startsWith(OURS)) {
        letter.headers().add(header);
      }
    }
    stamp(letter, item, why, now);
    return letter;
  }

  /**
   * The letter of an event that is too large for one: its beginning, its size, and where the whole
   * event is.
   */
  static ProducerRecord<byte[], byte[]> cut(EventBatch.Item item, Rejection why, long now) {
    ConsumerRecord<byte[], byte[]> record = item.record;
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>(
            KafkaTopics.deadLetters(record.topic()),
            start(record.key(), CUT_KEY_BYTES),
            start(record.value(), CUT_VALUE_BYTES));
    int left = CUT_HEADER_BYTES;
    for (Header header : record.headers()) {
      byte[] value = header.value();
      left -= header.key().length() + (value == null ? 0 : value.length);
      if (left >= 0 && !header.key().startsWith(OURS)) {
        letter.headers().add(header);
      }
    }
    add(letter, CUT, Integer.toString(record.value() == null ? 0 : record.value().length));
    stamp(letter, item, why, now);
    return letter;
  }

  private static byte @Nullable [] start(byte @Nullable [] bytes, int most) {
    return bytes == null || bytes.length <= most ? bytes : Arrays.copyOf(bytes, most);
  }

  private static void stamp(
      ProducerRecord<byte[], byte[]> letter, EventBatch.Item item, Rejection why, long now) {
    ConsumerRecord<byte[], byte[]> record = item.record;
    String schemaVersion = item.decoded.schemaVersion();
    add(letter, CODE, why.code().name());
    add(letter, REASON, why.message());
    if (schemaVersion != null) {
      add(letter, SCHEMA_VERSION, schemaVersion);
    }
    add(letter, TIME, Long.toString(now));
    add(letter, ATTEMPT, Long.toString(1 + number(record.headers(), ATTEMPT)));
    add(letter, TOPIC, record.topic());
    add(letter, PARTITION, Integer.toString(record.partition()));
    add(letter, OFFSET, Long.toString(record.offset()));
    add(letter, ORIGIN, origin(record, item.topicId));
  }

  private static void add(ProducerRecord<byte[], byte[]> letter, String name, String value) {
    letter.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
  }

  /** 0 for what is no number. */
  private static long number(Headers headers, String name) {
    String text = header(headers, name);
    return text != null && text.matches("[0-9]{1,15}") ? Long.parseLong(text) : 0;
  }

  /**
   * @param topic that the event came from
   */
  static DeadLetter read(String topic, ConsumerRecord<byte[], byte[]> record, Digest topicId) {
    Headers headers = record.headers();
    List<DeadLetter.Header> own = new ArrayList<>();
    for (Header header : headers) {
      if (!header.key().startsWith(OURS)) {
        own.add(new DeadLetter.Header(header.key(), header.value()));
      }
    }
    String code = header(headers, CODE);
    String reason = header(headers, REASON);
    return new DeadLetter(
        new DeadLetter.Place(topic, record.partition(), record.offset()),
        topicId,
        origin(record, topicId),
        code == null ? "" : code,
        reason == null ? "" : reason,
        header(headers, SCHEMA_VERSION),
        number(headers, TIME),
        (int) Math.min(Integer.MAX_VALUE, number(headers, ATTEMPT)),
        number(headers, CUT),
        record.key(),
        record.value(),
        own);
  }

  /** The event again, at the end of its topic. */
  static ProducerRecord<byte[], byte[]> resent(DeadLetter letter) {
    ProducerRecord<byte[], byte[]> event =
        new ProducerRecord<>(letter.place().topic(), letter.key(), letter.value());
    for (DeadLetter.Header header : letter.headers()) {
      event.headers().add(header.name(), header.value());
    }
    add(event, ORIGIN, letter.origin());
    add(event, ATTEMPT, Integer.toString(letter.attempt()));
    return event;
  }
}
