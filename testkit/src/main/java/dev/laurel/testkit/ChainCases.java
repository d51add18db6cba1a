package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Update;
import dev.laurel.core.repair.LedgerCheck;
import dev.laurel.core.store.LedgerCheckpoint;
import dev.laurel.core.store.LedgerHead;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.StoreException;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever somebody does to the lines behind the server's back is found, and named. */
interface ChainCases extends StoreCases {
  LedgerKey OTHER = LedgerKey.of("another key that only tests may use");

  private static LedgerLine line(Board board, long number) {
    return line(board.shard(), board.id(), number);
  }

  private static LedgerLine line(int shard, long board, long number) {
    return new LedgerLine(
        shard,
        number,
        board,
        (int) (number % 7) + 1,
        number % 11 == 0 ? LedgerLine.Kind.DELETE : LedgerLine.Kind.SCORE,
        Update.SUM,
        number * 3,
        1_000 + number,
        1,
        1,
        0,
        42,
        5,
        number % 3 == 0 ? "e-" + number : null,
        number % 5 == 0 ? "{\"n\":\"\u00fc\"}" : null,
        number % 4 == 0 ? "c-" + number : null,
        null);
  }

  private static List<LedgerLine> lines(Board board, long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(n -> line(board, n)).toList();
  }

  private void append(Board board, long from, long to) {
    List<LedgerLine> lines = lines(board, from, to);
    write(
        tx -> {
          tx.lockShard(board.shard());
          tx.append(board.shard(), lines);
        });
  }

  private Board chained(int lines) {
    Board board = Samples.create(store(), Samples.board("b"));
    append(board, 1, lines);
    return board;
  }

  private LedgerCheck.Result check(Board board) {
    return check(board, Samples.KEY);
  }

  private LedgerCheck.Result check(Board board, LedgerKey key) {
    return new LedgerCheck(store(), key).check(board.shard(), (done, total) -> {});
  }

  @Test
  default void check_untouched_isIntact() {
    Board board = chained(20);
    append(board, 21, 30);
    reopen();
    append(board, 31, 31);
    assertThat(check(board).broken()).isEmpty();
    assertThat(check(board).to()).isEqualTo(31);
    assertThat(lines(board.shard(), 0, 31, 100)).isEqualTo(lines(board, 1, 31));
  }

