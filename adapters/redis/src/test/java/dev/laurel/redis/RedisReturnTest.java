package dev.laurel.redis;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.repair.Checked;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.BoardOracle;
import dev.laurel.testkit.FaultyStore;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Redis has lost a board, and is given it again while the board is written to: after whatever is
 * read of the store, something is written before the one who read it goes on.
 */
@SuppressWarnings("NullAway.Init") // made before each case
class RedisReturnTest {
  private static final String PREFIX = "return";
  private static final int BATCH = 3_000;

  /** More than are ever put into a season that is read. */
  private static final int CROWD = 4 * BATCH;

  @TempDir Path folder = Path.of("");
  private RedisServer server;
  private FaultyStore store;
  private Harness node;
  private Board board;

  @BeforeEach
  void start() {
    server = RedisServer.start(folder.resolve("redis"));
    Store opened = SqliteStore.open(folder.resolve("data"), new ManualClock());
    store = new FaultyStore(opened);
    node = node();
    board = node.board("board", Update.LATEST);
    writeAll(0);
    awaitRedis(node);
  }

  @AfterEach
  void stop() {
    store.afterLongRead(() -> {});
    node.close();
    store.close();
    server.close();
  }

  private Harness node() {
    return new Harness(store, new ManualClock(), 1 << 16, Nodes.indexes(server.url(), PREFIX));
  }

  /** Everyone gets a score, all of which are others in another round. */
  private void writeAll(int round) {
    for (int from = 0; from < CROWD; from += BATCH) {
      List<Command> many = new ArrayList<>();
      for (int i = from; i < from + BATCH; i++) {
        many.add(score("user-" + i, (i * 7L + round) % CROWD));
      }
      assertThat(node.submit(board, many.toArray(Command[]::new))).isInstanceOf(Reply.Done.class);
    }
  }

  private void write(Command command) {
    assertThat(node.submit(board, command)).isInstanceOf(Reply.Done.class);
  }

  private static void await(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }

  private void awaitRedis(Harness reader) {
    await("reads come from Redis", () -> reader.rankings.inMemory(board, board.primary()) != null);
  }

  /** What Redis says, row by row, is what the store says. */
  private void assertRight() {
    store.afterLongRead(() -> {});
    // Another node's build may still put a new copy in place of this one: then a read comes from
    // the store once.
    await(
        "a whole read comes from Redis",
        () ->
            node.rankings
                    .answer(
                        board,
                        board.primary(),
                        List.of(),
                        view -> BoardOracle.rows(view.ranking(), view.users()))
                    .source()
                == Rankings.Source.INDEX);
    assertThat(node.checks.check(board, board.primary(), (_, _) -> {}))
        .isInstanceOf(Checked.Equal.class);
    assertThat(node.drifts).isEmpty();
  }

  private long keys() {
    return server.call("KEYS", PREFIX + ":*").lines().filter(line -> !line.isBlank()).count();
  }

  @Test
  void flushed_moreIsWrittenThanWhileItIsCopied_isReadAgainWhileWritesGoOn() {
    AtomicInteger reads = new AtomicInteger();
    store.afterLongRead(
        () -> {
          int read = reads.incrementAndGet();
          if (read <= 3) {
            writeAll(read);
          }
          // Always: it never stands still for long enough to be read and brought there.
          write(score("late-" + read, read));
          write(new Command.Delete("user-" + read));
        });
    server.call("FLUSHALL");
    write(score("first", 1));
    awaitRedis(node);
    assertThat(reads.get()).as("it was written while it was built").isGreaterThan(3);
    assertThat(node.index.loads()).as("built once").isEqualTo(1);
    assertRight();
    await("nothing is left but the season", () -> keys() == 3);
  }

  @Test
  void flushed_whileItIsBuilt_isBuiltAgain() {
    AtomicInteger reads = new AtomicInteger();
    store.afterLongRead(
        () -> {
          write(score("late-" + reads.get(), 5));
          if (reads.incrementAndGet() <= 4) {
            server.call("FLUSHALL");
          }
        });
    server.call("FLUSHALL");
    write(score("first", 1));
    awaitRedis(node);
    assertRight();
  }

  @Test
  void builder_diesOnTheWay_leavesNothingForLongAndAnotherGoesOn() {
    AtomicInteger reads = new AtomicInteger();
    store.afterLongRead(
        () -> {
          // What to do, the copy, and what came since.
          if (reads.incrementAndGet() == 3) {
            throw new IllegalStateException("told to fail");
          }
        });
    server.call("FLUSHALL");
    write(score("first", 1));
    await("it failed", () -> reads.get() >= 3);
    awaitRedis(node);
    assertRight();
    for (String left : server.call("KEYS", PREFIX + ":*:?:*").lines().toList()) {
      assertThat(Long.parseLong(server.call("PTTL", left))).as(left).isBetween(1L, 600_000L);
    }
  }

  @Test
  void twoNodes_buildItAtOnce_bothReadIt() {
    try (Harness other = node()) {
      other.boards.follow();
      AtomicInteger reads = new AtomicInteger();
      store.afterLongRead(() -> write(score("late-" + reads.incrementAndGet(), 3)));
      server.call("FLUSHALL");
      write(score("first", 1));
      other.index.missed(board, board.primary(), 1);
      await(
          "both",
          () ->
              node.rankings.inMemory(board, board.primary()) != null
                  && other.rankings.inMemory(board, board.primary()) != null);
      assertRight();
      await("nothing is left but the season", () -> keys() == 3);
    }
  }

  @Test
  void user_erasedWhileItIsBuilt_isThereOnce() {
    AtomicInteger reads = new AtomicInteger();
    CompletableFuture<?>[] erased = {CompletableFuture.completedFuture(null)};
    store.afterLongRead(
        () -> {
          if (reads.incrementAndGet() == 2) {
            erased[0] =
                CompletableFuture.runAsync(() -> node.erasure.erase(Tenant.DEFAULT, "user-17", 1));
            await("the id is gone", () -> node.users.of(Tenant.DEFAULT).find("user-17") == 0);
          }
        });
    server.call("FLUSHALL");
    write(score("first", 1));
    await("it was built", () -> reads.get() >= 3);
    erased[0].join();
    assertRight();
    assertThat(node.index.size(board.primary())).isEqualTo(CROWD + 1L);
  }
}
