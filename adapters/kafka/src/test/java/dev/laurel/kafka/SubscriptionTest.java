package dev.laurel.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.events.Decoded;
import dev.laurel.core.events.EventDecoder;
import dev.laurel.core.events.SourceObserver;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Topics come and go at moments that no broker can be made to choose. */
class SubscriptionTest {
  private static final TopicPartition PARTITION = new TopicPartition("remade", 0);

  /** The topics that the broker has. */
  private final Map<String, Uuid> broker = new TreeMap<>();

  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
  private final Progress progress = new Progress(emptyStore());
  private final List<TopicPartition> begunAnew = new ArrayList<>();
  private final Subscription subscription =
      new Subscription(
          consumer,
          new KafkaTopics(admin()),
          new Topics(Set.of("remade", "other")),
          fake(SourceObserver.class, (proxy, method, arguments) -> null),
          progress,
          new Recorder());

  @AfterEach
  void close() {
    consumer.close();
  }

  @Test
  void lookUp_topicGoneAndBackWithoutARebalance_beginsAnew() {
    broker.put("other", Uuid.randomUuid());
    broker.put("remade", Uuid.randomUuid());
    subscription.refresh();
    consumer.rebalance(List.of(PARTITION));
    progress.begin(List.of(PARTITION));
    assertThat(progress.place(consumer, subscription.found())).containsExactly(PARTITION);

    broker.remove("remade");
    assertThat(subscription.areTheSame(List.of(PARTITION))).isFalse();
    broker.put("remade", Uuid.randomUuid());
    assertThat(subscription.areTheSame(List.of(PARTITION))).isFalse();

    assertThat(consumer.assignment()).containsExactly(PARTITION);
    assertThat(begunAnew).containsExactly(PARTITION);
    assertThat(progress.isPlaced(PARTITION)).isFalse();
  }

  @Test
  void lookUp_sameTopic_goesOnWhereItIs() {
    broker.put("other", Uuid.randomUuid());
    broker.put("remade", Uuid.randomUuid());
    subscription.refresh();
    consumer.rebalance(List.of(PARTITION));
    progress.begin(List.of(PARTITION));
    progress.place(consumer, subscription.found());

    broker.remove("other");
    assertThat(subscription.areTheSame(List.of(PARTITION, new TopicPartition("other", 0))))
        .isFalse();

    assertThat(begunAnew).isEmpty();
    assertThat(progress.isPlaced(PARTITION)).isTrue();
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A store in which nothing of any topic is settled. */
  @SuppressWarnings("unchecked") // every read takes such work
  private static Store emptyStore() {
    ReadTransaction nothing =
        fake(ReadTransaction.class, (proxy, method, arguments) -> new HashMap<>());
    return fake(
        Store.class,
        (proxy, method, arguments) ->
            ((Store.Work<ReadTransaction, ?>) arguments[arguments.length - 1]).in(nothing));
  }

  private Admin admin() {
    return fake(
        Admin.class,
        (proxy, method, arguments) ->
            method.getName().equals("describeTopics")
                ? describe((Collection<?>) arguments[0])
                : null);
  }

  private DescribeTopicsResult describe(Collection<?> names) {
    Map<String, KafkaFuture<TopicDescription>> described = new HashMap<>();
    for (Object name : names) {
      Uuid id = broker.get(name);
      KafkaFutureImpl<TopicDescription> future = new KafkaFutureImpl<>();
      if (id == null) {
        future.completeExceptionally(new UnknownTopicOrPartitionException());
      } else {
        future.complete(new TopicDescription((String) name, false, List.of(), Set.of(), id));
      }
      described.put((String) name, future);
    }
    return new Described(described);
  }

  private static final class Described extends DescribeTopicsResult {
    Described(Map<String, KafkaFuture<TopicDescription>> byName) {
      super(null, byName);
    }
  }

  private record Topics(Set<String> topics) implements EventDecoder {
    @Override
    public void follow() {}

    @Override
    public Decoded decode(
        String topic, byte @Nullable [] value, Function<String, @Nullable String> headers) {
      throw new UnsupportedOperationException("nothing is polled");
    }
  }

  private final class Recorder implements Subscription.Parts {
    @Override
    public void beginAnew(Collection<TopicPartition> partitions) {
      begunAnew.addAll(partitions);
      progress.begin(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
  }
}
