package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.lifecycle.LedgerAge;
import dev.laurel.core.lifecycle.LedgerPruner;
import dev.laurel.core.lifecycle.OneByOne;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Update;
import dev.laurel.core.repair.LedgerCheck;
import dev.laurel.core.store.Correction;
import dev.laurel.core.store.LedgerMark;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lines go from the front, as long as nobody needs them, and the chain begins after them. */
interface PruneCases extends StoreCases {
  private Season add(Board board, int window, long start, long end, SeasonStatus status) {
    return store()
        .write(
            tx -> {
              tx.lockShard(board.shard());
              return tx.createSeason(
                  new Season(0, board.id(), window, "s" + start, start, end, 0, 0, status, true));
            });
  }

  private static LedgerLine line(Board board, long number, long windows, long at) {
    return new LedgerLine(
        board.shard(),
        number,
        board.id(),
        1,
        LedgerLine.Kind.SCORE,
        Update.SUM,
        number,
        at,
        windows,
        1,
        number - 1,
        42,
        0,
        number % 3 == 0 ? "e-" + number : null,
        number % 5 == 0 ? "{\"n\":" + number + "}" : null,
        null,
        null);
  }

  private LedgerPruner pruner() {
    return pruner(store());
  }

  private static LedgerPruner pruner(Store store) {
    return pruner(store, LedgerAge.NEVER);
  }

  private static LedgerPruner pruner(Store store, LedgerAge age) {
    return new LedgerPruner(
        store,
        new BoardDirectory(new RememberedStore(store)),
        age,
        new OneByOne<>("shard", () -> 0, failure -> {}));
  }

  private void append(Board board, List<LedgerLine> lines) {
    write(
        tx -> {
          tx.lockShard(board.shard());
          tx.append(board.shard(), lines);
        });
  }

  /** The chain begins where the last line went, and is whole. */
  private void assertChained(Board board, long from) {
    LedgerCheck.Result result =
        new LedgerCheck(store(), Samples.KEY).check(board.shard(), (done, total) -> {});
    assertThat(result.broken()).isEmpty();
    assertThat(result.from()).isEqualTo(from);
  }

  /** Against a plain look at every line; more of them than fit into one step. */
  @Test
  default void prune_randomSeasons_removesThePrefixThatNobodyNeeds(Random random) {
    Board board = Samples.create(store(), Samples.board("b"));
    List<Season> seasons = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      seasons.add(add(board, 1, 100L * i, 100L * (i + 1), status(random, i)));
      seasons.add(add(board, 2, 250L * i, 250L * (i + 1), status(random, i)));
    }
    List<LedgerLine> lines = new ArrayList<>();
    for (int n = 1; n <= 2_500; n++) {
      lines.add(line(board, n, 2L * (1 + random.nextInt(3)), n * 2 / 5 + random.nextInt(5)));
    }
    append(board, lines);

    pruner().turn(() -> false);

