package dev.laurel.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.events.SourceObserver;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pod.PodDirectory;
import dev.laurel.core.pod.Pods;
import dev.laurel.core.store.Pod;
import dev.laurel.core.store.Store;
import dev.laurel.kafka.Kafka;
import dev.laurel.server.Poll;
import dev.laurel.server.Streams;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.KafkaServer;
import dev.laurel.testkit.FaultyStore;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import dev.laurel.testkit.TwoHistories;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * What goes wrong between Kafka and the store: members come and go, the store fails, queues fill.
 */
class KafkaSourceTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int PARTITIONS = 6;

  @TempDir Path folder = Path.of("");

  private final ManualClock clock = new ManualClock();
  private final AtomicInteger applied = new AtomicInteger();
  private final Queue<String> trouble = new ConcurrentLinkedQueue<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final List<AutoCloseable> members = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // set before every test
  private FaultyStore store;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Streams streams;

  @SuppressWarnings("NullAway.Init") // set before every test
  private String pod;

  @BeforeEach
  void open(TestInfo test) {
    pod = test.getTestMethod().orElseThrow().getName();
    store = new FaultyStore(SqliteStore.open(folder, clock));
    streams = new Streams(KafkaServer.shared());
    streams.create(Pods.topic(pod), PARTITIONS);
    register(store);
  }

  private void register(Store at) {
    at.write(
        tx -> {
          tx.createPod(new Pod(pod, 1, null, null, 0));
          return tx.createSchema(
              new PodSchema(
                  pod,
                  "1",
                  0,
                  new PodSchema.Mappings("u", "s", "t", "b", null),
                  PodSchema.TimestampFormat.EPOCH_MILLIS,
                  PodSchema.ScoreType.INTEGER,
                  PodSchema.Status.ACTIVE,
                  0));
        });
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable member : members.reversed()) {
      member.close();
    }
    streams.close();
    store.close();
  }

  /** A node of the group: on the same store, as nodes are. */
  private AutoCloseable join(Harness harness, int maxCommands) {
    Kafka kafka = new Kafka(KafkaServer.shared().bootstrap(), Map.of("session.timeout.ms", "6000"));
    JsonEvents events = new JsonEvents(harness.remembered, harness.boards, new PodDirectory());
    harness.remembered.remember(events);
    AutoCloseable source =
        kafka.read(
            "group-" + pod,
            events,
            harness.pipeline,
            harness.remembered,
            new Listener(),
            clock,
            maxCommands);
    AutoCloseable member =
        () -> {
          source.close();
          kafka.close();
        };
    members.add(member);
    return member;
  }

  private Harness harness(int queueLines) {
    Harness harness = new Harness(store, clock, queueLines, Long.MAX_VALUE);
    members.add(harness);
    return harness;
  }

  private final class Listener implements SourceObserver {
    @Override
    public void taken(String topic, Outcome.Effect effect, long sentAt) {
      if (effect == Outcome.Effect.APPLIED) {
        applied.incrementAndGet();
      }
    }

    @Override
    public void deadLetter(String topic, ErrorCode code) {
      trouble.add("dead letter " + code);
    }

    @Override
    public void lag(Map<String, Long> byTopic) {}

    @Override
    public void held(Map<String, Integer> byTopic) {}

    @Override
    public void unregistered(Set<String> topics) {}

    @Override
    public void waiting(String why) {}

    @Override
    public void failed(String doing, Throwable cause) {
      failures.add(doing + ": " + cause);
    }
  }

  /** One point for somebody on a board. */
  private void send(String board, int from, int to) {
    String[] events = new String[to - from];
    for (int i = from; i < to; i++) {
      events[i - from] =
          "{'u':'u%d','s':1,'t':%d,'b':'%s'}".formatted(i % 10, clock.millis(), board);
    }
    streams.send(Pods.topic(pod), events);
  }

  private static long sum(Harness harness, Board board) {
    return harness.rankings.ask(
        board,
        board.primary(),
        List.of(),
        view -> {
          long sum = 0;
          for (int i = 0; i < 10; i++) {
            var row = view.ranking().row(view.users().find("u" + i));
            sum += row == null ? 0 : row.score();
          }
          return sum;
        });
  }

  private void awaitSum(Harness harness, Board board, long expected) {
    try {
      Poll.until(
          board.uuid() + " has " + expected, PATIENCE, () -> sum(harness, board) >= expected);
    } catch (AssertionError e) {
      throw new AssertionError(sum(harness, board) + " only; failures: " + failures, e);
    }
    assertThat(sum(harness, board)).isEqualTo(expected);
    assertThat(trouble).isEmpty();
  }

  @Test
  void rebalance_membersComeAndGoUnderLoad_losesAndDoublesNothing() throws Exception {
    Harness harness = harness(1 << 16);
    Board board = harness.board("load", Update.SUM);
    for (int round = 0; round < 8; round++) {
      AutoCloseable leaving = join(harness, 50);
      int before = applied.get();
      send("load", 0, 1000);
      Poll.until("it goes on", PATIENCE, () -> applied.get() > before);
      if (round > 0) {
        send("load", 0, 500);
        leaving.close();
        members.remove(leaving);
      }
    }
    awaitSum(harness, board, 8 * 1000 + 7 * 500);
  }

  @Test
  void store_failsNowAndThen_nothingIsLostOrRefused() {
    Harness harness = harness(1 << 16);
    Board board = harness.board("faults", Update.SUM);
    join(harness, 1000);
    FaultyStore.Fault[] faults = FaultyStore.Fault.values();
    for (int i = 0; i < 40; i++) {
      store.failNextWrite(faults[i % faults.length]);
      send("faults", 0, 25);
    }
    awaitSum(harness, board, 1000);
  }

  /** A replica that lagged behind is promoted: what it never heard of is still in Kafka. */
  @Test
  void store_goesIntoAnotherEpoch_whatThatLacksComesAgain() {
    Store second = SqliteStore.open(folder.resolve("second"), clock);
    register(second);
    Board made;
    try (Harness there = new Harness(second, clock)) {
      made = there.board("epochs", Update.SUM);
    }
    TwoHistories both = new TwoHistories(store, second);
    Harness harness = new Harness(both, clock);
    members.add(harness);
    try (second) {
      Board lost = harness.board("epochs", Update.SUM);
      AutoCloseable member = join(harness, 50);
      send("epochs", 0, 300);
      awaitSum(harness, lost, 300);
      both.promote();
      send("epochs", 0, 200);
      Poll.until(
          "the other history",
          PATIENCE,
          () -> harness.boards.findInternal(1, made.leaderboardId()) != null);
      // Until every part has entered it, whoever asks is told to come again.
      harness.remembered.enter();
      Board now = harness.boards.require(1, "epochs");
      awaitSum(harness, now, 500);
      send("epochs", 0, 100);
      awaitSum(harness, now, 600);
      close(member);
      close(harness);
    }
  }

  private void close(AutoCloseable member) {
    try {
      member.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    members.remove(member);
  }

  @Test
  void queue_smallerThanWhatComes_holdsTheTopicAndLosesNothing() {
    Harness harness = harness(8);
    List<Board> boards = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      boards.add(harness.board("queue-" + i, Update.SUM));
      send("queue-" + i, 0, 50);
    }
    join(harness, 4);
    for (Board board : boards) {
      awaitSum(harness, board, 50);
    }
  }
}
