package dev.laurel.kafka;

import dev.laurel.core.events.DeadLetter;
import dev.laurel.core.events.DeadLetterTopics;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Dead letters as Kafka has them. Whoever asks gets a consumer for the moment. */
final class KafkaDeadLetters implements DeadLetterTopics {
  private static final Duration POLL = Duration.ofMillis(200);

  /** How many records one page looks at, at the most. */
  private static final int MAX_SCANNED = 20_000;

  private final KafkaClients clients;
  private final KafkaTopics topics;
  private final DeadLetterSender sender;

  KafkaDeadLetters(KafkaClients clients, KafkaTopics topics, DeadLetterSender sender) {
    this.clients = clients;
    this.topics = topics;
    this.sender = sender;
  }

  @Override
  public Page read(
      Collection<String> names,
      DeadLetter.@Nullable Place after,
      Predicate<DeadLetter> filter,
      int limit) {
    return call(() -> scan(names, after, filter, limit));
  }

  private Page scan(
      Collection<String> names,
      DeadLetter.@Nullable Place after,
      Predicate<DeadLetter> filter,
      int limit) {
    Map<String, KafkaTopics.Found> found =
        topics.find(names.stream().map(KafkaTopics::deadLetters).toList());
    Scan scan = new Scan(filter, limit);
    try (Consumer<byte[], byte[]> consumer = clients.reader()) {
      for (String topic : new TreeSet<>(names)) {
        KafkaTopics.Found letters = found.get(KafkaTopics.deadLetters(topic));
        int order = after == null ? 1 : topic.compareTo(after.topic());
        if (letters == null || order < 0) {
          continue;
        }
        DeadLetter.Place begin =
            order == 0 && after != null ? after : new DeadLetter.Place(topic, 0, -1);
        for (int p = begin.partition(); p < letters.partitions(); p++) {
          long from = p == begin.partition() ? begin.offset() + 1 : 0;
          if (!scan.read(consumer, topic, letters, p, from)) {
            return scan.page();
          }
        }
      }
    }
    return new Page(scan.letters, null);
  }

  @Override
  public List<DeadLetter> find(Collection<DeadLetter.Place> places) {
    return call(
        () -> {
          List<DeadLetter> letters = new ArrayList<>();
          Map<String, KafkaTopics.Found> found =
              topics.find(places.stream().map(p -> KafkaTopics.deadLetters(p.topic())).toList());
          try (Consumer<byte[], byte[]> consumer = clients.reader()) {
            for (DeadLetter.Place place : places) {
              KafkaTopics.Found topic = found.get(KafkaTopics.deadLetters(place.topic()));
              if (topic != null && place.partition() < topic.partitions()) {
                Scan scan = new Scan(letter -> true, 1);
                scan.read(consumer, place.topic(), topic, place.partition(), place.offset());
                scan.letters.stream().filter(l -> l.place().equals(place)).forEach(letters::add);
              }
            }
          }
          return letters;
        });
  }

  private static final Pattern CLASS_NAMES =
      Pattern.compile("\\b(?:[a-z][a-z0-9_]*\\.){2,}[A-Z][A-Za-z0-9_$]*(?:: )?");

  /** What Kafka does not do now is said as everything that may work later. */
  private static <T> T call(Supplier<T> work) {
    try {
      return work.get();
    } catch (KafkaException e) {
      throw unavailable(e);
    }
  }

  static RejectedException unavailable(KafkaException cause) {
    return Rejection.of(ErrorCode.KAFKA_UNAVAILABLE, "Kafka does not answer: " + inWords(cause))
        .asException();
  }

  /** What the innermost cause says: those around it say its class, which helps no caller. */
  static String inWords(Throwable failure) {
    Throwable root = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      root = cause;
    }
    String said = root.getMessage();
    return said == null ? "no reason was given" : CLASS_NAMES.matcher(said).replaceAll("");
  }

  /** A look through partitions, one after the other, until there is enough. */
  private static final class Scan {
    final List<DeadLetter> letters = new ArrayList<>();
    private final Predicate<DeadLetter> filter;
    private final int limit;
    private int scanned;
    private DeadLetter.@Nullable Place last;

    Scan(Predicate<DeadLetter> filter, int limit) {
      this.filter = filter;
      this.limit = limit;
    }

    Page page() {
      return new Page(letters, last);
    }

    /** False if it has found or looked at enough. */
    boolean read(
        Consumer<byte[], byte[]> consumer,
        String topic,
        KafkaTopics.Found found,
        int partition,
        long from) {
      TopicPartition at = new TopicPartition(KafkaTopics.deadLetters(topic), partition);
      List<TopicPartition> only = List.of(at);
      consumer.assign(only);
      long end = consumer.endOffsets(only).getOrDefault(at, 0L);
      long begin = consumer.beginningOffsets(only).getOrDefault(at, 0L);
      consumer.seek(at, Math.max(begin, from));
      while (consumer.position(at) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          DeadLetter letter = Letters.read(topic, record, found.id());
          last = letter.place();
          scanned++;
          if (filter.test(letter)) {
            letters.add(letter);
          }
          if (letters.size() == limit || scanned == MAX_SCANNED) {
            return false;
          }
        }
      }
      return true;
    }
  }

  @Override
  public void resend(Collection<DeadLetter> letters) {
    call(
        () -> {
          sender.send(letters.stream().map(Letters::resent).toList());
          return true;
        });
  }
}
