package dev.laurel.kafka;

import dev.laurel.core.events.EventDecoder;
import dev.laurel.core.events.SourceObserver;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the topics of pods and tenants into the pipeline. One thread does all of it, in turns:
 *
 * <pre>
 *   poll     records, while the last batch is being committed
 *   decode   JSON to commands, likewise
 *   finish   the last batch: wait for its answers, send its dead letters, then tell Kafka
 *   submit   the new one
 * </pre>
 *
 * At most one batch is on its way and one is ready, so what cannot be committed stays in Kafka. A
 * store that is down or a queue that is full holds the partitions still until it goes on; nothing
 * becomes a dead letter for that. What comes twice, for whatever reason, counts once: see {@link
 * dev.laurel.core.pipeline.Request.Source}.
 */
final class KafkaSource implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_MILLIS = 2000;
  private static final long FAREWELL_MILLIS = 5000;

  private final Consumer<byte[], byte[]> consumer;
  private final KafkaTopics topics;
  private final DeadLetterSender letters;
  private final EventDecoder decoder;
  private final ScorePipeline pipeline;
  private final SourceObserver observer;
  private final InstantSource clock;
  private final Progress progress;
  private final RecordDecoder reader;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);

  private Map<String, KafkaTopics.Found> found = Map.of();
  private long refreshed = System.nanoTime() - REFRESH_NANOS;

  /** On its way through the pipeline. */
  private @Nullable EventBatch current;

  /** Decoded while the other one was on its way. */
  private @Nullable EventBatch next;

  private boolean holding;

  /** Whether what changed since could not be read. */
  private boolean outdated;

  private int failures;

  /**
   * @param maxCommands that a request to the pipeline may have
   */
  KafkaSource(
      Consumer<byte[], byte[]> consumer,
      KafkaTopics topics,
      DeadLetterSender letters,
      EventDecoder decoder,
      ScorePipeline pipeline,
      Store store,
      SourceObserver observer,
      InstantSource clock,
      int maxCommands) {
    this.consumer = consumer;
    this.topics = topics;
    this.letters = letters;
    this.decoder = decoder;
    this.pipeline = pipeline;
    this.observer = observer;
    this.clock = clock;
    this.progress = new Progress(store);
    this.reader = new RecordDecoder(decoder, progress, observer, maxCommands);
    this.thread = Thread.ofPlatform().name("laurel-kafka").start(this::run);
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void run() {
    while (!isClosing()) {
      try {
        turn();
        failures = 0;
      } catch (WakeupException e) {
        // It is time to end.
      } catch (RuntimeException | Error e) {
        if (failures == 0) {
          observer.failed("read events", e);
        }
        pause();
      }
    }
    end();
  }

  /** Longer and longer; ends early when the source does. */
  private void pause() {
    sleep(Math.min(LONGEST_PAUSE_MILLIS, 50L << Math.min(failures++, 10)));
  }

  private void sleep(long millis) {
    try {
      closing.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void turn() {
    refresh();
    if (consumer.subscription().isEmpty()) {
      sleep(POLL.toMillis());
      return;
    }
    if (next == null) {
      next = poll();
    }
    EventBatch last = current;
    if (last != null) {
      if (!finish(last)) {
        // What comes after it must not overtake it: it would look as if it had been taken.
        return;
      }
      current = null;
    }
    EventBatch ready = next;
    if (ready != null) {
      ready.submit(pipeline);
      current = ready;
      next = null;
    } else {
      lag();
    }
  }

  private @Nullable EventBatch poll() {
    ConsumerRecords<byte[], byte[]> records = consumer.poll(current == null ? POLL : Duration.ZERO);
    if (records.isEmpty()) {
      return null;
    }
    try {
      if (progress.wentBack(records)) {
        // Perhaps another topic of the same name.
        lookUp();
      }
      return reader.decode(records, found);
    } catch (RuntimeException | Error e) {
      // They come again: the position goes back to where they begin.
      seekBack(records);
      throw e;
    }
  }

  // ---- topics

  /** New pods and topics need no restart. */
  private void refresh() {
    if (System.nanoTime() - refreshed >= REFRESH_NANOS) {
      refreshed = System.nanoTime();
      lag();
      try {
        decoder.follow();
        lookUp();
        outdated = false;
      } catch (RuntimeException e) {
        // What was known goes on, and so does the membership.
        if (!outdated) {
          observer.failed("look for topics", e);
        }
        outdated = true;
      }
    }
  }

  private void lookUp() {
    Map<String, KafkaTopics.Found> now = topics.find(decoder.topics());
    List<String> remade = new ArrayList<>();
    now.forEach(
        (name, topic) -> {
          KafkaTopics.Found known = found.get(name);
          if (known != null && !known.id().equals(topic.id())) {
            remade.add(name);
          }
        });
    if (!remade.isEmpty()) {
      startOver(remade);
    }
    boolean changed = !now.keySet().equals(consumer.subscription());
    found = now;
    if (changed) {
      consumer.subscribe(now.keySet(), new Rebalance());
    }
  }

  /** A topic that was deleted and made again is another one, and is read from its beginning. */
  private void startOver(Collection<String> names) {
    List<TopicPartition> partitions =
        consumer.assignment().stream().filter(p -> names.contains(p.topic())).toList();
    forget(partitions);
    consumer.seekToBeginning(partitions);
  }

  private void forget(Collection<TopicPartition> partitions) {
    progress.forget(partitions);
    if (current != null) {
      current.drop(partitions);
    }
    if (next != null) {
      next.drop(partitions);
    }
  }

  private void seekBack(ConsumerRecords<byte[], byte[]> records) {
    for (TopicPartition partition : records.partitions()) {
      if (consumer.assignment().contains(partition)) {
        consumer.seek(partition, records.records(partition).getFirst().offset());
      }
    }
  }

  // ---- finishing

  /** Goes on until everything of the batch is settled; false if the source ends before. */
  private boolean finish(EventBatch batch) {
    while (!batch.isDone() && !isClosing()) {
      if (!batch.await(1000)) {
        hold("a commit takes long");
        continue;
      }
      int left = batch.left();
      Rejection later = batch.take();
      if (batch.left() < left) {
        // A queue that moves is no outage.
        failures = 0;
      }
      if (later != null) {
        hold(later.code().name());
        pause();
      }
      batch.submit(pipeline);
    }
    boolean sent = batch.isDone() && refuse(batch);
    while (batch.isDone() && !sent && !isClosing()) {
      hold("dead letters cannot be sent");
      pause();
      sent = refuse(batch);
    }
    if (sent) {
      settle(batch, false);
    }
    release();
    return sent;
  }

  /** Keeps the membership while nothing can be taken. */
  private void hold(String why) {
    if (!holding) {
      observer.waiting(why);
    }
    holding = true;
    consumer.pause(consumer.assignment());
    ConsumerRecords<byte[], byte[]> unexpected = consumer.poll(Duration.ZERO);
    seekBack(unexpected);
  }

  private void release() {
    if (holding) {
      holding = false;
      failures = 0;
      consumer.resume(consumer.assignment());
    }
  }

  /** Whether everything that was refused is a dead letter now. */
  private boolean refuse(EventBatch batch) {
    List<EventBatch.Item> refused = batch.refused();
    try {
      letters.send(refused, clock.millis());
      return true;
    } catch (KafkaException e) {
      observer.failed("send dead letters", e);
      return false;
    }
  }

  private void settle(EventBatch batch, boolean synchronously) {
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
    progress.settled(batch.settled(), anyRefused || synchronously);
    if (batch.ends().isEmpty()) {
      return;
    }
    if (synchronously) {
      consumer.commitSync(batch.ends(), Duration.ofMillis(FAREWELL_MILLIS));
    } else {
      // If it fails, the next one says more.
      consumer.commitAsync(batch.ends(), null);
    }
  }

  private void lag() {
    Map<String, Long> byTopic = new HashMap<>();
    for (TopicPartition partition : consumer.assignment()) {
      byTopic.merge(partition.topic(), consumer.currentLag(partition).orElse(0), Long::sum);
    }
    observer.lag(byTopic);
  }

  // ---- rebalancing

  /**
   * Called inside of a poll. What is under way is finished if that is quick, and else forgotten.
   */
  private final class Rebalance implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      EventBatch batch = current;
      if (batch != null && !partitions.isEmpty() && !holding) {
        farewell(batch);
      }
      forget(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      forget(partitions);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      progress.forget(partitions);
      if (holding) {
        consumer.pause(partitions);
      }
    }
  }

  private void farewell(EventBatch batch) {
    try {
      if (batch.await(FAREWELL_MILLIS) && batch.take() == null && batch.isDone() && refuse(batch)) {
        settle(batch, true);
        current = null;
      }
    } catch (RuntimeException e) {
      // Whoever reads them next finds what was committed.
      observer.failed("finish before others go on", e);
    }
  }

  private void end() {
    try (consumer) {
      EventBatch batch = current;
      if (batch != null) {
        farewell(batch);
      }
    } catch (RuntimeException e) {
      observer.failed("leave the group", e);
    }
  }

  @Override
  public void close() {
    closing.countDown();
    consumer.wakeup();
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
