package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.repair.CheckJob;
import dev.laurel.core.repair.Checked;
import dev.laurel.core.repair.Difference;
import dev.laurel.core.repair.Progress;
import dev.laurel.core.repair.RepairQueue;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Whether the index is what the store says: found out, and mended. */
interface CheckCases extends PipelineCases {
  Progress UNWATCHED = (done, total) -> {};

  private Board filled(int users) {
    Board board =
        harness()
            .board(
                "checked",
                Order.HIGHEST_FIRST,
                Ties.SHARED,
                Update.LATEST,
                new Bounds(0, Long.MAX_VALUE));
    fill(board, users);
    return board;
  }

  /** Users {@code u0}, {@code u1} ... two of whom share each score. */
  private void fill(Board board, int users) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < users; i++) {
      commands.add(score("u" + i, i / 2));
    }
    harness().submit(board, commands.toArray(Command[]::new));
  }

  private Checked verify(Board board) {
    return harness().checks.verify(board, board.primary(), UNWATCHED);
  }

  private Checked.Drift drift(Checked checked) {
    assertThat(checked).isInstanceOf(Checked.Drift.class);
    return (Checked.Drift) checked;
  }

  private static Difference first(Checked.Drift drift) {
    Difference first = drift.first();
    if (first == null) {
      throw new AssertionError("no difference is named: " + drift);
    }
    return first;
  }

  /** As nobody does it: an entry without a line, so that no follower can know. */
  private void tamper(Board board, String user, UnaryOperator<Entry> change) {
    int number = harness().users.of(board.tenant()).find(user);
    long season = board.primary().id();
    store()
        .write(
            tx -> {
              tx.lockShard(board.shard());
              Entry entry = tx.entries(season, new int[] {number}).getFirst();
              Entry known = entry == null ? new Entry(0, 0, 0, 1, 1, true, null) : entry;
              tx.putEntries(List.of(new EntryWrite(season, number, change.apply(known))));
              return true;
            });
  }

  private static Entry with(Entry e, long score, boolean deleted) {
    return new Entry(score, e.reached(), e.seen(), e.line(), e.last(), deleted, e.metadata());
  }

  private CheckJob job() {
    return job(harness());
  }

  private CheckJob job(Harness node) {
    return new CheckJob(
        store(),
        node.directory,
        node.index,
        node.checks,
        node.repairs,
        clock(),
        new CheckJob.Times(Duration.ofMinutes(10).toMillis(), 3),
        node.oneByOne("board"));
  }

  /** The queue is worked off, and the index says what the store says. */
  private void assertRepaired(Board board) {
    assertThat(harness().repairs.list())
        .extracting(RepairQueue.Item::kind)
        .containsExactly(RepairQueue.Kind.REBUILD);
    job().turn(() -> false);
    assertThat(harness().repairs.list()).isEmpty();
    assertThat(verify(board)).isInstanceOf(Checked.Equal.class);
    assertThat(
            harness()
                .rankings
                .answer(board, board.primary(), List.of(), view -> view.ranking().size())
                .source())
        .isEqualTo(Rankings.Source.INDEX);
  }

  @Test
  default void check_untouched_isEqualWithCountAndChecksum() {
    Board board = filled(1_700);
    List<Long> seen = new ArrayList<>();
    Checked first =
        harness().checks.verify(board, board.primary(), (done, total) -> seen.add(done));
    assertThat(first).isInstanceOf(Checked.Equal.class);
    assertThat(((Checked.Equal) first).side().count()).isEqualTo(1_700);
    assertThat(seen).isSorted().endsWith(1_700L).hasSizeGreaterThan(1);
    assertThat(verify(board)).as("the same state, the same sum").isEqualTo(first);
    harness().submit(board, new Command.Delete("u3"));
    Checked.Equal next = (Checked.Equal) verify(board);
    assertThat(next.side().count()).isEqualTo(1_699);
    assertThat(next.side().checksum()).isNotEqualTo(((Checked.Equal) first).side().checksum());
    assertThat(harness().checks.compared()).isEqualTo(2 * 1_700 + 1_699);
    assertThat(harness().drifts).isEmpty();
  }

  @Test
  default void check_ofNobody_isEqual() {
    Board board = filled(0);
    harness().index.catchUp(board, board.primary());
    assertThat(verify(board)).isEqualTo(new Checked.Equal(new Checked.Side(0, 0)));
  }

  @Test
  default void check_scoreChangedInTheStore_isNamedAndRepaired() {
    Board board = filled(1_200);
    verify(board);
    tamper(board, "u77", entry -> with(entry, 5_000, false));
    Checked.Drift drift = drift(verify(board));
    Difference first = first(drift);
    assertThat(first.kind()).isEqualTo(Difference.Kind.CHANGED);
    assertThat(first.userId()).isEqualTo("u77");
    assertThat(first.store()).extracting(Difference.Value::score).isEqualTo(5_000L);
    assertThat(first.index()).extracting(Difference.Value::score).isEqualTo(38L);
    assertThat(drift.store().count()).isEqualTo(drift.index().count()).isEqualTo(1_200);
    assertThat(drift.store().checksum()).isNotEqualTo(drift.index().checksum());
    assertThat(harness().drifts).hasSize(1);
    assertRepaired(board);
    assertThat(PipelineCases.rankOf(harness(), board, "u77")).isEqualTo(1);
  }

  @Test
  default void check_entryThatTheIndexLacks_isNamedAndRepaired() {
    Board board = filled(1_200);
    harness().submit(board, new Command.Delete("u1100"));
    verify(board);
    tamper(board, "u1100", entry -> with(entry, 7, false));
    Checked.Drift drift = drift(verify(board));
    assertThat(first(drift).kind()).isEqualTo(Difference.Kind.MISSING);
    assertThat(first(drift).userId()).isEqualTo("u1100");
    assertThat(drift.store().count()).isEqualTo(1_200);
    assertThat(drift.index().count()).isEqualTo(1_199);
    assertRepaired(board);
  }

  @Test
  default void check_entryThatTheStoreLacks_isNamedAndRepaired() {
    Board board = filled(1_200);
    verify(board);
    tamper(board, "u600", entry -> with(entry, 0, true));
    Checked.Drift drift = drift(verify(board));
    assertThat(first(drift).kind()).isEqualTo(Difference.Kind.SURPLUS);
    assertThat(first(drift).userId()).isEqualTo("u600");
    assertRepaired(board);
  }

  @Test
  default void check_ofASeasonThatIsNotLoaded_saysSo() {
    Board board = filled(10);
    Harness other = node(1000);
    try {
      other.boards.follow();
      assertThat(other.checks.check(board, board.primary(), UNWATCHED))
          .isEqualTo(new Checked.NotLoaded());
      assertThat(other.checks.verify(board, board.primary(), UNWATCHED))
          .isInstanceOf(Checked.Equal.class);
    } finally {
      other.close();
    }
  }

  @Test
  default void check_ofACappedSeason_comparesWhatTheIndexHolds() {
    Board board = harness().board("capped", Update.LATEST, CapacityCases.places(10));
    fill(board, 2_000);
    assertThat(verify(board)).isInstanceOf(Checked.Equal.class);
    tamper(board, "u1999", entry -> with(entry, 998, false));
    assertThat(first(drift(verify(board))).userId()).isEqualTo("u1999");
    assertRepaired(board);
    // Far from any place, until the store has it among the first.
    tamper(board, "u5", entry -> with(entry, 100_000, false));
    assertThat(first(drift(verify(board))).userId()).isEqualTo("u5");
    assertRepaired(board);
    assertThat(PipelineCases.rankOf(harness(), board, "u5")).isEqualTo(1);
  }

  @Test
  default void check_whileOthersWrite_neverReportsADifference(Random random) throws Exception {
    Board board = filled(1_500);
    verify(board);
    AtomicBoolean stop = new AtomicBoolean();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Random own = new Random(random.nextLong());
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                while (!stop.get()) {
                  Command[] some = new Command[1 + own.nextInt(20)];
                  for (int c = 0; c < some.length; c++) {
                    String user = "u" + own.nextInt(1_600);
                    some[c] =
                        own.nextInt(8) == 0
                            ? new Command.Delete(user)
                            : score(user, own.nextInt(800));
                  }
                  harness().submit(board, some);
                }
              },
              task -> Thread.ofVirtual().start(task)));
    }
    try {
      for (int round = 0; round < 12; round++) {
        Checked checked =
            round % 4 == 3
                ? harness().checks.rebuild(board, board.primary(), UNWATCHED)
                : verify(board);
        assertThat(checked).isInstanceOf(Checked.Equal.class);
      }
      assertThat(harness().drifts).isEmpty();
    } finally {
      stop.set(true);
      for (CompletableFuture<Void> writer : writers) {
        writer.get(2, TimeUnit.MINUTES);
      }
    }
    assertThat(verify(board)).isInstanceOf(Checked.Equal.class);
    assertEqualsOracle(board);
  }

  @Test
  default void job_everyTenMinutes_looksAtWhatWasWritten() {
    Board board = filled(100);
    verify(board);
    CheckJob job = job();
    tamper(board, "u1", entry -> with(entry, 5_000, false));
    harness().submit(board, score("u2", 3));
    clock().turn(Duration.ofMinutes(10));
    job.turn(() -> false);
    assertThat(harness().drifts).as("nobody wrote to u1").isEmpty();
    tamper(board, "u2", entry -> with(entry, 5_000, false));
    job.turn(() -> false);
    assertThat(harness().drifts).as("it is not time yet").isEmpty();
    clock().turn(Duration.ofMinutes(10));
    job.turn(() -> false);
    assertThat(harness().drifts).hasSize(1);
    assertThat(harness().repairs.list()).as("found and repaired in one turn").isEmpty();
    assertThat(verify(board)).as("u1 too").isInstanceOf(Checked.Equal.class);
  }

  @Test
  default void job_atNight_looksAtEverything() {
    Board board = filled(100);
    verify(board);
    CheckJob job = job();
    tamper(board, "u1", entry -> with(entry, 5_000, false));
    clock().turn(Duration.ofHours(14));
    job.turn(() -> false);
    assertThat(harness().drifts).as("two in the night").isEmpty();
    clock().turn(Duration.ofHours(1));
    job.turn(() -> false);
    assertThat(harness().drifts).hasSize(1);
    assertThat(harness().repairs.list()).isEmpty();
    assertThat(verify(board)).isInstanceOf(Checked.Equal.class);
  }

  @Test
  default void queue_catchUpThatFailed_isThereUntilOneSucceeds() {
    Board board = filled(10);
    harness().repairs.failed(board, board.primary(), new IllegalStateException("told to fail"));
    RepairQueue.Item item = harness().repairs.list().getFirst();
    assertThat(item.problem()).isEqualTo("told to fail");
    assertThat(item.since()).isEqualTo(clock().millis());
    assertThat(harness().failures).hasSize(1);
    harness().failures.clear();
    job().turn(() -> false);
    assertThat(harness().repairs.list()).isEmpty();
  }

  /** An index that cannot even say whether it holds a season of the board. */
  private static RankIndex brokenFor(RankIndex index, long board) {
    return (RankIndex)
        Proxy.newProxyInstance(
            RankIndex.class.getClassLoader(),
            new Class<?>[] {RankIndex.class},
            (_, method, arguments) -> {
              if (method.getName().equals("isLoaded") && ((Season) arguments[0]).board() == board) {
                throw new IllegalStateException("told to fail");
              }
              try {
                return method.invoke(index, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  default void job_aBoardThatFails_holdsUpItselfAlone() {
    Board broken = harness().board("broken", Update.LATEST);
    fill(broken, 10);
    Board board = filled(100);
    Harness node =
        new Harness(
            store(),
            clock(),
            1 << 16,
            (store, users, bytes, observer) ->
                brokenFor(new LocalRankIndex(store, users, bytes, observer), broken.id()));
    try {
      node.checks.verify(board, board.primary(), UNWATCHED);
      CheckJob job = job(node);
      tamper(board, "u1", entry -> with(entry, 5_000, false));
      clock().turn(Duration.ofHours(15));
      job.turn(() -> false);
      assertThat(node.drifts).as("the nightly check").hasSize(1);
      harness().submit(broken, score("u1", 4));
      harness().submit(board, score("u2", 3));
      node.index.catchUp(board, board.primary());
      tamper(board, "u2", entry -> with(entry, 6_000, false));
      clock().turn(Duration.ofMinutes(10));
      job.turn(() -> false);
      assertThat(node.drifts).as("the check of what was written").hasSize(2);
      assertThat(node.failures)
          .isNotEmpty()
          .allSatisfy(e -> assertThat(e).hasMessageContaining("board " + broken.id()));
    } finally {
      node.close();
    }
  }
}
