package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.cluster.ClockJob;
import dev.laurel.core.store.Store;
import dev.laurel.core.time.ClockObserver;
import dev.laurel.core.time.WatchedClock;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes watch the clock of one database, and tell each other what they make of it. */
class ClockJobTest {
  private static final Duration STAY = Duration.ofMinutes(5);

  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());

  /** The database's. */
  private final ManualClock decisive = new ManualClock();

  private final List<Node> nodes = new ArrayList<>();
  private final Node one = new Node(decisive.instant());
  private final Node two = new Node(decisive.instant());

  /** A process on a machine of its own. */
  private final class Node {
    final ManualClock machine;
    final List<ClockObserver.Settled> settled = new ArrayList<>();
    final WatchedClock clock;
    final Store store;
    final ClockJob job;

    Node(Instant time) {
      machine = new ManualClock(time);
      clock = new WatchedClock(machine, true, STAY.toMillis(), new Observer(settled));
      store = PostgresStore.open(url, null, null, decisive, clock, null, false);
      job = new ClockJob(store, clock, machine);
      nodes.add(this);
    }
  }

  private record Observer(List<Settled> all) implements ClockObserver {
    @Override
    public void jumped(long millis) {}

    @Override
    public void settled(Settled how, long millis) {
      all.add(how);
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(node -> node.store.close());
  }

  /** Time goes by for everyone, and everyone looks. */
  private void pass(Duration time) {
    decisive.turn(time);
    nodes.forEach(node -> node.machine.turn(time));
    nodes.forEach(node -> node.job.turn());
  }

  private void watch(int seconds) {
    for (int i = 0; i < seconds; i++) {
      pass(Duration.ofSeconds(1));
    }
  }

  /** The clocks of one host: none of them can tell anything about another. */
  private void jump(int seconds) {
    Duration by = Duration.ofSeconds(seconds);
    decisive.jump(by);
    nodes.forEach(node -> node.machine.jump(by));
  }

  private void kill(Node node) {
    nodes.remove(node);
    node.store.close();
  }

  /** So little that what a node said a moment before the jump still looks like news. */
  @ParameterizedTest
  @ValueSource(ints = {15, 30, 45, -15, -30, -45})
  void turn_afterALittleJump_believesNobodyWhoSpokeBefore(int seconds) {
    watch(40);
    jump(seconds);
    for (int i = 0; i < 60; i++) {
      watch(1);
      assertThat(nodes).allMatch(node -> node.clock.inDoubt() != null);
    }
    jump(-seconds);
    watch(1);
    assertThat(nodes).allMatch(node -> node.clock.inDoubt() == null);
  }

  /** The row of a node that died, written as long before as the clock has gone back. */
  @Test
  void turn_afterAJumpBackToWhenANodeDied_doesNotBelieveIt() {
    watch(20);
    kill(two);
    watch(600);
    jump(-600);
    watch(60);
    assertThat(one.clock.inDoubt()).isNotNull();
  }

  @Test
  void start_whileOthersAreInDoubt_doesNotBelieveWhoDiedBeforeTheJump() {
    watch(20);
    kill(two);
    watch(10);
    jump(30);
    watch(2);
    Node late = new Node(decisive.instant());
    assertThat(late.clock.inDoubt()).isNotNull();
  }

  @Test
  void turn_ofAStartAfterTheClockWasSetRight_endsTheDoubtForEveryLaterOne(@TempDir Path folder) {
    Duration day = Duration.ofDays(1);
    try (Store store = SqliteStore.open(folder, decisive)) {
      WatchedClock clock = restarted();
      ClockJob job = new ClockJob(store, clock, decisive);
      decisive.jump(day);
      assertThat(clock.moment().isKnown()).isFalse();
      job.turn();
      // The operator stops the server, sets the clock right, and starts it.
      decisive.jump(day.negated());
      decisive.turn(Duration.ofMinutes(5));
      WatchedClock second = restarted();
      new ClockJob(store, second, decisive).turn();
      assertThat(second.inDoubt()).isNull();
      decisive.turn(day);
      WatchedClock third = restarted();
      new ClockJob(store, third, decisive).turn();
      assertThat(third.inDoubt()).isNull();
      assertThat(third.millis()).isEqualTo(decisive.millis());
    }
  }

  private WatchedClock restarted() {
    return new WatchedClock(decisive, false, STAY.toMillis(), new Observer(new ArrayList<>()));
  }

  @Test
  void turn_ofANodeThatSlept_believesTheOneThatHasWatched() {
    pass(Duration.ofSeconds(1));
    // The second machine stands still for an hour, and so do both of its clocks.
    decisive.turn(Duration.ofHours(1));
    one.machine.turn(Duration.ofHours(1));
    one.job.turn();
    two.job.turn();
    assertThat(two.clock.inDoubt()).as("that was perhaps said before").isNotNull();
    watch(20);
    assertThat(two.settled).containsExactly(ClockObserver.Settled.OTHER_NODE);
    assertThat(two.clock.inDoubt()).isNull();
    assertThat(two.clock.millis()).isEqualTo(decisive.millis());
    assertThat(one.settled).isEmpty();
  }

  @Test
  void turn_ofNodesThatAllSawTheJump_waitForSomebodyWhoKnows() {
    pass(Duration.ofSeconds(1));
    decisive.jump(Duration.ofDays(1));
    pass(Duration.ofSeconds(1));
    for (int i = 0; i < 10; i++) {
      pass(STAY);
    }
    // Their own clocks did not jump, so it is not believed by itself.
    for (Node node : nodes) {
      assertThat(node.clock.inDoubt()).isNotNull().matches(WatchedClock.InDoubt::objected);
    }
    // One that starts now cannot know better.
    Node late = new Node(one.machine.instant());
    assertThat(late.clock.inDoubt()).isNotNull();
    assertThat(one.clock.confirm(decisive.millis())).isNull();
    watch(20);
    for (Node node : nodes) {
      assertThat(node.clock.inDoubt()).isNull();
      assertThat(node.clock.millis()).isEqualTo(decisive.millis());
    }
    assertThat(two.settled).containsExactly(ClockObserver.Settled.OPERATOR);
    // By the word of either of the others, which know it now.
    assertThat(late.settled).hasSize(1);
  }

  /** The machine's own clock is set along with the database's, as when both are one machine. */
  @Test
  void turn_afterAJumpThatANodesOwnClockMakesToo_isHeldBackByTheOther() {
    pass(Duration.ofSeconds(1));
    decisive.jump(Duration.ofDays(1));
    one.machine.jump(Duration.ofDays(1));
    // The first one would believe it, but hears of the other's objection.
    pass(Duration.ofSeconds(1));
    pass(Duration.ofSeconds(1));
    pass(STAY.plusSeconds(1));
    assertThat(one.clock.inDoubt()).isNotNull();
    assertThat(two.clock.inDoubt()).isNotNull();
    decisive.jump(Duration.ofDays(-1));
    one.machine.jump(Duration.ofDays(-1));
    pass(Duration.ofSeconds(1));
    for (Node node : nodes) {
      assertThat(node.settled).containsExactly(ClockObserver.Settled.RETURNED);
    }
  }
}
