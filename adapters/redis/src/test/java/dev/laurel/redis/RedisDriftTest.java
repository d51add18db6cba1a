package dev.laurel.redis;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.repair.CheckJob;
import dev.laurel.core.repair.Checked;
import dev.laurel.core.repair.Difference;
import dev.laurel.core.repair.RepairQueue;
import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody changes what is in Redis: a check finds it, and it is built anew. */
@SuppressWarnings("NullAway.Init") // made before each case
class RedisDriftTest {
  private static final String PREFIX = "drift";
  private static final int USERS = 700;

  @TempDir Path folder = Path.of("");
  private final ManualClock clock = new ManualClock();
  private RedisServer server;
  private Store store;
  private Harness node;
  private Board board;

  @BeforeEach
  void start() {
    server = RedisServer.start(folder.resolve("redis"));
    store = SqliteStore.open(folder.resolve("data"), clock);
    node = new Harness(store, clock, 1 << 16, Nodes.indexes(server.url(), PREFIX));
    board = node.board("board", Update.LATEST);
    node.submit(
        board, IntStream.range(0, USERS).mapToObj(i -> score("u" + i, i)).toArray(Command[]::new));
    assertThat(check()).isInstanceOf(Checked.Equal.class);
  }

  @AfterEach
  void stop() {
    node.close();
    store.close();
    server.close();
  }

  private Checked check() {
    return node.checks.check(board, board.primary(), (done, total) -> {});
  }

  /** A script with the three keys of the season; u0 is the last of its set. */
  private void tamper(String script) {
    String tag = server.call("KEYS", PREFIX + ":*:z").replaceFirst("z$", "");
    server.call("EVAL", script, "3", tag + "z", tag + "u", tag + "m");
  }

  private void assertRepaired() {
    assertThat(node.repairs.list())
        .extracting(RepairQueue.Item::kind)
        .containsExactly(RepairQueue.Kind.REBUILD);
    new CheckJob(
            store,
            node.directory,
            node.index,
            node.checks,
            node.repairs,
            clock,
            new CheckJob.Times(Long.MAX_VALUE, CheckJob.NEVER),
            node.oneByOne("board"))
        .turn(() -> false);
    assertThat(node.repairs.list()).isEmpty();
    assertThat(check()).isInstanceOf(Checked.Equal.class);
    assertThat(server.call("KEYS", PREFIX + ":*").lines())
        .as("nothing is left of the load but the season")
        .hasSize(3);
  }

  private Difference first() {
    Checked checked = check();
    assertThat(checked).isInstanceOf(Checked.Drift.class);
    Difference first = ((Checked.Drift) checked).first();
    if (first == null) {
      throw new AssertionError("no difference is named");
    }
    return first;
  }

  @Test
  void member_withAnotherScore_isAtTheWrongPlace() {
    tamper(
        "local m = redis.call('ZRANGE', KEYS[1], -1, -1)[1]"
            + " redis.call('ZADD', KEYS[1], -300.5, m)");
    Difference first = first();
    assertThat(first.kind()).isEqualTo(Difference.Kind.MISPLACED);
    assertThat(first.userId()).as("whoever comes after u0").isEqualTo("u299");
    assertRepaired();
  }

  @Test
  void memberAndHash_withAnotherScore_areChanged() {
    // The member of u1 for u0: another exact score, at its place.
    tamper(
        "local m = redis.call('ZRANGE', KEYS[1], -1, -1)[1]"
            + " local n = redis.call('ZRANGE', KEYS[1], -2, -2)[1]"
            + " local prefix = string.sub(n, 1, 16)"
            + " redis.call('ZREM', KEYS[1], m)"
            + " redis.call('ZADD', KEYS[1], redis.call('ZSCORE', KEYS[1], n), prefix .. 'u0')"
            + " redis.call('HSET', KEYS[2], 'u0', prefix .. '\\0')");
    Difference first = first();
    assertThat(first.kind()).isEqualTo(Difference.Kind.CHANGED);
    assertThat(first.userId()).isEqualTo("u0");
    assertThat(first.index()).extracting(Difference.Value::score).isEqualTo(1L);
    assertThat(first.store()).extracting(Difference.Value::score).isEqualTo(0L);
    assertRepaired();
  }

  @Test
  void member_inThePlaceOfAnother_isNoticedByItsReadersAndComesBackByItself() {
    tamper(
        "local m = redis.call('ZRANGE', KEYS[1], -1, -1)[1]"
            + " redis.call('ZREM', KEYS[1], m)"
            + " redis.call('ZADD', KEYS[1], 5, string.sub(m, 1, 16) .. 'nobody')");
    long loads = node.index.loads();
    // Nobody has this id: the season is not believed any more.
    assertThat(check()).isInstanceOf(Checked.Equal.class);
    assertThat(node.index.loads()).isGreaterThan(loads);
  }

  @Test
  void member_removed_isNoticedByItsReadersAndComesBackByItself() {
    tamper("redis.call('ZREM', KEYS[1], redis.call('ZRANGE', KEYS[1], 9, 9)[1])");
    long better = node.rankings.ask(board, board.primary(), List.of(), v -> v.ranking().better(9));
    assertThat(better).isEqualTo(USERS - 10);
    assertThat(check()).isInstanceOf(Checked.Equal.class);
  }

  @Test
  void redisAway_isInTheQueueWithItsReasonUntilItIsBack() {
    server.stop();
    node.submit(board, score("u0", 1_000));
    await(() -> node.repairs.find(board.primary()) != null);
    assertThat(node.repairs.list())
        .extracting(RepairQueue.Item::kind)
        .containsExactly(RepairQueue.Kind.CATCH_UP);
    assertThat(node.failures).as("said once, by the link").isEmpty();
    server.start();
    await(() -> node.repairs.size() == 0);
    assertThat(check()).isInstanceOf(Checked.Equal.class);
  }

  private static void await(BooleanSupplier state) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!state.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
    }
  }
}
