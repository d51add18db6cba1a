package dev.laurel.redis;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.StoredRanking;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import dev.laurel.sql.PostgresStore;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.BoardOracle;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file or a volume is brought back as it was, and Redis stands where it never was. */
@SuppressWarnings("NullAway.Init") // started before each case
class RestoredStoreTest {
  @TempDir Path folder = Path.of("");
  private RedisServer redis;
  private final ManualClock clock = new ManualClock();

  @BeforeEach
  void start() {
    redis = RedisServer.start(folder.resolve("redis"));
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  @Test
  void sqliteFile_restored_redisIsNotReadAsItWas() {
    Path data = folder.resolve("data");
    Path copy = folder.resolve("copy");
    restored(
        () -> SqliteStore.open(data, clock), () -> copy(data, copy), () -> replace(data, copy));
  }

  @Test
  void postgresVolume_restored_redisIsNotReadAsItWas() {
    try (PostgresServer server = PostgresServer.start(folder.resolve("server"))) {
      Path data = folder.resolve("server").resolve("postgres");
      Path copy = folder.resolve("copy");
      restored(
          () -> PostgresStore.open(server.url("postgres"), null, null, clock),
          () -> {
            server.stop();
            copy(data, copy);
            server.start();
          },
          () -> {
            server.stop();
            replace(data, copy);
            server.start();
          });
    }
  }

  /**
   * @param save called while nobody has the store open, as {@code restore} is
   */
  private void restored(Supplier<Store> open, Runnable save, Runnable restore) {
    try (Store store = open.get();
        Harness node = node(store)) {
      submit(node, node.board("longer", Update.LATEST), "ann", 1);
      submit(node, node.board("same", Update.LATEST), "ann", 1);
    }
    save.run();
    try (Store store = open.get();
        Harness node = node(store)) {
      for (String uuid : List.of("longer", "same")) {
        Board board = node.boards.require(Tenant.DEFAULT, uuid);
        submit(node, board, "ghost", 99);
        submit(node, board, "ann", 2);
        awaitIndex(node, board);
      }
      // More lines than the other will have when it is as long.
      submit(node, node.boards.require(Tenant.DEFAULT, "longer"), "ann", 3);
      submit(node, node.boards.require(Tenant.DEFAULT, "longer"), "ann", 4);
    }
    restore.run();
    try (Store store = open.get();
        Harness node = node(store)) {
      Board same = node.boards.require(Tenant.DEFAULT, "same");
      Board longer = node.boards.require(Tenant.DEFAULT, "longer");
      submit(node, same, "ann", 49);
      submit(node, same, "bob", 7);
      submit(node, longer, "ann", 50);
      for (Board board : List.of(same, longer)) {
        // At once, from wherever, and again when it comes from Redis.
        assertThat(rows(node, board).value()).isEqualTo(stored(node, board));
        awaitIndex(node, board);
      }
      assertThat(stored(node, same).stream().map(BoardOracle.Row::userId))
          .containsExactly("ann", "bob");
      assertThat(stored(node, longer).getFirst().score()).isEqualTo(50);
    }
  }

  @Test
  void sqliteFile_openedAgainAsItWas_redisGoesOn() {
    Path data = folder.resolve("data");
    try (Store store = SqliteStore.open(data, clock);
        Harness node = node(store)) {
      Board board = node.board("b", Update.LATEST);
      submit(node, board, "ann", 1);
      awaitIndex(node, board);
    }
    try (Store store = SqliteStore.open(data, clock);
        Harness node = node(store)) {
      Board board = node.boards.require(Tenant.DEFAULT, "b");
      awaitIndex(node, board);
      submit(node, board, "bob", 2);
      awaitIndex(node, board);
      assertThat(node.index.loads()).as("its line is in the ledger").isZero();
    }
  }

  @Test
  void redis_aheadOfTheStoreInOneEpoch_isBuiltAnew() {
    try (Store store = SqliteStore.open(folder.resolve("data"), clock);
        Harness node = node(store)) {
      Board board = node.board("b", Update.LATEST);
      submit(node, board, "ann", 1);
      awaitIndex(node, board);
      // As it is where both machines were set back, with what is in their memory, and Redis not.
      redis.call("HSET", redis.call("KEYS", "restored:*:m"), "line", "77");
      node.index.catchUp(board, board.primary());
      submit(node, board, "ann", 50);
      assertThat(rows(node, board).value()).isEqualTo(stored(node, board));
      awaitIndex(node, board);
      assertThat(node.index.loads()).isEqualTo(1);
    }
  }

  @Test
  void redis_namesSomebodyWhoIsNotThere_isBuiltAnew() {
    try (Store store = SqliteStore.open(folder.resolve("data"), clock);
        Harness node = node(store)) {
      Board board = node.board("b", Update.LATEST);
      submit(node, board, "ann", 1);
      submit(node, board, "bob", 2);
      awaitIndex(node, board);
    }
    try (Store store = SqliteStore.open(folder.resolve("data"), clock)) {
      // An erasure that was undone by a restore leaves Redis so.
      store.write(
          tx -> {
            tx.renameUser(Tenant.DEFAULT, 1, "eve");
            return true;
          });
      try (Harness node = node(store)) {
        Board board = node.boards.require(Tenant.DEFAULT, "b");
        awaitIndex(node, board);
        assertThat(rows(node, board).value().stream().map(BoardOracle.Row::userId))
            .containsExactly("bob", "eve");
      }
    }
  }

  private Harness node(Store store) {
    return new Harness(store, clock, 1 << 16, Nodes.indexes(redis.url(), "restored"));
  }

  private static void submit(Harness node, Board board, String user, long value) {
    assertThat(node.submit(board, score(user, value))).isInstanceOf(Reply.Done.class);
  }

  private static Rankings.Answer<List<BoardOracle.Row>> rows(Harness node, Board board) {
    return node.rankings.answer(
        board, board.primary(), List.of(), view -> BoardOracle.rows(view.ranking(), view.users()));
  }

  private static List<BoardOracle.Row> stored(Harness node, Board board) {
    return node.store.read(
        tx ->
            BoardOracle.rows(
                StoredRanking.of(tx, board, board.primary(), node.users),
                node.users.follow(tx, board.tenant())));
  }

  private static void awaitIndex(Harness node, Board board) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    Rankings.Answer<List<BoardOracle.Row>> rows = rows(node, board);
    while (rows.source() != Rankings.Source.INDEX) {
      assertThat(System.nanoTime()).as("reads return within 30 s").isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
      rows = rows(node, board);
    }
    assertThat(rows.value()).isEqualTo(stored(node, board));
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(
            file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void replace(Path data, Path copy) {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    copy(copy, data);
  }
}
