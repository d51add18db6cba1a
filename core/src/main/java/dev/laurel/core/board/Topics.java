package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feed;
import dev.laurel.core.model.Names;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pod.Pods;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Topic;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Registered topics, and how much of each is spoken for: the boards that read a topic may expect no
 * more events together than its partitions carry. Blocking. Thread-safe.
 */
public final class Topics {
  public static final int MAX_PARTITIONS = 10_000;

  /** What the name of a topic's dead letters ends with. */
  public static final String DEAD_LETTERS = ".dlt";

  private static final int MAX_NAME = 249 - DEAD_LETTERS.length();

  private final Store store;
  private final BoardDirectory directory;
  private final int qpsPerPartition;
  private final InstantSource clock;

  /**
   * @param qpsPerPartition what a partition carries
   */
  public Topics(Store store, BoardDirectory directory, int qpsPerPartition, InstantSource clock) {
    this.store = store;
    this.directory = directory;
    this.qpsPerPartition = qpsPerPartition;
    this.clock = clock;
  }

  /** A topic with what its boards expect of it. */
  public record Usage(Topic topic, long capacity, long used) {}

  public OnceOnly.Answer create(
      long tenant,
      String name,
      int partitions,
      OnceOnly.@Nullable Key key,
      Function<Usage, byte[]> answer) {
    requireName(name);
    return OnceOnly.run(
        store,
        key,
        clock.millis(),
        tx -> {
          Topic topic = tx.createTopic(new Topic(name, tenant, partitions, clock.millis()));
          return answer.apply(usage(topic, 0));
        });
  }

  /** Shorter than Kafka takes by the end that names its dead letters. */
  private static void requireName(String name) {
    Names.require("topicName", name, MAX_NAME);
    if (Pods.podOf(name) != null || name.endsWith(DEAD_LETTERS)) {
      throw Rejection.invalid(
              "topicName",
              name,
              "no pod's topic, which is there with its pod, and no " + DEAD_LETTERS)
          .asException();
    }
  }

  public List<Usage> list(long tenant) {
    return store.read(
        tx -> {
          directory.follow(tx);
          return tx.topics().stream()
              .filter(t -> t.tenant() == tenant)
              .map(t -> usage(t, 0))
              .toList();
        });
  }

  /**
   * Refuses a feed that its topic cannot carry. In the transaction that stores the board, after a
   * lock that orders changes of the configuration.
   *
   * @param board whose feed it is, 0 for a new one
   */
  void reserve(ReadTransaction tx, long tenant, long board, Feed feed) {
    directory.follow(tx);
    Topic topic =
        tx.topics().stream()
            .filter(t -> t.tenant() == tenant && t.topicName().equals(feed.topicName()))
            .findFirst()
            .orElseThrow(
                () ->
                    Rejection.expectation(
                            ErrorCode.TOPIC_NOT_FOUND,
                            "topicName",
                            feed.topicName(),
                            "a registered topic of this tenant")
                        .asException());
    Usage usage = usage(topic, board);
    long left = usage.capacity - usage.used;
    if (feed.writeQps() > left) {
      throw Rejection.of(
              ErrorCode.TOPIC_CAPACITY_EXCEEDED,
              "writeQPS: %d (expected: at most %d, which is what topic %s has left of %d)"
                  .formatted(feed.writeQps(), Math.max(0, left), topic.topicName(), usage.capacity),
              Map.of(
                  "field",
                  "writeQPS",
                  "left",
                  Math.max(0, left),
                  "used",
                  usage.used,
                  "capacity",
                  usage.capacity))
          .asException();
    }
  }

  private Usage usage(Topic topic, long except) {
    long used = 0;
    for (Board board : directory.ofTenant(topic.tenant())) {
      Feed feed = board.current().feed();
      if (feed != null
          && board.id() != except
          && board.status() != BoardStatus.COMPLETED
          && feed.topicName().equals(topic.topicName())) {
        used += feed.writeQps();
      }
    }
    return new Usage(topic, (long) topic.partitions() * qpsPerPartition, used);
  }
}
