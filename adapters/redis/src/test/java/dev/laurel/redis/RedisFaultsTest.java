package dev.laurel.redis;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.BoardOracle;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever happens to Redis: no wrong answer, writes go on, and reads return to it by themselves.
 */
@SuppressWarnings("NullAway.Init") // made before each case
class RedisFaultsTest {
  private static final String PREFIX = "faults";

  @TempDir Path folder = Path.of("");
  private RedisServer server;
  private Store store;
  private Harness node;
  private Board board;
  private int users;

  @BeforeEach
  void start() {
    server = RedisServer.start(folder.resolve("redis"));
    store = SqliteStore.open(folder.resolve("data"), new ManualClock());
    node = node();
    board = node.board("board", Update.LATEST);
    for (int i = 0; i < 20; i++) {
      write();
    }
    assertThat(read().source()).isEqualTo(Rankings.Source.INDEX);
  }

  @AfterEach
  void stop() {
    node.close();
    store.close();
    server.close();
  }

  private Harness node() {
    return new Harness(store, new ManualClock(), 1 << 16, Nodes.indexes(server.url(), PREFIX));
  }

  /** The next user takes the lead. */
  private void write() {
    users++;
    assertThat(node.submit(board, score("user-" + users, users))).isInstanceOf(Reply.Done.class);
  }

  /** Right, wherever it comes from. */
  private Rankings.Answer<List<BoardOracle.Row>> read() {
    Rankings.Answer<List<BoardOracle.Row>> answer =
        node.rankings.answer(
            board,
            board.primary(),
            List.of(),
            view -> BoardOracle.rows(view.ranking(), view.users()));
    List<String> expected = new ArrayList<>();
    for (int i = users; i > 0; i--) {
      expected.add("user-" + i);
    }
    assertThat(answer.value().stream().map(BoardOracle.Row::userId)).isEqualTo(expected);
    return answer;
  }

  private void writeAndReadOften() {
    for (int i = 0; i < 10; i++) {
      write();
      read();
    }
  }

  private void awaitIndex() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (read().source() != Rankings.Source.INDEX) {
      assertThat(System.nanoTime()).as("reads return within 30 s").isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Test
  void stopped_readsComeFromTheStoreAndReturn() {
    server.stop();
    writeAndReadOften();
    assertThat(read().source()).isEqualTo(Rankings.Source.SQL);
    server.start();
    awaitIndex();
    writeAndReadOften();
    awaitIndex();
  }

  @Test
  void paused_nobodyWaitsForLongAndReadsReturn() {
    server.pause();
    long start = System.nanoTime();
    writeAndReadOften();
    assertThat(read().source()).isEqualTo(Rankings.Source.SQL);
    // One deadline, not one for each of the twenty calls.
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(3));
    server.resume();
    awaitIndex();
  }

  @Test
  void flushed_isNeverReadAsEmptyAndIsBuiltAnew() {
    server.call("FLUSHALL");
    // The node has a copy of the head of the board, and nothing has happened: it is still right.
    assertThat(read().source()).isEqualTo(Rankings.Source.INDEX);
    Rankings.Answer<Long> rank =
        node.rankings.answer(board, board.primary(), List.of(), view -> view.ranking().better(5));
    assertThat(rank).isEqualTo(new Rankings.Answer<>(15L, Rankings.Source.SQL));
    awaitIndex();
    server.call("FLUSHALL");
    write();
    read();
    awaitIndex();
  }

  @Test
  void functionsFlushed_areLoadedAgainByTheNextCall() {
    server.call("FUNCTION", "FLUSH");
    assertThat(read().source()).isEqualTo(Rankings.Source.INDEX);
    server.call("FUNCTION", "FLUSH");
    write();
    assertThat(read().source()).isEqualTo(Rankings.Source.INDEX);
  }

  @Test
  void restartedEmpty_isBuiltAnew() {
    server.stop();
    server.start();
    writeAndReadOften();
    awaitIndex();
  }

  @Test
  void restartedWithAnOldDump_isNeverReadAsItWas() {
    server.call("SAVE");
    write();
    server.stop();
    server.start();
    read();
    writeAndReadOften();
    awaitIndex();
    assertThat(node.index.loads()).as("moved on by the ledger").isZero();
  }

