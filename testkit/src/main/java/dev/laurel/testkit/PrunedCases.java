package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.lifecycle.LedgerAge;
import dev.laurel.core.lifecycle.LedgerPruner;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Refold;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.review.Selection;
import dev.laurel.core.store.GuardRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Old lines go, also of seasons that never end, and nobody's score is another one by that. */
interface PrunedCases extends PipelineCases {
  private LedgerPruner pruner(Duration keep) {
    return new LedgerPruner(
        harness().remembered,
        harness().directory,
        new LedgerAge(keep.toMillis()),
        harness().oneByOne("shard"));
  }

  private static WindowDefinition days() {
    return new WindowDefinition(
        "days", new Schedule.Daily(), "UTC", null, Duration.ofHours(6), null, List.of());
  }

  private long first(Board board) {
    return store().read(tx -> tx.firstLine(board.shard()));
  }

  private Reply correct(Board board, Command.Correction what, LedgerLine line) {
    String user = harness().users.of(board.tenant()).id(line.user());
    return harness().submit(board, new Command.Correct(user, what, List.of(line.line()), null));
  }

  /** Whoever remembers all lines comes to the same, whatever was pruned, reverted or released. */
  @ParameterizedTest
  @EnumSource(Update.class)
  default void prune_randomHistory_everyEntryIsTheFoldOfAllLinesThereWere(
      Update update, Random random) {
    clock().set(Instant.parse("2026-03-01T00:00:00Z"));
    Board made = harness().board("pruned-" + update, update, WindowDefinition.ALL_TIME, days());
    int shard = made.shard();
    GuardRule jumps = new GuardRule(GuardRule.Kind.JUMP, 35, GuardRule.Action.QUARANTINE);
    store()
        .write(
            tx -> {
              tx.putGuard(made.id(), List.of(jumps));
              return true;
            });
    TreeMap<Long, LedgerLine> all = new TreeMap<>();
    LedgerPruner pruner = pruner(Duration.ofHours(20));
    int refused = 0;
    for (int round = 0; round < 300; round++) {
      clock().turn(Duration.ofMinutes(random.nextInt(60)));
      harness().seasons.turn();
      Board board = harness().boards.require(made.tenant(), made.uuid());
      String user = "u" + random.nextInt(4);
      long at = clock().millis() - random.nextInt((int) Duration.ofHours(5).toMillis());
      switch (random.nextInt(16)) {
        case 0 -> {
          if (random.nextInt(3) == 0) {
            harness().submit(board, new Command.Delete(user));
          }
        }
        case 1, 2, 3, 5, 6 -> refused += correctOne(board, all, random);
        case 4 -> pruner.turn(() -> false);
        default -> harness().submit(board, score(user, random.nextInt(50), at, null));
      }
      store()
          .read(tx -> tx.lines(shard, all.isEmpty() ? 0 : all.lastKey(), Long.MAX_VALUE, 1_000))
          .forEach(line -> all.put(line.line(), line));
      assertFolded(board, all);
    }
    Board board = harness().boards.require(made.tenant(), made.uuid());
    assertThat(first(board)).as("much was pruned").isGreaterThan(50);
    assertThat(refused).as("lines that were asked for too late").isPositive();
    assertThat(harness().failures).isEmpty();
  }

  /** Reverts or releases a line that there is or was; 1 if it was pruned. */
  private int correctOne(Board board, SortedMap<Long, LedgerLine> all, Random random) {
    List<LedgerLine> lines =
        all.values().stream()
            .filter(line -> line.board() == board.id() && line.kind().isSubmission())
            .toList();
    if (lines.isEmpty()) {
      return 0;
    }
    // Mostly one of the last, which are not pruned yet.
    int from = random.nextInt(4) == 0 ? 0 : Math.max(0, lines.size() - 25);
    LedgerLine line = lines.get(random.nextInt(from, lines.size()));
    Reply reply =
        correct(
            board,
            line.kind() == LedgerLine.Kind.HOLD && random.nextBoolean()
                ? Command.Correction.RELEASE
                : Command.Correction.REVERT,
            line);
    boolean pruned = line.line() < first(board);
    if (pruned) {
      assertThat(PipelineCases.rejection(reply)).isEqualTo(ErrorCode.LEDGER_PRUNED);
    } else {
      PipelineCases.accepted(reply);
    }
    return pruned ? 1 : 0;
  }

