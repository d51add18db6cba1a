package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.RankReads;
import dev.laurel.core.store.RankReads.Place;
import dev.laurel.core.store.RankReads.Placed;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ranks, against a list that was sorted by the one order. */
interface RankCases extends StoreCases {
  /** Ids whose order by bytes is not their order by Java's chars, by case or by language. */
  List<String> ODD_IDS =
      List.of(
          "\uD83C\uDFC6", "\uFF21", "\uE000", "\u00e9", "e\u0301", "z", "Z", "a", "A", "aa", "-");

  /** Few, so that there are many ties, and the ends of what a long holds. */
  List<Long> SCORES =
      List.of(
          Long.MIN_VALUE,
          Long.MIN_VALUE + 1,
          -1L,
          0L,
          1L,
          1L << 53,
          (1L << 53) + 1,
          Long.MAX_VALUE);

  @Test
  default void ranks_emptySeason_areEmpty() {
    Board board = Samples.create(store(), Samples.board("b"));
    long season = board.primary().id();
    store()
        .read(
            tx -> {
              for (Order order : Order.values()) {
                RankReads ranks = tx.ranks();
                Place place = new Place(0, 0, "a");
                assertThat(ranks.count(season)).isZero();
                assertThat(ranks.countBetter(season, order, 0)).isZero();
                assertThat(ranks.countBetterScores(season, order, 0)).isZero();
                assertThat(ranks.countBefore(season, order, place)).isZero();
                assertThat(ranks.page(season, order, 0, 10)).isEmpty();
                assertThat(ranks.after(season, order, place, 10)).isEmpty();
                assertThat(ranks.before(season, order, place, 10)).isEmpty();
              }
              return true;
            });
  }

  @Test
  default void ranks_highestFirst_areAsMeant() {
    long season = Samples.create(store(), Samples.board("b")).primary().id();
    store().assignUsers(1, KnownUsers.NOBODY, List.of("zed", "ann", "bob", "cid"));
    put(season, 1, 100, 5);
    put(season, 2, 100, 5); // the same time: by id, before zed
    put(season, 3, 100, 4); // reached it first
    put(season, 4, 200, 9);
    List<Placed> page = store().read(tx -> tx.ranks().page(season, Order.HIGHEST_FIRST, 0, 10));
    assertThat(page).extracting(Placed::user).containsExactly(4, 3, 2, 1);
    page = store().read(tx -> tx.ranks().page(season, Order.LOWEST_FIRST, 0, 10));
    assertThat(page).extracting(Placed::user).containsExactly(3, 2, 1, 4);
  }

  @Test
  default void ranks_manyTies_agreeWithASortedList(Random random) {
    Board board =
        Samples.create(
            store(), Samples.board(1, "b", Samples.season(0, "one"), Samples.season(1, "two")));
    long season = board.seasons().getFirst().id();
    List<Row> rows = fill(season, board.seasons().getLast().id(), random);

    for (Order order : Order.values()) {
      rows.sort(comparator(order));
      store()
          .read(
              tx -> {
                RankReads ranks = tx.ranks();
                assertThat(ranks.count(season)).isEqualTo(rows.size());
                checkPages(ranks, season, order, rows);
                for (int i = 0; i < 60; i++) {
                  Row row = rows.get(random.nextInt(rows.size()));
                  checkPlace(ranks, season, order, rows, row, random.nextInt(2 * rows.size()));
                  checkPlace(ranks, season, order, rows, row, random.nextInt(5));
                  // A place nobody has.
                  checkPlace(ranks, season, order, rows, anywhere(random), random.nextInt(20));
                }
                return true;
              });
    }
  }

  /** A user's line as the oracle has it. */
  record Row(int user, String id, long score, long reached) {}

  private List<Row> fill(long season, long other, Random random) {
    List<String> ids = new ArrayList<>(ODD_IDS);
    for (int i = 0; i < 150; i++) {
      ids.add(ODD_IDS.get(random.nextInt(ODD_IDS.size())) + i);
    }
    Collections.shuffle(ids, random);
    int[] numbers = store().assignUsers(1, KnownUsers.NOBODY, ids);
    // The same numbers in another tenant are other users.
    long tenant = store().write(tx -> tx.createTenant("acme", "Acme", 1)).id();
    store().assignUsers(tenant, KnownUsers.NOBODY, ids.reversed());

    List<Row> rows = new ArrayList<>();
    List<EntryWrite> writes = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      long score = SCORES.get(random.nextInt(SCORES.size()));
      long reached = reached(random);
      boolean deleted = random.nextInt(10) == 0;
      writes.add(
          new EntryWrite(
              season, numbers[i], new Entry(score, reached, reached, 1, 1, deleted, null)));
      writes.add(new EntryWrite(other, numbers[i], Samples.entry(~score, reached)));
      if (!deleted) {
        rows.add(new Row(numbers[i], ids.get(i), score, reached));
      }
    }
    write(
        tx -> {
          tx.putEntries(writes);
        });
    return rows;
  }

  private static long reached(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      default -> random.nextInt(2);
    };
  }

  private static Row anywhere(Random random) {
    long score = SCORES.get(random.nextInt(SCORES.size())) + random.nextInt(2);
    String id = ODD_IDS.get(random.nextInt(ODD_IDS.size())) + "!";
    return new Row(0, id, score, reached(random));
  }

  private static Comparator<Row> comparator(Order order) {
    return Comparator.<Row>comparingLong(row -> order.key(row.score()))
        .thenComparingLong(Row::reached)
        .thenComparing(Row::id, UserIds::compare);
  }

  private static void checkPages(RankReads ranks, long season, Order order, List<Row> rows) {
    for (int size : new int[] {1, 7, 50, rows.size(), rows.size() + 1}) {
      for (int offset = 0; offset <= rows.size(); offset += size) {
        assertThat(ranks.page(season, order, offset, size))
            .isEqualTo(placed(rows.subList(offset, Math.min(rows.size(), offset + size))));
      }
    }
    assertThat(ranks.page(season, order, rows.size() + 1000L, 10)).isEmpty();
    assertThat(ranks.page(season, order, 0, 0)).isEmpty();
  }

  private static void checkPlace(
      RankReads ranks, long season, Order order, List<Row> rows, Row row, int limit) {
    Place place = new Place(row.score(), row.reached(), row.id());
    int found = Collections.binarySearch(rows, row, comparator(order));
    int before = found >= 0 ? found : ~found;
    int after = found >= 0 ? found + 1 : ~found;

    assertThat(ranks.countBefore(season, order, place)).isEqualTo(before);
    List<Row> nearestFirst = rows.subList(0, before).reversed();
    assertThat(ranks.before(season, order, place, limit))
        .isEqualTo(placed(nearestFirst.subList(0, Math.min(limit, before))));
    assertThat(ranks.after(season, order, place, limit))
        .isEqualTo(placed(rows.subList(after, Math.min(rows.size(), after + limit))));

    List<Long> better =
        rows.stream().map(Row::score).filter(s -> order.isBetter(s, row.score())).toList();
    assertThat(ranks.countBetter(season, order, row.score())).isEqualTo(better.size());
    assertThat(ranks.countBetterScores(season, order, row.score()))
        .isEqualTo(better.stream().distinct().count());
  }

  private static List<Placed> placed(List<Row> rows) {
    return rows.stream().map(r -> new Placed(r.user(), r.score(), r.reached())).toList();
  }

  private void put(long season, int user, long score, long reached) {
    write(
        tx -> {
          tx.putEntries(List.of(new EntryWrite(season, user, Samples.entry(score, reached))));
        });
  }
}