  @Test
  void nodeAndRedisRestarted_oldDump_isNeverReadAsItWas() {
    server.call("SAVE");
    write();
    node.close();
    server.stop();
    server.start();
    node = node();
    read();
    awaitIndex();
  }

  @Test
  void redisDownAtTheStart_nodeStartsAndFindsItLater() {
    node.close();
    server.stop();
    node = node();
    writeAndReadOften();
    server.start();
    awaitIndex();
  }

  @Test
  void partEvicted_isNoticedAndBuiltAnew() {
    for (String part : List.of("z", "u", "m")) {
      String key = server.call("KEYS", PREFIX + ":*:" + part);
      assertThat(server.call("DEL", key)).isEqualTo("1");
      long better =
          node.rankings.ask(board, board.primary(), List.of(), view -> view.ranking().better(5));
      assertThat(better).isEqualTo(15);
      awaitIndex();
    }
  }

  @Test
  void largeBoard_flushedWhileWritesGoOn_isLoadedBesideAndSwappedIn() {
    List<Command> many = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      many.add(score("crowd-" + i, -i));
    }
    node.submit(board, many.toArray(Command[]::new));
    long loads = node.index.loads();
    server.call("FLUSHALL");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    Rankings.Source source;
    do {
      write();
      Rankings.Answer<Long> answer =
          node.rankings.answer(
              board, board.primary(), List.of(), view -> view.ranking().better(-2_000));
      assertThat(answer.value()).isEqualTo(users + 2_000L);
      source = answer.source();
      assertThat(System.nanoTime()).isLessThan(deadline);
    } while (source != Rankings.Source.INDEX);
    assertThat(node.index.loads()).isGreaterThan(loads);
    node.index.catchUp(board, board.primary());
    assertThat(node.index.size(board.primary())).isEqualTo(users + 3_000L);
    assertThat(server.call("KEYS", PREFIX + ":*").lines())
        .as("nothing is left of the load but the season")
        .hasSize(3);
  }

  @Test
  void otherNode_commits_isSeenOnceTheStoreWasLookedAt() {
    try (Harness other = node()) {
      other.boards.follow();
      other.index.catchUp(board, board.primary());
      Function<Rankings.View, String> first =
          view -> BoardOracle.rows(view.ranking(), view.users()).getFirst().userId();
      assertThat(other.rankings.ask(board, board.primary(), List.of(), first))
          .isEqualTo("user-" + users);
      write();
      ((RedisRankIndex) other.index).follow(board, board.primary(), Long.MAX_VALUE);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      // A user whom only the first node has numbered leads the board.
      while (!other
          .rankings
          .ask(board, board.primary(), List.of(), first)
          .equals("user-" + users)) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        LockSupport.parkNanos(1_000_000);
      }
      write();
      // Redis itself is further than this node knew: a read that asks it sees the user at once.
      long better =
          other.rankings.ask(board, board.primary(), List.of(), view -> view.ranking().better(0));
      assertThat(better).isEqualTo(users);
      assertThat(other.rankings.ask(board, board.primary(), List.of(), first))
          .isEqualTo("user-" + users);
    }
  }

  @Test
  void newEpoch_whatWasKnown_isNotUsedAnyMore() {
    ((RedisRankIndex) node.index).enter(42);
    assertThat(node.rankings.inMemory(board, board.primary())).isNull();
    // The store tells the epoch it is really in.
    awaitIndex();
  }

  @Test
  void otherStore_sameKeys_isNotMistakenForOurs() {
    // The same season number and line, but of another history.
    try (Store other = SqliteStore.open(folder.resolve("other"), new ManualClock());
        Harness stranger =
            new Harness(other, new ManualClock(), 1 << 16, Nodes.indexes(server.url(), PREFIX))) {
      Board theirs = stranger.board("board", Update.LATEST);
      for (int i = 0; i < users; i++) {
        stranger.submit(theirs, score("other-" + i, i));
      }
      stranger.index.catchUp(theirs, theirs.primary());
      read();
      writeAndReadOften();
    }
  }
}
