package dev.laurel.redis;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Season;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.DividedRankIndex;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.StandInRankIndex;
import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** While Redis lacks a board, the node's memory has it: never older, and no longer than needed. */
@SuppressWarnings("NullAway.Init") // made before each case
class StandInTest {
  @TempDir Path folder = Path.of("");
  private final AtomicLong nanos = new AtomicLong();
  private RedisServer server;
  private Store store;
  private LocalRankIndex memory;
  private LeadBoard lead;
  private Season season;

  @BeforeEach
  void start() {
    server = RedisServer.start(folder.resolve("redis"));
    store = SqliteStore.open(folder.resolve("data"), new ManualClock());
  }

  private void open(long indexBytes) {
    Harness.IndexSource indexes =
        (opened, users, _, observer) -> {
          memory = new LocalRankIndex(opened, users, indexBytes, observer);
          return new DividedRankIndex(
              new StandInRankIndex(
                  Nodes.index(
                      opened, users, server.url(), LeadBoard.PREFIX, RedisLink.SHORT, observer),
                  memory,
                  Duration.ZERO,
                  nanos::get),
              memory);
        };
    lead = new LeadBoard(store, indexes);
    season = lead.board.primary();
  }

  @AfterEach
  void stop() {
    lead.node.close();
    store.close();
    server.close();
  }

  private static void await(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }

  private boolean isInMemory() {
    return lead.node.index.ranking(lead.board, season) instanceof RankSnapshot;
  }

  private void stopRedis() {
    server.stop();
    lead.write();
    await("memory stands in", this::isInMemory);
  }

  @Test
  void stopped_readsAndRanksOfWritesComeFromMemory() {
    open(Long.MAX_VALUE);
    stopRedis();
    for (int i = 0; i < 20; i++) {
      Reply reply = lead.node.submit(lead.board, score("user-" + ++lead.users, lead.users));
      assertThat(reply).isInstanceOf(Reply.Done.class);
      Outcome outcome = ((Reply.Done) reply).outcomes().getFirst();
      assertThat(outcome).extracting("rank").isEqualTo(1L);
      assertThat(lead.read().source()).isEqualTo(Rankings.Source.INDEX);
      assertThat(isInMemory()).isTrue();
    }
  }

  @Test
  void back_memoryIsLeftAloneAndThenGivenBack() {
    open(Long.MAX_VALUE);
    stopRedis();
    server.start();
    await("reads come from Redis", () -> !isInMemory() && lead.read() != null && !isInMemory());
    lead.writeAndReadOften();
    assertThat(memory.isLoaded(season)).as("it may fail again").isTrue();
    assertThat(memory.behind()).as("nobody misses what nobody reads").isZero();

    // It fails again: what is in memory is of before, and nobody sees it so.
    server.stop();
    lead.writeAndReadOften();
    await("memory stands in", this::isInMemory);
    lead.read();

    server.start();
    await("reads come from Redis", () -> !isInMemory());
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(2));
    lead.node.index.keepOnly(_ -> true);
    assertThat(memory.isLoaded(season)).isFalse();
    lead.awaitIndex();
  }

  @Test
  void noRoom_readsComeFromTheStore() {
    open(1);
    server.stop();
    lead.writeAndReadOften();
    assertThat(lead.read().source()).isEqualTo(Rankings.Source.SQL);
    assertThat(memory.isLoaded(season)).isFalse();
    server.start();
    lead.awaitIndex();
  }
}
