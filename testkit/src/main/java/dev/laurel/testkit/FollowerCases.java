package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Update;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.IndexMemory;
import dev.laurel.core.rank.LocalRankIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The index as a follower of the ledger. */
interface FollowerCases extends PipelineCases {
  @Test
  default void index_overItsBudget_unloadsTheIdleSeasonAndLoadsItAgain() {
    Board idle = harness().board("idle", Update.LATEST);
    Board busy = harness().board("busy", Update.LATEST);
    for (int i = 0; i < 60; i++) {
      harness().submit(idle, score("u" + i, i));
      harness().submit(busy, score("u" + i, i));
    }
    Harness small = new Harness(store(), clock(), 1000, 100 * 48);
    try {
      small.index.catchUp(idle, idle.primary());
      small.index.catchUp(busy, busy.primary());
      assertThat(small.index.size(busy.primary())).isEqualTo(60);
      assertThat(small.index.size(idle.primary())).isZero();
      assertThat(PipelineCases.rankOf(small, idle, "u59")).isEqualTo(1);
      small.submit(idle, score("u60", 60));
      assertThat(PipelineCases.rankOf(small, idle, "u60")).isEqualTo(1);
      small.index.catchUp(idle, idle.primary());
      assertThat(small.index.size(idle.primary())).isEqualTo(61);
      assertThat(small.index.size(busy.primary())).isZero();
      assertThat(PipelineCases.rankOf(small, idle, "u59")).isEqualTo(2);
    } finally {
      small.close();
    }
  }

  /** Loaded at every read they would drive each other out for ever. */
  @Test
  default void index_seasonsInUseDoNotFit_areNotLoadedAllTheTime() {
    Board one = harness().board("one", Update.LATEST);
    Board two = harness().board("two", Update.LATEST);
    Board last = harness().board("last", Update.LATEST);
    harness().submit(last, score("u1", 1));
    for (int i = 0; i < 60; i++) {
      harness().submit(one, score("u" + i, i));
      harness().submit(two, score("u" + i, i));
    }
    AtomicInteger crowded = new AtomicInteger();
    Harness small =
        new Harness(
            store(),
            clock(),
            1000,
            (store, users, _, observer) ->
                new LocalRankIndex(
                    store,
                    users,
                    new IndexMemory(100 * 48, (_, _) -> crowded.incrementAndGet()),
                    observer));
    try {
      small.index.catchUp(one, one.primary());
      small.index.catchUp(two, two.primary());
      assertThat(crowded.get()).isOne();
      for (int i = 0; i < 60; i++) {
        assertThat(PipelineCases.rankOf(small, one, "u" + i)).isEqualTo(60 - i);
        assertThat(PipelineCases.rankOf(small, two, "u" + i)).isEqualTo(60 - i);
      }
      // What was asked for before is loaded before, if it is.
      assertThat(PipelineCases.rankOf(small, last, "u1")).isEqualTo(1);
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      while (!small.index.isLoaded(last.primary()) && System.nanoTime() < deadline) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(small.index.loads()).isEqualTo(3);
      assertThat(small.index.isLoaded(two.primary())).isTrue();
    } finally {
      small.close();
    }
  }

  @Test
  default void index_seasonLargerThanAllMemory_isReadFromTheStore() {
    Board board = harness().board("large", Update.LATEST);
    for (int i = 0; i < 60; i++) {
      harness().submit(board, score("u" + i, i));
    }
    Harness small = new Harness(store(), clock(), 1000, 100 * 24);
    try {
      assertThat(PipelineCases.rankOf(small, board, "u59")).isEqualTo(1);
      assertThatThrownBy(() -> small.index.catchUp(board, board.primary()))
          .isInstanceOf(RejectedException.class)
          .hasMessageContaining("60 entries");
      small.submit(board, score("u60", 60));
      assertThat(PipelineCases.rankOf(small, board, "u59")).isEqualTo(2);
      assertThat(small.index.isLoaded(board.primary())).isFalse();
      assertThat(small.failures).isEmpty();
    } finally {
      small.close();
    }
  }

  /** What is written to it makes a season too large for its memory, while it is loaded. */
  @Test
  default void index_seasonOutgrowsItsMemory_isReadFromTheStore() {
    Board board = harness().board("growing", Update.LATEST);
    Harness small = new Harness(store(), clock(), 1000, 100 * 24);
    try {
      small.index.catchUp(board, board.primary());
      for (int i = 0; i < 120; i++) {
        small.submit(board, score("u" + i, i));
      }
      assertThat(PipelineCases.rankOf(small, board, "u0")).isEqualTo(120);
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      while (small.index.isLoaded(board.primary()) && System.nanoTime() < deadline) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(small.index.size(board.primary())).isZero();
      assertThat(small.failures).isEmpty();
    } finally {
      small.close();
    }
  }

  @Test
  default void index_besideAnotherWriter_noticesAndCatchesUpFromTheLedger() {
    Board board = harness().board("shared", Update.LATEST);
    harness().submit(board, score("a", 1));
    Harness other = node(1000);
    try {
      other.index.catchUp(board, board.primary());
      harness().submit(board, score("b", 2));
      // A commit that does not begin where this index stands: it must not answer from the old
      // state.
      other.submit(board, score("c", 3));
      assertThat(PipelineCases.rankOf(other, board, "b")).isEqualTo(2);
      other.index.catchUp(board, board.primary());
      assertThat(other.index.size(board.primary())).isEqualTo(3);
      assertThat(other.index.loads())
          .as("built at most once, then moved on by the ledger")
          .isLessThanOrEqualTo(1);
    } finally {
      other.close();
    }
  }

  @Test
  default void index_coldSeasonReadByMany_isLoadedOnceAndAllAnswersAreRight() throws Exception {
    Board board = harness().board("cold", Update.LATEST);
    for (int i = 0; i < 100; i++) {
      harness().submit(board, score("u" + i, i));
    }
    restart();
    Board again = current(board);
    List<CompletableFuture<Long>> ranks = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String user = "u" + i;
      ranks.add(
          CompletableFuture.supplyAsync(
              () -> PipelineCases.rankOf(harness(), again, user),
              task -> Thread.ofVirtual().start(task)));
    }
    for (int i = 0; i < 64; i++) {
      assertThat(ranks.get(i).get(2, TimeUnit.MINUTES)).isEqualTo(100 - i);
    }
    harness().index.catchUp(again, again.primary());
    assertThat(harness().index.loads()).isLessThanOrEqualTo(1);
  }

  @Test
  default void index_newSeason_isInMemoryFromItsFirstLineOn() {
    Board board = harness().board("new", Update.LATEST);
    harness().submit(board, score("a", 1));
    assertThat(
            harness().rankings.answer(board, board.primary(), List.of(), v -> v.ranking().size()))
        .isEqualTo(new Rankings.Answer<>(1L, Rankings.Source.INDEX));
    assertThat(harness().index.loads()).isZero();
    assertEqualsOracle(board);
  }
}
