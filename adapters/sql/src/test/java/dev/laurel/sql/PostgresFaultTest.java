package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.TransactionLostException;
import dev.laurel.stack.FaultProxy;
import dev.laurel.stack.FaultProxy.Verdict;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node does when its database, or the way there, fails. */
final class PostgresFaultTest {
  /** So that a server that is silent is given up in seconds. */
  private static final String IMPATIENT = "&socketTimeout=2&connectTimeout=2&loginTimeout=3";

  @TempDir Path folder = Path.of("");

  private final ManualClock clock = new ManualClock();

  private Store open(String url) {
    return PostgresStore.open(url, null, null, clock);
  }

  /** A node behind a proxy, with a board and a user that it knows. */
  private final class Proxied implements AutoCloseable {
    final String database = PostgresServer.shared().newDatabase();
    final FaultProxy proxy = FaultProxy.before(PostgresServer.shared().port());
    final Store store = open(PostgresServer.url(database, proxy.port()) + IMPATIENT);
    final Harness node = new Harness(store, clock);
    final Board board = node.board("b", Update.SUM);

    Proxied() {
      submit(1);
    }

    long submit(long value) {
      return score(node.submit(board, Harness.score("a", value)));
    }

    /** What the ledger says, by another way. */
    List<Long> values() {
      try (Store direct = open(PostgresServer.shared().url(database))) {
        return direct.read(
            tx ->
                tx.lines(board.shard(), 0, Long.MAX_VALUE, 1_000).stream()
                    .map(LedgerLine::value)
                    .toList());
      }
    }

    @Override
    public void close() {
      proxy.heal();
      node.close();
      store.close();
      proxy.close();
    }
  }

