package dev.laurel.core.rank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.Seeds;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The index against a list that is sorted again after every batch. */
class RankSnapshotOracleTest {
  private static final int OPERATIONS = 25_000;
  private static final int USERS = 6_000;

  @ParameterizedTest
  @CsvSource({
    "HIGHEST_FIRST, EARLIEST_FIRST",
    "HIGHEST_FIRST, SHARED",
    "HIGHEST_FIRST, DENSE",
    "LOWEST_FIRST, EARLIEST_FIRST",
    "LOWEST_FIRST, SHARED",
    "LOWEST_FIRST, DENSE",
  })
  void edit_randomBatches_agreesWithASortedList(Order order, Ties ties) {
    Seeds.withSeed(
        random -> {
          List<String> names = RandomIds.distinct(USERS, random);
          UserDictionary ids = RandomIds.dictionary(names);
          SortedOracle oracle = new SortedOracle(order, ties, names);
          RankSnapshot snapshot = RankSnapshot.empty(order, ties, ids);
          List<RankSnapshot> kept = new ArrayList<>();
          List<List<SortedOracle.Line>> keptLines = new ArrayList<>();
          int line = 0;
          for (int done = 0; done < OPERATIONS; ) {
            // Grows, then shrinks to nearly nothing, then grows again.
            double removals = done % 12_500 < 7_500 ? 0.1 : 0.85;
            int batch = 1 + random.nextInt(random.nextBoolean() ? 1000 : 20);
            var editor = snapshot.edit();
            for (int i = 0; i < batch; i++) {
              change(editor, oracle, random, removals);
            }
            oracle.sort();
            snapshot = editor.build(++line);
            done += batch;
            assertThat(snapshot.line()).isEqualTo(line);
            verify(snapshot, oracle, order, random);
            if (random.nextInt(4) == 0) {
              kept.add(snapshot);
              keptLines.add(oracle.sorted);
            }
          }
          for (int i = 0; i < kept.size(); i++) {
            kept.get(i).checkInvariants();
            assertRows(kept.get(i), keptLines.get(i));
          }
        });
  }

  @Test
  void edit_treeOfFourLevels_staysInOrderWhileItGrowsAndShrinks() {
    Seeds.withSeed(
        random -> {
          int users = 300_000;
          UserDictionary ids = new UserDictionary();
          var builder = RankSnapshot.builder(Order.HIGHEST_FIRST, Ties.DENSE, ids);
          for (int user = 1; user <= users; user++) {
            ids.append(user, "user_" + Integer.toUnsignedString(user * 0x9E3779B9, 36));
            builder.add(user, random.nextInt(50_000), random.nextInt(4), false);
          }
          RankSnapshot full = builder.build(1);
          full.checkInvariants();
          assertThat(full.size()).isEqualTo(users);

          var moves = full.edit();
          for (int i = 0; i < 50_000; i++) {
            moves.put(1 + random.nextInt(users), random.nextInt(100), random.nextInt(1000), false);
          }
          RankSnapshot moved = moves.build(2);
          moved.checkInvariants();
          assertThat(moved.size()).isEqualTo(users);

          var removals = moved.edit();
          for (int user = 1; user <= users; user++) {
            if (user % 1000 != 0) {
              assertThat(removals.remove(user)).isTrue();
            }
          }
          RankSnapshot small = removals.build(3);
          small.checkInvariants();
          assertThat(small.size()).isEqualTo(users / 1000);
          full.checkInvariants();
          assertThat(full.size()).isEqualTo(users);
        });
  }

  @ParameterizedTest
  @CsvSource({"HIGHEST_FIRST, SHARED", "LOWEST_FIRST, EARLIEST_FIRST", "LOWEST_FIRST, DENSE"})
  void builder_anyOrder_makesWhatTheEditorMakes(Order order, Ties ties) {
    Seeds.withSeed(
        random -> {
          List<String> names = RandomIds.distinct(10_000, random);
          UserDictionary ids = RandomIds.dictionary(names);
          for (int size : new int[] {1, 15, 16, 17, 56, 57, 64, 65, 500, 3136, 3137, 10_000}) {
            SortedOracle oracle = new SortedOracle(order, ties, names);
            var builder = RankSnapshot.builder(order, ties, ids);
            boolean fewScores = random.nextBoolean();
            for (int user = 1; user <= size; user++) {
              long score = fewScores ? random.nextInt(5) : random.nextLong();
              long reached = random.nextInt(20);
              builder.add(user, score, reached, user % 3 == 0);
              oracle.put(user, score, reached, user % 3 == 0);
            }
            oracle.sort();
            RankSnapshot built = builder.build(9);
            verify(built, oracle, order, random);

            var sorted = RankSnapshot.builder(order, ties, ids);
            oracle.sorted.forEach(
                line -> sorted.add(line.user(), line.score(), line.reached(), line.hasMetadata()));
            verify(sorted.build(9), oracle, order, random);
          }
        });
  }

