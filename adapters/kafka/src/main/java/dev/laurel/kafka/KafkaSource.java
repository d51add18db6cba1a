package dev.laurel.kafka;

import dev.laurel.core.events.EventDecoder;
import dev.laurel.core.events.SourceObserver;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.vital.Failures;
import dev.laurel.core.vital.Vital;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
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
 * store that is down or a queue that is full holds all partitions still until it goes on. Whatever
 * else fails for a reason that is not known to be an event's own holds the partition of that event
 * ({@link HeldPartitions}); nothing becomes a dead letter for that. What comes twice, for whatever
 * reason, counts once: see {@link dev.laurel.core.pipeline.Request.Source}.
 */
final class KafkaSource implements AutoCloseable, Vital {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long LONGEST_PAUSE_MILLIS = 2000;
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final RememberedStore store;
  private final Consumer<byte[], byte[]> consumer;
  private final ScorePipeline pipeline;
  private final SourceObserver observer;
  private final Subscription topics;
  private final Settlement settlement;
  private final Progress progress;
  private final RecordDecoder reader;
  private final HeldPartitions held;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);

  /** On its way through the pipeline. */
  private @Nullable EventBatch current;

  /** Decoded while the other one was on its way. */
  private @Nullable EventBatch next;

  /** In which the batches were read, and their partitions put to where the store says. */
  private RememberedStore.Era era;

  private boolean holding;
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
      RememberedStore store,
      SourceObserver observer,
      InstantSource clock,
      int maxCommands) {
    this.store = store;
    this.era = store.era();
    this.consumer = consumer;
    this.pipeline = pipeline;
    this.observer = observer;
    this.progress = new Progress(store);
    this.held = new HeldPartitions(observer);
    this.topics = new Subscription(consumer, topics, decoder, observer, progress, new Rebalance());
    this.settlement = new Settlement(consumer, letters, progress, observer, clock);
    this.reader = new RecordDecoder(decoder, progress, observer, maxCommands);
    this.thread = Thread.ofPlatform().name("laurel-kafka").start(this::run);
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void run() {
    while (!isClosing()) {
      try {
        followEra();
        store.during(era, this::turn);
        failures = 0;
      } catch (WakeupException e) {
        // It is time to end.
      } catch (TopicAuthorizationException e) {
        observer.failed("read " + e.unauthorizedTopics(), e);
        topics.deny(e.unauthorizedTopics());
      } catch (RuntimeException | Error e) {
        if (failures == 0) {
          Failures.tell(why -> observer.failed("read events", why), e);
        }
        pause();
      }
    }
    store.during(era, this::end);
  }

  @Override
  public @Nullable String lost() {
    return Vital.lost(thread, isClosing());
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

  /**
   * In another epoch the store may have taken less: all partitions go back to where it says, so
   * what a promoted replica never heard of comes again.
   */
  private void followEra() {
    RememberedStore.Era now = store.era();
    if (now != era) {
      era = now;
      progress.forget();
      topics.beginAnew();
    }
  }

  private void turn() {
    topics.refresh();
    if (topics.isEmpty()) {
      sleep(POLL.toMillis());
      return;
    }
    resume(progress.place(consumer, topics.found()));
    resume(held.release(System.nanoTime()));
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
      topics.lag();
    }
  }

  private @Nullable EventBatch poll() {
    ConsumerRecords<byte[], byte[]> records = consumer.poll(current == null ? POLL : Duration.ZERO);
    if (records.isEmpty()) {
      return null;
    }
    try {
      if (!topics.areTheSame(records.partitions())) {
        seekBack(records);
        return null;
      }
      EventBatch batch = reader.decode(records, topics.found());
      holdUnreadable(batch);
      return batch;
    } catch (RuntimeException | Error e) {
      // They come again: the position goes back to where they begin.
      seekBack(records);
      throw e;
    }
  }

  /** Of those that begin anew, {@link Progress#place} says where. */
  private void seekBack(ConsumerRecords<byte[], byte[]> records) {
    for (TopicPartition partition : records.partitions()) {
      if (consumer.assignment().contains(partition) && progress.isPlaced(partition)) {
        consumer.seek(partition, records.records(partition).getFirst().offset());
      }
    }
  }

  /** Events that we failed to read are not refused: that would be their fault. */
  private void holdUnreadable(EventBatch batch) {
    Map<TopicPartition, String> unreadable = new HashMap<>();
    for (EventBatch.Item item : batch.refused()) {
      Rejection why = item.refusal;
      if (why != null && why.code().kind() == ErrorCode.Kind.INTERNAL) {
        unreadable.put(item.partition(), why.message());
      }
    }
    holdSome(batch, unreadable);
  }

  /** Reads the partitions again later, from where they begin in the batch; the others go on. */
  private void holdSome(EventBatch batch, Map<TopicPartition, String> partitions) {
    partitions.forEach(
        (partition, why) -> {
          Long begin = batch.begins().get(partition);
          if (begin != null && consumer.assignment().contains(partition)) {
            consumer.seek(partition, begin);
            consumer.pause(List.of(partition));
            held.hold(partition, why, System.nanoTime());
          }
        });
    batch.drop(partitions.keySet());
    if (next != null) {
      next.drop(partitions.keySet());
    }
  }

  /** Lets partitions go on that nothing else keeps. */
  private void resume(Collection<TopicPartition> partitions) {
    if (!holding && !partitions.isEmpty()) {
      consumer.resume(
          partitions.stream()
              .filter(consumer.assignment()::contains)
              .filter(progress::isPlaced)
              .filter(partition -> !held.contains(partition))
              .toList());
    }
  }

  // ---- finishing

  /** Goes on until everything of the batch is settled; false if the source ends before. */
  private boolean finish(EventBatch batch) {
    while (!batch.isDone() && !isClosing() && store.era() == era) {
      if (!batch.await(1000)) {
        hold("a commit takes long");
        continue;
      }
      int before = batch.left();
      EventBatch.Left left = batch.take();
      holdSome(batch, reasons(left.faults()));
      if (batch.left() < before) {
        // A queue that moves is no outage.
        failures = 0;
      }
      if (left.later() != null) {
        hold(left.later().code().name());
        pause();
      }
      batch.submit(pipeline);
    }
    // Of another era it is dropped: see followEra.
    boolean done = batch.isDone() && store.era() == era;
    if (done) {
      holdSome(batch, settlement.refuse(batch));
      settlement.settle(batch);
      held.settled(batch.ends().keySet());
    }
    release();
    return done;
  }

  private static Map<TopicPartition, String> reasons(Map<TopicPartition, Rejection> faults) {
    Map<TopicPartition, String> reasons = new HashMap<>();
    faults.forEach((partition, why) -> reasons.put(partition, why.message()));
    return reasons;
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
    topics.lag();
  }

  private void release() {
    if (holding) {
      holding = false;
      failures = 0;
      resume(consumer.assignment());
    }
  }

  // ---- rebalancing

  /**
   * Called inside of a poll. What is under way is finished if that is quick, and else forgotten.
   */
  private final class Rebalance implements Subscription.Parts {
    private void forget(Collection<TopicPartition> partitions) {
      progress.forget(partitions);
      held.forget(partitions);
      if (current != null) {
        current.drop(partitions);
      }
      if (next != null) {
        next.drop(partitions);
      }
    }

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
      progress.begin(partitions);
      consumer.pause(partitions);
    }

    @Override
    public void beginAnew(Collection<TopicPartition> partitions) {
      forget(partitions);
      onPartitionsAssigned(partitions);
    }
  }

  private void farewell(EventBatch batch) {
    try {
      if (batch.await(FAREWELL.toMillis())
          && batch.take().later() == null
          && batch.isDone()
          && settlement.refuse(batch).isEmpty()) {
        settlement.settleLast(batch, FAREWELL);
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
