package dev.laurel.redis;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
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
  private static final String PREFIX = LeadBoard.PREFIX;

  @TempDir Path folder = Path.of("");
  private RedisServer server;
  private Store store;
  private LeadBoard lead;
  private Board board;

  @BeforeEach
  void start() {
    server = RedisServer.start(folder.resolve("redis"));
    store = SqliteStore.open(folder.resolve("data"), new ManualClock());
    lead = new LeadBoard(store, server.url());
    board = lead.board;
  }

  @AfterEach
  void stop() {
    lead.node.close();
    store.close();
    server.close();
  }

  @Test
  void stopped_readsComeFromTheStoreAndReturn() {
    server.stop();
    lead.writeAndReadOften();
    assertThat(lead.read().source()).isEqualTo(Rankings.Source.SQL);
    server.start();
    lead.awaitIndex();
    lead.writeAndReadOften();
    lead.awaitIndex();
  }

  @Test
  void paused_nobodyWaitsForItAndReadsReturn() {
    server.pause();
    lead.writeAndReadOften();
    assertThat(lead.read().source()).isEqualTo(Rankings.Source.SQL);
    server.resume();
    lead.awaitIndex();
  }

  @Test
  void flushed_isNeverReadAsEmptyAndIsBuiltAnew() {
    server.call("FLUSHALL");
    // The node has a copy of the head of the board, and nothing has happened: it is still right.
    assertThat(lead.read().source()).isEqualTo(Rankings.Source.INDEX);
    Rankings.Answer<Long> rank =
        lead.node.rankings.answer(
            board, board.primary(), List.of(), view -> view.ranking().better(5));
    // From the database, or from what was built anew meanwhile.
    assertThat(rank.value()).isEqualTo(15L);
    lead.awaitIndex();
    server.call("FLUSHALL");
    lead.write();
    lead.read();
    lead.awaitIndex();
  }

  @Test
  void functionsFlushed_areLoadedAgainByTheNextCall() {
    server.call("FUNCTION", "FLUSH");
    lead.awaitIndex();
    server.call("FUNCTION", "FLUSH");
    lead.write();
    lead.awaitIndex();
    assertThat(server.call("FUNCTION", "LIST")).contains("laurel");
  }

  @Test
  void restartedEmpty_isBuiltAnew() {
    server.stop();
    server.start();
    lead.writeAndReadOften();
    lead.awaitIndex();
  }

  @Test
  void restartedWithAnOldDump_isNeverReadAsItWas() {
    server.call("SAVE");
    lead.write();
    server.stop();
    server.start();
    lead.read();
    lead.writeAndReadOften();
    lead.awaitIndex();
    assertThat(lead.node.index.loads()).as("moved on by the ledger").isZero();
  }

  @Test
  void nodeAndRedisRestarted_oldDump_isNeverReadAsItWas() {
    server.call("SAVE");
    lead.write();
    lead.node.close();
    server.stop();
    server.start();
    lead.node = lead.node();
    lead.read();
    lead.awaitIndex();
  }

  @Test
  void redisDownAtTheStart_nodeStartsAndFindsItLater() {
    lead.node.close();
    server.stop();
    lead.node = lead.node();
    lead.writeAndReadOften();
    server.start();
    lead.awaitIndex();
  }

  @Test
  void partEvicted_isNoticedAndBuiltAnew() {
    for (String part : List.of("z", "u", "m")) {
      String key = server.call("KEYS", PREFIX + ":*:" + part);
      assertThat(server.call("DEL", key)).isEqualTo("1");
      long better =
          lead.node.rankings.ask(
              board, board.primary(), List.of(), view -> view.ranking().better(5));
      assertThat(better).isEqualTo(15);
      lead.awaitIndex();
    }
  }

  @Test
  void largeBoard_flushedWhileWritesGoOn_isLoadedBesideAndSwappedIn() {
    List<Command> many = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      many.add(score("crowd-" + i, -i));
    }
    lead.node.submit(board, many.toArray(Command[]::new));
    long loads = lead.node.index.loads();
    server.call("FLUSHALL");
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    Rankings.Source source;
    do {
      lead.write();
      Rankings.Answer<Long> answer =
          lead.node.rankings.answer(
              board, board.primary(), List.of(), view -> view.ranking().better(-2_000));
      assertThat(answer.value()).isEqualTo(lead.users + 2_000L);
      source = answer.source();
      assertThat(System.nanoTime()).isLessThan(deadline);
    } while (source != Rankings.Source.INDEX);
    assertThat(lead.node.index.loads()).isGreaterThan(loads);
    lead.node.index.catchUp(board, board.primary());
    assertThat(lead.node.index.size(board.primary())).isEqualTo(lead.users + 3_000L);
    assertThat(server.call("KEYS", PREFIX + ":*").lines())
        .as("nothing is left of the load but the season")
        .hasSize(3);
  }

  @Test
  void otherNode_commits_isSeenOnceTheStoreWasLookedAt() {
    try (Harness other = lead.node()) {
      other.boards.follow();
      other.index.catchUp(board, board.primary());
      Function<Rankings.View, String> first =
          view -> BoardOracle.rows(view.ranking(), view.users()).getFirst().userId();
      assertThat(other.rankings.ask(board, board.primary(), List.of(), first))
          .isEqualTo("user-" + lead.users);
      lead.write();
      other.index.follow(board, board.primary(), Long.MAX_VALUE);
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
      // A user whom only the first node has numbered leads the board.
      while (!other
          .rankings
          .ask(board, board.primary(), List.of(), first)
          .equals("user-" + lead.users)) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        LockSupport.parkNanos(1_000_000);
      }
      lead.write();
      // Redis itself is further than this node knew: a read that asks it sees the user at once.
      long better =
          other.rankings.ask(board, board.primary(), List.of(), view -> view.ranking().better(0));
      assertThat(better).isEqualTo(lead.users);
      assertThat(other.rankings.ask(board, board.primary(), List.of(), first))
          .isEqualTo("user-" + lead.users);
    }
  }

  @Test
  void newEpoch_whatWasKnown_isNotUsedAnyMore() {
    lead.node.index.enter(42);
    assertThat(lead.node.rankings.inMemory(board, board.primary())).isNull();
    lead.node.index.enter(board.epoch());
    lead.awaitIndex();
  }

  @Test
  void otherStore_sameKeys_isNotMistakenForOurs() {
    // The same season number and line, but of another history.
    try (Store other = SqliteStore.open(folder.resolve("other"), new ManualClock());
        Harness stranger =
            new Harness(other, new ManualClock(), 1 << 16, Nodes.indexes(server.url(), PREFIX))) {
      Board theirs = stranger.board("board", Update.LATEST);
      for (int i = 0; i < lead.users; i++) {
        stranger.submit(theirs, score("other-" + i, i));
      }
      stranger.index.catchUp(theirs, theirs.primary());
      lead.read();
      lead.writeAndReadOften();
    }
  }
}