    int gone = 0;
    while (gone < lines.size() && nobodyNeeds(lines.get(gone), seasons)) {
      gone++;
    }
    assertThat(lines(board.shard(), 0, Long.MAX_VALUE, 10_000))
        .isEqualTo(lines.subList(gone, lines.size()));
    assertThat(store().<Long>read(tx -> tx.firstLine(board.shard()))).isEqualTo(gone + 1);
    assertChained(board, gone);
  }

  private static SeasonStatus status(Random random, int i) {
    return random.nextInt(12) >= i ? SeasonStatus.PURGED : SeasonStatus.ARCHIVED;
  }

  private static boolean nobodyNeeds(LedgerLine line, List<Season> seasons) {
    return seasons.stream()
        .filter(s -> (line.windows() >> s.window() & 1) == 1 && s.covers(line.at()))
        .allMatch(s -> s.status() == SeasonStatus.PURGED);
  }

  @Test
  default void prune_everything_thenTheShardGoesOn() {
    Board board = Samples.create(store(), Samples.board("b"));
    add(board, 1, 0, 100, SeasonStatus.PURGED);
    List<LedgerLine> first = List.of(line(board, 1, 2, 5), line(board, 2, 2, 99));
    append(board, first);
    LedgerPruner pruner = pruner();
    pruner.turn(() -> false);
    assertThat(lines(board.shard(), 0, 10, 10)).isEmpty();
    reopen();
    assertThat(lastLine(board.shard())).isEqualTo(2);
    assertThat(store().<Long>read(tx -> tx.firstLine(board.shard()))).isEqualTo(3);

    List<LedgerLine> more = List.of(line(board, 3, 2, 7), line(board, 4, 3, 7));
    append(board, more);
    pruner().turn(() -> false);

    // The season without end keeps the last one.
    assertThat(lines(board.shard(), 0, 10, 10)).isEqualTo(more.subList(1, 2));
    assertChained(board, 3);
  }

  /** More lines than are looked through under a lock, and a revert long after its target. */
  @Test
  default void prune_oldLinesOfASeasonThatIsHere_keepsWhatTheyMade() {
    Board board = Samples.create(store(), Samples.board("b"));
    long season = board.primary().id();
    List<LedgerLine> lines = new ArrayList<>();
    for (int n = 1; n <= 5_000; n++) {
      LedgerLine line = line(board, n, 1, n);
      lines.add(n == 3_000 ? revert(line, 7) : line);
    }
    append(board, lines);
    LedgerPruner pruner = pruner(store(), new LedgerAge(0));
    pruner.turn(() -> false);
    assertThat(store().<Long>read(tx -> tx.firstLine(board.shard()))).as("only marked").isOne();
    reopen();
    pruner = pruner(store(), new LedgerAge(0));
    pruner.turn(() -> false);
    assertThat(lines(board.shard(), 0, Long.MAX_VALUE, 10)).isEmpty();
    assertChained(board, 5_000);

    long sum = 5_000L * 5_001 / 2 - 3_000 - 7;
    List<@Nullable Entry> bases = store().read(tx -> tx.bases(season, new int[] {2, 1}));
    assertThat(bases.getFirst()).isNull();
    assertThat(bases.getLast()).isEqualTo(new Entry(sum, 5_000, 5_000, 5_000, 5_000, false, null));
    List<Correction> noted =
        store().read(tx -> tx.notedCorrections(board.shard(), 0, Long.MAX_VALUE));
    assertThat(noted).isEmpty();
    List<LedgerMark> marks = store().read(tx -> tx.marks(board.shard()));
    assertThat(marks).extracting(LedgerMark::line).containsExactly(5_000L);

    append(board, List.of(line(board, 5_001, 1, 5_001)));
    pruner.turn(() -> false);
    pruner.turn(() -> false);
    bases = store().read(tx -> tx.bases(season, new int[] {1}));
    assertThat(bases).extracting(Entry::score).containsExactly(sum + 5_001);
    while (!store().<Boolean>write(tx -> tx.removeRows(season, 100).done())) {}
    bases = store().read(tx -> tx.bases(season, new int[] {1}));
    assertThat(bases).containsOnlyNulls();
  }

  private static LedgerLine revert(LedgerLine of, long target) {
    return new LedgerLine(
        of.shard(),
        of.line(),
        of.board(),
        of.user(),
        LedgerLine.Kind.REVERT,
        of.mode(),
        target,
        of.at(),
        of.windows(),
        of.version(),
        of.previous(),
        of.stamp(),
        of.caller(),
        null,
        null,
        null,
        null);
  }

  @Test
  default void prune_toldToStop_removesNothing() {
    Board board = Samples.create(store(), Samples.board("b"));
    add(board, 1, 0, 100, SeasonStatus.PURGED);
    append(board, List.of(line(board, 1, 2, 5)));
    pruner().turn(() -> true);
    assertChained(board, 0);
  }

  @Test
  default void prune_aShardThatFails_doesNotHoldUpTheOthers() {
    if (store().shards() == 1) {
      return; // there are no others
    }
    Board first = Samples.create(store(), Samples.board("b"));
    Board second = first;
    for (int i = 0; second.shard() == first.shard(); i++) {
      second = Samples.create(store(), Samples.board("c" + i));
    }
    for (Board board : List.of(first, second)) {
      add(board, 1, 0, 100, SeasonStatus.PURGED);
      append(board, List.of(line(board, 1, 2, 5)));
    }
    FaultyStore faulty = new FaultyStore(store());
    faulty.failNextWrite(FaultyStore.Fault.LOST_COMMIT);
    pruner(faulty).turn(() -> false);
    int lines = 0;
    for (Board board : List.of(first, second)) {
      lines += lines(board.shard(), 0, 10, 10).size();
    }
    assertThat(lines).as("one is left, of the shard that failed").isEqualTo(1);
  }
}