  private static void change(
      RankSnapshot.Editor editor, SortedOracle oracle, Random random, double removals) {
    int user = 1 + random.nextInt(USERS);
    if (random.nextDouble() < removals) {
      assertThat(editor.remove(user)).isEqualTo(oracle.remove(user));
      return;
    }
    long score = randomScore(random);
    long reached = random.nextInt(3) == 0 ? random.nextInt(3) : random.nextInt(5_000);
    boolean hasMetadata = random.nextBoolean();
    editor.put(user, score, reached, hasMetadata);
    oracle.put(user, score, reached, hasMetadata);
  }

  private static long randomScore(Random random) {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> random.nextInt(3);
      case 3, 4 -> random.nextInt(300) - 150;
      case 5 -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
      default -> random.nextLong();
    };
  }

  private static void verify(
      RankSnapshot snapshot, SortedOracle oracle, Order order, Random random) {
    snapshot.checkInvariants();
    assertRows(snapshot, oracle.sorted);
    int size = oracle.sorted.size();

    int offset = random.nextInt(size + 2);
    int limit = random.nextInt(200);
    List<Ranking.Row> page = new ArrayList<>();
    snapshot.page(
        offset,
        limit,
        (rank, user, score, reached) ->
            page.add(new Ranking.Row(rank, user, score, reached, false)));
    assertThat(page).hasSize(Math.max(0, Math.min(limit, size - offset)));
    for (int i = 0; i < page.size(); i++) {
      SortedOracle.Line line = oracle.sorted.get(offset + i);
      assertThat(page.get(i))
          .isEqualTo(
              new Ranking.Row(
                  oracle.ranks[offset + i], line.user(), line.score(), line.reached(), false));
    }

    int count = 150;
    int[] users = new int[count];
    long[] rank = new long[count];
    long[] score = new long[count];
    long[] reached = new long[count];
    for (int i = 0; i < count; i++) {
      boolean present = size > 0 && random.nextInt(4) != 0;
      users[i] =
          present ? oracle.sorted.get(random.nextInt(size)).user() : 1 + random.nextInt(USERS);
    }
    snapshot.ranks(users, count, rank, score, reached);
    for (int i = 0; i < count; i++) {
      Ranking.Row row = snapshot.row(users[i]);
      long position = snapshot.position(users[i]);
      assertThat(snapshot.rank(users[i])).isEqualTo(rank[i]);
      if (row == null) {
        assertThat(oracle.sorted).noneMatch(lineOf(users[i]));
        assertThat(position).isEqualTo(-1);
        assertThat(rank[i]).isZero();
      } else {
        SortedOracle.Line line = oracle.sorted.get((int) position);
        long expected = oracle.ranks[(int) position];
        assertThat(row)
            .isEqualTo(
                new Ranking.Row(
                    expected, users[i], line.score(), line.reached(), line.hasMetadata()));
        assertThat(line.user()).isEqualTo(users[i]);
        assertThat(new long[] {rank[i], score[i], reached[i]})
            .containsExactly(expected, line.score(), line.reached());
      }
    }

    for (int i = 0; i < 5; i++) {
      long probe = randomScore(random);
      assertThat(snapshot.better(probe)).isEqualTo(oracle.better(probe, order));
      SortedOracle.Line place =
          size > 0 && random.nextBoolean()
              ? oracle.sorted.get(random.nextInt(size))
              : oracle.line(1 + random.nextInt(USERS), probe, random.nextInt(4), false);
      assertThat(snapshot.countUpTo(place.score(), place.reached(), place.user()))
          .isEqualTo(oracle.countUpTo(place));
    }
  }

  private static Predicate<SortedOracle.Line> lineOf(int user) {
    return line -> line.user() == user;
  }

  private static void assertRows(RankSnapshot snapshot, List<SortedOracle.Line> expected) {
    assertThat(snapshot.size()).isEqualTo(expected.size());
    var next = expected.iterator();
    snapshot.forEach(
        (rank, user, score, reached) -> {
          SortedOracle.Line line = next.next();
          if (line.user() != user || line.score() != score || line.reached() != reached) {
            throw new AssertionError(
                "at " + rank + ": " + user + ", " + score + ", " + reached + " instead of " + line);
          }
        });
    assertThat(next.hasNext()).isFalse();
  }

  @Test
  void oracle_itself_isStrictlyAscending() {
    Comparator<SortedOracle.Line> order =
        new SortedOracle(Order.HIGHEST_FIRST, Ties.SHARED, List.of("a", "b")).order;
    SortedOracle lines = new SortedOracle(Order.HIGHEST_FIRST, Ties.SHARED, List.of("a", "b"));
    assertThat(order.compare(lines.line(1, 5, 1, false), lines.line(2, 4, 0, false))).isNegative();
    assertThat(order.compare(lines.line(2, 5, 0, false), lines.line(1, 5, 1, false))).isNegative();
    assertThat(order.compare(lines.line(1, 5, 1, false), lines.line(2, 5, 1, false))).isNegative();
  }
}