  private static long score(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Done.class);
    return ((Outcome.Accepted) ((Reply.Done) reply).outcomes().getFirst()).score();
  }

  private static ErrorCode refusal(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    return ((Reply.Refused) reply).rejection().code();
  }

  /** Cuts once, at the word COMMIT: of the client, or in the server's answer. */
  private static FaultProxy.Watch atCommit(boolean ofClient, Verdict verdict) {
    AtomicBoolean done = new AtomicBoolean();
    return (toServer, bytes, length) ->
        toServer == ofClient
                && new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains("COMMIT")
                && done.compareAndSet(false, true)
            ? verdict
            : Verdict.PASS;
  }

  @Test
  void submit_answerOfTheCommitLost_isAppliedOnceAndAcknowledged() {
    try (Proxied proxied = new Proxied()) {
      proxied.proxy.watch(atCommit(false, Verdict.CUT_BEFORE));
      assertThat(proxied.submit(10)).isEqualTo(11);
      assertThat(proxied.node.failures).hasSize(1);
      assertThat(proxied.submit(100)).isEqualTo(111);
      assertThat(proxied.values()).containsExactly(1L, 10L, 100L);
    }
  }

  @Test
  void submit_commitLostOnItsWay_isRefusedAndNotApplied() {
    try (Proxied proxied = new Proxied()) {
      // New connections: only there is the statement sent as a text.
      proxied.proxy.reset();
      proxied.proxy.watch(atCommit(true, Verdict.CUT_BEFORE));
      Reply reply = proxied.node.submit(proxied.board, Harness.score("a", 10));
      assertThat(refusal(reply)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      assertThat(proxied.submit(100)).isEqualTo(101);
      assertThat(proxied.values()).containsExactly(1L, 100L);
    }
  }

  @Test
  void submit_connectionsCutBefore_isTriedAgainAndAppliedOnce() {
    try (Proxied proxied = new Proxied()) {
      for (int i = 0; i < 5; i++) {
        proxied.proxy.reset();
        assertThat(proxied.submit(1)).isEqualTo(i + 2);
      }
      assertThat(proxied.values()).hasSize(6);
    }
  }

  @Test
  void submit_noWayToTheServer_isRefusedUntilThereIsOne() {
    try (Proxied proxied = new Proxied()) {
      proxied.proxy.refuse();
      proxied.proxy.reset();
      Reply reply = proxied.node.submit(proxied.board, Harness.score("a", 10));
      assertThat(refusal(reply)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      assertThatThrownBy(proxied.store::check).isInstanceOf(StoreUnavailableException.class);
      proxied.proxy.heal();
      assertThat(proxied.submit(100)).isEqualTo(101);
      proxied.store.check();
      assertThat(proxied.values()).containsExactly(1L, 100L);
    }
  }

  @Test
  void submit_serverSilent_isRefusedInBoundedTime() {
    try (Proxied proxied = new Proxied()) {
      proxied.proxy.stall();
      long begin = System.nanoTime();
      Reply reply = proxied.node.submit(proxied.board, Harness.score("a", 10));
      assertThat(refusal(reply)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMinutes(2));
      proxied.proxy.heal();
      assertThat(proxied.submit(100)).isEqualTo(101);
      assertThat(proxied.values()).containsExactly(1L, 100L);
    }
  }

  @Test
  void write_deadlock_isLostByOneOfThemAndCanBeTriedAgain() throws Exception {
    try (Store store = open(PostgresServer.shared().url(PostgresServer.shared().newDatabase()));
        var executor = Executors.newFixedThreadPool(2)) {
      CyclicBarrier both = new CyclicBarrier(2);
      AtomicInteger lost = new AtomicInteger();
      List<Future<?>> writers =
          List.of(0, 1).stream()
              .<Future<?>>map(
                  first ->
                      executor.submit(
                          () -> {
                            try {
                              lockBoth(store, first, both);
                            } catch (TransactionLostException e) {
                              lost.incrementAndGet();
                              store.<Long>write(tx -> tx.lockShard(first));
                            }
                          }))
              .toList();
      for (Future<?> writer : writers) {
        writer.get();
      }
      assertThat(lost).hasValue(1);
    }
  }

  private static void lockBoth(Store store, int first, CyclicBarrier both) {
    store.write(
        tx -> {
          tx.lockShard(first);
          try {
            both.await();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
          return tx.lockShard(1 - first);
        });
  }

  @Test
  void submit_serverStoppedKilledAndPaused_losesNothingThatWasAcknowledged() {
    try (PostgresServer server = PostgresServer.start(folder)) {
      String url = server.url("postgres") + IMPATIENT;
      try (Store store = open(url);
          Harness node = new Harness(store, clock)) {
        Board board = node.board("b", Update.SUM);
        assertThat(score(node.submit(board, Harness.score("a", 1)))).isEqualTo(1);

        server.stop();
        assertThat(refusal(node.submit(board, Harness.score("a", 10))))
            .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        server.start();
        assertThat(score(node.submit(board, Harness.score("a", 2)))).isEqualTo(3);

        server.kill();
        assertThat(refusal(node.submit(board, Harness.score("a", 10))))
            .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        server.start();
        assertThat(score(node.submit(board, Harness.score("a", 3)))).isEqualTo(6);

        server.pause();
        assertThat(refusal(node.submit(board, Harness.score("a", 10))))
            .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        server.resume();
        // What was sent to it while it slept it may still do: the lines say what it did.
        long score = score(node.submit(board, Harness.score("a", 4)));
        long stored =
            store.read(
                tx ->
                    tx.lines(board.shard(), 0, Long.MAX_VALUE, 100).stream()
                        .mapToLong(LedgerLine::value)
                        .sum());
        assertThat(score).isEqualTo(10).isEqualTo(stored);
      }
    }
  }

  @Test
  void submit_replicaPromoted_goesOnThereInANewEpoch() {
    try (PostgresServer primary = PostgresServer.start(folder.resolve("primary"));
        PostgresServer replica = primary.replica(folder.resolve("replica"))) {
      String url =
          "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres?user=postgres%s"
              .formatted(primary.port(), replica.port(), IMPATIENT);
      try (Store store = open(url);
          Harness node = new Harness(store, clock)) {
        Board board = node.board("b", Update.SUM);
        assertThat(score(node.submit(board, Harness.score("a", 1)))).isEqualTo(1);
        long epoch = store.read(tx -> tx.epoch());
        // Stopping sends the rest to the replica; so nothing is lost, and yet the epoch is new.
        primary.stop();
        replica.promote();
        assertThat(score(node.submit(board, Harness.score("a", 2)))).isEqualTo(3);
        assertThat(store.<Long>read(tx -> tx.epoch())).isNotEqualTo(epoch);
        Board now = node.boards.require(board.tenant(), "b");
        node.index.catchUp(now, now.primary());
        assertThat(node.index.loads()).as("built anew in the new epoch").isEqualTo(1);
      }
    }
  }

  @Test
  void open_nobodyThere_saysWhereItLookedAndNoPassword() {
    assertThatThrownBy(() -> open("postgresql://ann:s3cret@127.0.0.1:1/laurel?connectTimeout=1"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("127.0.0.1:1/laurel")
        .hasMessageNotContaining("s3cret");
    assertThatThrownBy(() -> open("mysql://ann:s3cret@127.0.0.1/laurel"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jdbc:postgresql://")
        .hasMessageNotContaining("s3cret");
  }
}