  /** Every store makes the same bytes of a line, today and in years. */
  @Test
  default void head_knownLines_hasTheKnownDigest() {
    write(
        tx -> {
          tx.lockShard(0);
          tx.append(0, LongStream.rangeClosed(1, 60).mapToObj(n -> line(0, 1, n)).toList());
        });
    assertThat(store().<@Nullable LedgerHead>read(tx -> tx.head(0)))
        .extracting(LedgerHead::digest)
        .isEqualTo("9b111d5cf1b4a8d4cbfc7fdc87280b4d2e67d20bf790d1419e03a3bba438b8fe");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE ledger SET value = value + 1 WHERE line = 7                    | a line was changed",
        "UPDATE ledger SET event_id = 'other' WHERE line = 9                   | a line was changed",
        "UPDATE ledger SET metadata = NULL WHERE line = 10                     | a line was changed",
        "UPDATE ledger SET client = 'other' WHERE line = 8                     | a line was changed",
        "UPDATE ledger SET user_number = 1 WHERE line = 8                      | a line was changed",
        "DELETE FROM ledger WHERE line = 7                                     | line 7 is missing",
        "DELETE FROM ledger WHERE line > 15                                    | line 16 is missing",
        "UPDATE shards SET line = 19                                           | the head has no valid code",
        "UPDATE shards SET head = NULL, mac = NULL                             | the head has no valid code",
        "UPDATE ledger_checkpoints SET line = 5                                | the first checkpoint is not genuine",
        "DELETE FROM ledger_checkpoints                                        | the first checkpoint is not genuine"
      })
  default void check_changedBehindItsBack_isFoundAndStaysFound(String sql, String why) {
    Board board = chained(20);
    behindItsBack(sql);
    LedgerCheck.Result found = check(board);
    assertThat(found.isIntact()).isFalse();
    assertThat(found.broken().getFirst().why()).isEqualTo(why);
    assertThat(found.broken().getFirst().after()).isZero();

    // The next commit of the server does not make it good.
    long next = lastLine(board.shard()) + 1;
    if (next == 21) {
      append(board, next, next);
      assertThat(check(board).isIntact()).isFalse();
    }
  }

  @Test
  default void check_twoLinesSwapped_isFound() {
    Board board = chained(20);
    behindItsBack("UPDATE ledger SET line = 99 WHERE line = 7");
    behindItsBack("UPDATE ledger SET line = 7 WHERE line = 8");
    behindItsBack("UPDATE ledger SET line = 8 WHERE line = 99");
    assertThat(check(board).broken())
        .containsExactly(new LedgerCheck.Stretch(0, 20, "a line was changed"));
  }

  @Test
  default void check_lineAddedAfterTheLast_isFound() {
    Board board = chained(20);
    behindItsBack("UPDATE ledger SET line = 21 WHERE line = 20");
    assertThat(check(board).broken()).hasSize(2);
  }

  /** The stretch is named, and those around it are said to be whole by not being named. */
  @Test
  default void check_oneLineOfMany_namesTheStretch() {
    Board board = Samples.create(store(), Samples.board("b"));
    for (long n = 0; n < 8; n++) {
      append(board, n * 4_000 + 1, (n + 1) * 4_000);
    }
    List<LedgerCheckpoint> checkpoints = store().read(tx -> tx.checkpoints(board.shard()));
    assertThat(checkpoints.stream().map(LedgerCheckpoint::line))
        .containsExactly(0L, 12_000L, 20_000L, 32_000L);
    assertThat(check(board).broken()).isEmpty();
    behindItsBack("UPDATE ledger SET value = 0 WHERE line = 15000");
    assertThat(check(board).broken())
        .containsExactly(new LedgerCheck.Stretch(12_000, 20_000, "a line was changed"));
    behindItsBack("UPDATE ledger_checkpoints SET digest = '00' WHERE line = 32000");
    assertThat(check(board).broken())
        .containsExactly(
            new LedgerCheck.Stretch(12_000, 20_000, "a line was changed"),
            new LedgerCheck.Stretch(20_000, 32_000, "its checkpoint has no valid code"));
  }

  /** A checkpoint's digest is no head, also when the server goes on from there. */
  @Test
  default void check_cutBackToACheckpoint_isFound() {
    Board board = chained(10_000);
    append(board, 10_001, 10_010);
    behindItsBack("DELETE FROM ledger WHERE line > 10000");
    behindItsBack(
        "UPDATE shards SET line = 10000, head = (SELECT digest FROM ledger_checkpoints c WHERE"
            + " c.shard = shards.shard AND c.line = 10000), mac = (SELECT mac FROM"
            + " ledger_checkpoints c WHERE c.shard = shards.shard AND c.line = 10000)"
            + " WHERE line = 10010");
    assertThat(check(board).isIntact()).isFalse();
    append(board, 10_001, 10_020);
    assertThat(check(board).broken())
        .containsExactly(new LedgerCheck.Stretch(10_000, 10_020, "a line was changed"));
  }

  /** The first lines, with the checkpoints that knew of them. */
  @Test
  default void check_frontRemoved_isFound() {
    Board board = chained(10_000);
    append(board, 10_001, 10_010);
    behindItsBack("DELETE FROM ledger WHERE line <= 10000");
    behindItsBack("DELETE FROM ledger_checkpoints WHERE line = 0 AND shard = " + board.shard());
    behindItsBack("UPDATE shards SET chained_from = 10000 WHERE shard = " + board.shard());
    assertThat(check(board).isIntact()).isFalse();
  }

  @Test
  default void erase_linesWithPersonalParts_leavesTheChainWhole() {
    Board board = chained(40);
    List<LedgerLine> some = lines(board.shard(), 9, 30, 100);
    write(tx -> tx.erase(some));
    write(tx -> tx.erase(some));
    List<LedgerLine> erased = lines(board.shard(), 9, 30, 100);
    assertThat(erased)
        .allSatisfy(
            l ->
                assertThat(l)
                    .hasAllNullFieldsOrPropertiesExcept(
                        "shard",
                        "line",
                        "board",
                        "user",
                        "kind",
                        "mode",
                        "value",
                        "at",
                        "windows",
                        "version",
                        "previous",
                        "stamp",
                        "caller",
                        "erased"));
    assertThat(erased.get(2).erased()).hasSize(64); // line 12 had an event id
    assertThat(check(board).broken()).isEmpty();
    behindItsBack("UPDATE ledger SET erased = NULL WHERE line = 12");
    assertThat(check(board).isIntact()).isFalse();
  }

  @Test
  default void check_withAnotherKey_isNotIntact() {
    Board board = chained(20);
    assertThat(check(board, OTHER).isIntact()).isFalse();
  }

  @Test
  default void open_withAnotherKey_isRefusedUnlessTheChainBeginsAnew() {
    Board board = chained(20);
    assertThatThrownBy(() -> openWith(OTHER, false))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("ledger-key: another one");
    openWith(OTHER, true);
    append(board, 21, 25);
    assertThat(check(board, OTHER).broken()).isEmpty();
    assertThat(check(board, OTHER).from()).isEqualTo(20);
    openWith(OTHER, false);
    assertThat(check(board, OTHER).to()).isEqualTo(25);
  }
}
