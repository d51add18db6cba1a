package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lines are numbered without gaps, kept as they are, and say who changed. */
interface LedgerCases extends StoreCases {
  @Test
  default void lockShard_newShard_isAtLineZero() {
    for (int shard = 0; shard < store().shards(); shard++) {
      int each = shard;
      assertThat(lastLine(each)).isZero();
      assertThat(store().<Long>read(tx -> tx.firstLine(each))).isEqualTo(1);
    }
  }

  @Test
  default void lockShard_unknownShard_isRefused() {
    int unknown = store().shards();
    assertThatThrownBy(() -> store().write(tx -> tx.lockShard(unknown)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("shard: " + unknown);
  }

  @Test
  default void append_linesThatContinue_movesTheShard() {
    append(Samples.line(0, 1, 1, 1), Samples.line(0, 2, 1, 2));
    append(Samples.line(0, 3, 1, 3));
    append();
    assertThat(lastLine(0)).isEqualTo(3);
    assertThat(store().<Long>read(tx -> tx.firstLine(0))).isEqualTo(1);
  }

  @Test
  default void append_aGap_isRefused() {
    append(Samples.line(0, 1, 1, 1));
    for (long wrong : new long[] {0, 1, 3}) {
      assertThatThrownBy(() -> append(Samples.line(0, wrong, 1, 1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("line: " + wrong);
    }
    assertThatThrownBy(() -> append(Samples.line(0, 2, 1, 1), Samples.line(0, 4, 1, 1)))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> append(Samples.line(1, 2, 1, 1))).isInstanceOf(StoreException.class);
    append(Samples.line(0, 2, 1, 1));
    assertThat(lines(0, 0, 10, 10)).hasSize(2);
  }

  /** Runs of lines that differ in little, as one batch makes them, with others in between. */
  @Test
  default void append_runsOfLikeLines_comeBackAsTheyWere(Random random) {
    List<LedgerLine> lines = new ArrayList<>();
    while (lines.size() < 600) {
      LedgerLine like = Samples.line(0, 1, 1 + random.nextInt(2), 1);
      boolean plain = random.nextBoolean();
      long stamp = random.nextInt(2);
      for (int i = random.nextInt(90); i >= 0; i--) {
        lines.add(
            new LedgerLine(
                0,
                lines.size() + 1,
                like.board(),
                1 + random.nextInt(1_000),
                like.kind(),
                like.mode(),
                random.nextLong(),
                random.nextLong(),
                plain ? 1 : 3,
                1,
                random.nextLong(),
                stamp,
                9,
                plain || random.nextBoolean() ? null : "e" + i,
                plain || random.nextBoolean() ? null : "{}",
                null,
                null));
      }
    }
    append(lines.toArray(LedgerLine[]::new));
    assertThat(lines(0, 0, Long.MAX_VALUE, 1_000)).isEqualTo(lines);
  }

  @Test
  default void lines_everyFieldAndExtreme_comeBackAsTheyWere() {
    List<LedgerLine> lines = new ArrayList<>();
    long[] extremes = {Long.MIN_VALUE, -1, 0, 1, (1L << 53) + 1, Long.MAX_VALUE};
    for (LedgerLine.Kind kind : LedgerLine.Kind.values()) {
      for (Update mode : Update.values()) {
        for (long x : extremes) {
          boolean bare = lines.size() % 2 == 0;
          lines.add(
              new LedgerLine(
                  0,
                  lines.size() + 1,
                  x,
                  Integer.MAX_VALUE,
                  kind,
                  mode,
                  x,
                  ~x,
                  x,
                  Integer.MAX_VALUE,
                  x,
                  ~x,
                  x,
                  bare ? null : "event \u00e9\uD83C\uDFC6",
                  bare ? "" : "{\"a\":\"\u4e2d\"}",
                  null,
                  null));
        }
      }
    }
    append(lines.toArray(LedgerLine[]::new));
    assertThat(lines(0, 0, Long.MAX_VALUE, 1000)).isEqualTo(lines);
  }

  @Test
  default void lines_inPages_areAllThereInOrder() {
    int count = 250;
    LedgerLine[] lines = new LedgerLine[count];
    for (int i = 0; i < count; i++) {
      lines[i] = Samples.line(0, i + 1, 1, i);
    }
    append(lines);
    List<LedgerLine> read = new ArrayList<>();
    while (true) {
      long after = read.size();
      List<LedgerLine> page = lines(0, after, count - 10, 40);
      if (page.isEmpty()) {
        break;
      }
      assertThat(page).hasSizeLessThanOrEqualTo(40);
      read.addAll(page);
    }
    assertThat(read).containsExactly(Arrays.copyOf(lines, count - 10));
    assertThat(lines(0, 5, 5, 10)).isEmpty();
    assertThat(lines(0, 0, 10, 0)).isEmpty();
  }

  @Test
  default void changedUsers_ofABoard_areItsUsersInTheRangeOnce() {
    append(
        Samples.line(0, 1, 1, 9),
        Samples.line(0, 2, 1, 5),
        Samples.line(0, 3, 2, 6),
        Samples.line(0, 4, 1, 5),
        Samples.line(0, 5, 1, 3),
        Samples.line(0, 6, 1, 8));
    assertThat(changed(1, 1, 5)).containsExactlyInAnyOrder(3, 5);
    assertThat(changed(1, 0, 6)).containsExactlyInAnyOrder(3, 5, 8, 9);
    assertThat(changed(2, 0, 6)).containsExactly(6);
    assertThat(changed(1, 6, 6)).isEmpty();
    assertThat(changed(3, 0, Long.MAX_VALUE)).isEmpty();
  }

  @Test
  default void changedUsers_many_areAllThere() {
    Board board = Samples.create(store(), Samples.board("b"));
    LedgerLine[] lines = new LedgerLine[1000];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = Samples.line(0, i + 1, board.id(), i / 2 + 1);
    }
    append(lines);
    assertThat(changed(board.id(), 0, lines.length)).hasSize(500).doesNotHaveDuplicates();
  }

  private int[] changed(long board, long after, long upTo) {
    return store().read(tx -> tx.changedUsers(0, board, after, upTo));
  }

  private void append(LedgerLine... lines) {
    write(
        tx -> {
          tx.lockShard(0);
          tx.append(0, List.of(lines));
        });
  }
}
