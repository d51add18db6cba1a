package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Entries and positions. */
interface EntryCases extends StoreCases {
  @Test
  default void entries_nullsAndExtremes_comeBackAsTheyWere() {
    long[] extremes = {Long.MIN_VALUE, -1, 0, 1, (1L << 53) + 1, Long.MAX_VALUE};
    List<EntryWrite> writes = new ArrayList<>();
    for (int i = 0; i < extremes.length; i++) {
      long x = extremes[i];
      String metadata = i % 2 == 0 ? null : "{\"skin\":\"\u00e9\uD83C\uDFC6\"}";
      writes.add(new EntryWrite(1, i + 1, new Entry(x, ~x, x, ~x, x, i == 2, metadata)));
    }
    put(writes);
    List<@Nullable Entry> read = entries(1, 1, 2, 3, 4, 5, 6);
    for (int i = 0; i < writes.size(); i++) {
      assertThat(read.get(i)).isEqualTo(writes.get(i).entry());
    }
  }

  @Test
  default void entries_inTheOrderAsked_nullWhereThereIsNone() {
    put(
        List.of(
            new EntryWrite(1, 5, Samples.entry(50, 1)),
            new EntryWrite(1, 2, Samples.entry(20, 1)),
            new EntryWrite(2, 7, Samples.entry(70, 1))));
    assertThat(entries(1, 7, 2, 9, 5, 2))
        .containsExactly(
            null, Samples.entry(20, 1), null, Samples.entry(50, 1), Samples.entry(20, 1));
    assertThat(entries(1)).isEmpty();
    assertThat(entries(3, 1)).containsOnlyNulls();
  }

  @Test
  default void putEntries_existing_replaces() {
    put(List.of(new EntryWrite(1, 1, new Entry(1, 1, 1, 1, 1, false, "{}"))));
    Entry next = new Entry(2, 2, 2, 2, 2, false, null);
    put(List.of(new EntryWrite(1, 1, next)));
    assertThat(entries(1, 1)).containsExactly(next);
    assertThat(count(1)).isEqualTo(1);
  }

  @Test
  default void putEntries_tombstone_staysButHasNoRank() {
    Entry deleted = new Entry(0, 1, 9, 3, 3, true, null);
    put(
        List.of(
            new EntryWrite(1, 1, Samples.entry(10, 1)),
            new EntryWrite(1, 2, deleted),
            new EntryWrite(1, 3, new Entry(30, 1, 1, 1, 1, false, "{}"))));
    assertThat(entries(1, 2)).containsExactly(deleted);
    List<String> ranked = new ArrayList<>();
    store()
        .read(
            tx -> {
              tx.entries(
                  1,
                  (user, score, reached, hasMetadata) ->
                      ranked.add(user + " " + score + " " + reached + " " + hasMetadata));
              return true;
            });
    assertThat(ranked).containsExactly("1 10 1 false", "3 30 1 true");
    assertThat(count(1)).isEqualTo(2);
  }

  @Test
  default void entries_manyAtRandom_areWhatWasPutLast(Random random) {
    Map<Integer, Entry> expected = new HashMap<>();
    for (int round = 0; round < 5; round++) {
      Map<Integer, EntryWrite> writes = new HashMap<>();
      for (int i = 0; i < 300; i++) {
        int user = 1 + random.nextInt(1000);
        Entry entry = Samples.entry(random.nextLong(), random.nextLong());
        writes.put(user, new EntryWrite(4, user, entry));
        expected.put(user, entry);
      }
      put(new ArrayList<>(writes.values()));
    }
    for (int size : new int[] {1, 9, 10, 11, 99, 100, 101, 1000}) {
      int[] asked = random.ints(size, 1, 1001).toArray();
      List<@Nullable Entry> read = entries(4, asked);
      for (int i = 0; i < size; i++) {
        assertThat(read.get(i)).isEqualTo(expected.get(asked[i]));
      }
    }
  }

  @Test
  default void position_moved_isTheLine() {
    Board board =
        Samples.create(
            store(), Samples.board(1, "b", Samples.season(0, "a"), Samples.season(1, "b")));
    long first = board.seasons().get(0).id();
    long second = board.seasons().get(1).id();
    assertThat(position(first)).isZero();
    write(
        tx -> {
          tx.moveSeasons(Map.of(first, 7L, second, Long.MAX_VALUE));
          tx.moveSeasons(Map.of());
        });
    assertThat(position(first)).isEqualTo(7);
    assertThat(position(second)).isEqualTo(Long.MAX_VALUE);
    assertThat(revision()).isEqualTo(board.revision());
  }

  private List<@Nullable Entry> entries(long season, int... users) {
    return store().<List<@Nullable Entry>>read(tx -> tx.entries(season, users));
  }

  private void put(List<EntryWrite> writes) {
    write(
        tx -> {
          tx.putEntries(writes);
        });
  }
}
