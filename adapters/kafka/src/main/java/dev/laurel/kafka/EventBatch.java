package dev.laurel.kafka;

import dev.laurel.core.events.Decoded;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.store.Callers;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.SourcePartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The records of a poll on their way through the pipeline: those of one partition for one board are
 * one request. Belongs to the source's thread.
 */
final class EventBatch {
  /** Of a request: a much larger one would hardly ever find room among others that wait. */
  private static final long MAX_BYTES = 1 << 20;

  /** A record, what it is, and what became of it. */
  static final class Item {
    final ConsumerRecord<byte[], byte[]> record;
    final Digest topicId;
    final Decoded decoded;
    @Nullable Rejection refusal;
    Outcome.@Nullable Effect effect;

    Item(ConsumerRecord<byte[], byte[]> record, Digest topicId, Decoded decoded) {
      this.record = record;
      this.topicId = topicId;
      this.decoded = decoded;
      if (decoded instanceof Decoded.Refused(Rejection rejection, var _)) {
        refusal = rejection;
      }
    }

    TopicPartition partition() {
      return new TopicPartition(record.topic(), record.partition());
    }
  }

  private static final class Group {
    final Board board;
    final SourcePartition source;
    final TopicPartition partition;
    final List<Item> items = new ArrayList<>();
    final List<Command> commands = new ArrayList<>();
    long bytes;
    @Nullable CompletableFuture<Reply> reply;

    Group(Board board, SourcePartition source, TopicPartition partition) {
      this.board = board;
      this.source = source;
      this.partition = partition;
    }

    void add(Item item, Command command) {
      items.add(item);
      commands.add(command);
      bytes += command.bytes();
    }

    boolean isFull(int maxCommands) {
      return items.size() == maxCommands || bytes >= MAX_BYTES;
    }

    Request request() {
      long[] offsets = items.stream().mapToLong(item -> item.record.offset()).toArray();
      long caller = Callers.ofTopic(partition.topic());
      return new Request(board, commands, caller, false, null, new Request.Source(source, offsets));
    }

    void refuse(Rejection rejection) {
      items.forEach(item -> item.refusal = rejection);
    }
  }

  private final int maxCommands;
  private List<Item> items = new ArrayList<>();
  private List<Group> open = new ArrayList<>();
  private final Map<SourcePartition, Group> filling = new LinkedHashMap<>();
  private final Map<TopicPartition, Long> begins = new HashMap<>();
  private final Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
  private final Map<SourcePartition, Long> settled = new HashMap<>();

  /**
   * @param maxCommands that a request may have
   */
  EventBatch(int maxCommands) {
    this.maxCommands = maxCommands;
  }

  /** A record that was settled before is only passed. */
  void pass(ConsumerRecord<byte[], byte[]> record) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    begins.putIfAbsent(partition, record.offset());
    ends.put(partition, new OffsetAndMetadata(record.offset() + 1));
  }

  void add(Item item) {
    pass(item.record);
    items.add(item);
    settled.put(
        new SourcePartition(0, item.topicId, item.record.partition()), item.record.offset());
    if (item.decoded instanceof Decoded.Accepted(Board board, Command command, var _)) {
      SourcePartition source =
          new SourcePartition(board.id(), item.topicId, item.record.partition());
      Group group = filling.get(source);
      if (group == null || group.isFull(maxCommands)) {
        group = new Group(board, source, item.partition());
        filling.put(source, group);
        open.add(group);
      }
      group.add(item, command);
    }
  }

  /**
   * Submits what is not on its way. Of one source only one request at a time: a later one must not
   * be taken while an earlier one may have to be tried again.
   */
  void submit(ScorePipeline pipeline) {
    Set<SourcePartition> busy = new HashSet<>();
    for (Group group : open) {
      if (busy.add(group.source) && group.reply == null) {
        group.reply = pipeline.submit(group.request());
      }
    }
  }

  /** Whether all that was submitted is answered, waiting for it at most so long. */
  boolean await(long millis) {
    CompletableFuture<?>[] replies =
        open.stream()
            .filter(group -> group.reply != null)
            .map(group -> group.reply)
            .toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(replies).get(millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a reply never fails", e);
    }
  }

  /**
   * What the answers say about those that are neither taken nor refused.
   *
   * @param later why some have to be submitted again later; null if that is not so
   * @param faults partitions with an event that could not be decided for a reason that is not known
   *     to be its own
   */
  record Left(@Nullable Rejection later, Map<TopicPartition, Rejection> faults) {}

  /** Takes the answers that are there. */
  Left take() {
    Rejection later = null;
    Map<TopicPartition, Rejection> faults = new HashMap<>();
    List<Group> left = new ArrayList<>();
    for (Group group : open) {
      Reply reply = group.reply == null ? null : group.reply.getNow(null);
      switch (reply) {
        case null -> left.add(group);
        case Reply.Done(List<Outcome> outcomes, var _) -> done(group, outcomes);
        case Reply.Replayed _ -> throw new IllegalStateException("a source has no keys");
        case Reply.Refused(Rejection rejection) -> {
          group.reply = null;
          if (rejection.code().kind() == ErrorCode.Kind.UNAVAILABLE) {
            later = rejection;
            left.add(group);
          } else if (group.items.size() > 1) {
            left.addAll(split(group));
          } else if (rejection.code().kind() == ErrorCode.Kind.INTERNAL) {
            faults.put(group.partition, rejection);
            left.add(group);
          } else {
            group.refuse(rejection);
          }
        }
      }
    }
    open = left;
    return new Left(later, faults);
  }

  private static void done(Group group, List<Outcome> outcomes) {
    for (int i = 0; i < outcomes.size(); i++) {
      switch (outcomes.get(i)) {
        case Outcome.Accepted accepted -> group.items.get(i).effect = accepted.effect();
        case Outcome.Rejected(Rejection rejection) -> group.items.get(i).refusal = rejection;
      }
    }
  }

  /** One by one, so that one that cannot be stored is alone in it. */
  private static List<Group> split(Group group) {
    List<Group> singles = new ArrayList<>();
    for (int i = 0; i < group.items.size(); i++) {
      Group single = new Group(group.board, group.source, group.partition);
      single.add(group.items.get(i), group.commands.get(i));
      singles.add(single);
    }
    return singles;
  }

  /** Whether every record was accepted or refused. */
  boolean isDone() {
    return open.isEmpty();
  }

  /** How many requests are not answered. */
  int left() {
    return open.size();
  }

  /** Forgets what another node does from now on. */
  void drop(Collection<TopicPartition> partitions) {
    items =
        new ArrayList<>(items.stream().filter(i -> !partitions.contains(i.partition())).toList());
    open = new ArrayList<>(open.stream().filter(g -> !partitions.contains(g.partition)).toList());
    begins.keySet().removeAll(partitions);
    ends.keySet().removeAll(partitions);
    settled
        .keySet()
        .retainAll(
            items.stream()
                .map(i -> new SourcePartition(0, i.topicId, i.record.partition()))
                .toList());
  }

  List<Item> items() {
    return items;
  }

  List<Item> refused() {
    return items.stream().filter(item -> item.refusal != null).toList();
  }

  /** The first offset of each partition in it. */
  Map<TopicPartition, Long> begins() {
    return begins;
  }

  /** What to tell Kafka once everything is done. */
  Map<TopicPartition, OffsetAndMetadata> ends() {
    return ends;
  }

  /** What to tell the store once everything is done. */
  Map<SourcePartition, Long> settled() {
    return settled;
  }
}