  private void assertFolded(Board board, SortedMap<Long, LedgerLine> all) {
    for (int window = 0; window < 2; window++) {
      int number = window;
      // What ended longer ago cannot be corrected: none of its lines are left.
      for (Season season :
          store().read(tx -> tx.seasonsBefore(board.id(), number, Long.MAX_VALUE, 4))) {
        for (int user = 1; user <= 4; user++) {
          int who = user;
          List<LedgerLine> lines =
              all.values().stream()
                  .filter(line -> line.board() == board.id() && line.user() == who)
                  .toList();
          Entry expected =
              new Refold(lines)
                  .entries(board, List.of(new Refold.Start(season, null)), PrunedCases::reached)
                  .getFirst();
          List<@Nullable Entry> stored =
              store().read(tx -> tx.entries(season.id(), new int[] {who}));
          assertThat(shown(stored.getFirst()))
              .as("user %d in %s", who, season.label())
              .isEqualTo(shown(expected));
        }
      }
    }
  }

  private static boolean reached(Season season, LedgerLine line) {
    return line.kind() == LedgerLine.Kind.DELETE
        ? line.at() < season.closes()
        : season.covers(line.at());
  }

  private static String shown(@Nullable Entry entry) {
    return entry == null || entry.deleted()
        ? "none"
        : "%d at %d, %d".formatted(entry.score(), entry.reached(), entry.seen());
  }

  /** It stands before the others of its shard, and used to hold them up for ever. */
  @Test
  default void prune_boardOfAllTime_keepsOnlyWhatIsNotOld() {
    Board board = harness().board("all-time", Update.SUM);
    LedgerPruner pruner = pruner(Duration.ofDays(30));
    LedgerLine old = submit(board, "ann", 10);
    submit(board, "ann", 20);
    pruner.turn(() -> false);
    clock().turn(Duration.ofDays(29));
    LedgerLine late = submit(board, "ann", 100);
    pruner.turn(() -> false);
    assertThat(first(board)).as("nothing is old").isEqualTo(1);

    clock().turn(Duration.ofDays(2));
    pruner.turn(() -> false);
    assertThat(first(board)).isEqualTo(3);
    assertThat(scoreOf(board, "ann")).isEqualTo(130);
    assertThat(PipelineCases.rejection(correct(board, Command.Correction.REVERT, old)))
        .isEqualTo(ErrorCode.LEDGER_PRUNED);

    Outcome.Accepted reverted =
        PipelineCases.accepted(correct(board, Command.Correction.REVERT, late));
    assertThat(reverted.score()).isEqualTo(30);
    assertThat(scoreOf(board, "ann")).isEqualTo(30);
    restart();
    assertThat(scoreOf(current(board), "ann")).isEqualTo(30);
  }

  /** A revert that stands in a later line than what it is about, which goes first. */
  @Test
  default void prune_lineThatWasReverted_doesNotCount() {
    Board board = harness().board("reverted", Update.BEST);
    LedgerPruner pruner = pruner(Duration.ofDays(30));
    LedgerLine cheat = submit(board, "ann", 900);
    submit(board, "ann", 10);
    pruner.turn(() -> false);
    clock().turn(Duration.ofDays(20));
    correct(board, Command.Correction.REVERT, cheat);
    LedgerLine late = submit(board, "ann", 50);
    clock().turn(Duration.ofDays(11));
    pruner.turn(() -> false);
    assertThat(first(board)).isEqualTo(3);
    assertThat(PipelineCases.accepted(correct(board, Command.Correction.REVERT, late)).score())
        .isEqualTo(10);
  }

  @Test
  default void prune_lineWithMetadata_isToldAsLongAsItsScoreIsTheUsers() {
    Board board = harness().board("described", Update.BEST);
    LedgerPruner pruner = pruner(Duration.ofDays(30));
    String said = "{\"level\":7}";
    harness().submit(board, new Command.Score("ann", "900", null, null, null, said));
    pruner.turn(() -> false);
    clock().turn(Duration.ofDays(31));
    LedgerLine worse = submit(board, "ann", 10);
    pruner.turn(() -> false);
    assertThat(first(board)).isEqualTo(2);
    correct(board, Command.Correction.REVERT, worse);
    List<@Nullable Entry> stored =
        store().read(tx -> tx.entries(board.primary().id(), new int[] {1}));
    assertThat(stored).extracting(Entry::score).containsExactly(900L);
    assertThat(stored).extracting(Entry::metadata).containsExactly(said);
  }

  private LedgerLine submit(Board board, String user, long value) {
    long line = PipelineCases.accepted(harness().submit(board, score(user, value))).line();
    return new Selection.Line(line).find(store(), board).getFirst();
  }
}
