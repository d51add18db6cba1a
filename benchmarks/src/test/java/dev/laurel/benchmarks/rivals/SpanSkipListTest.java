package dev.laurel.benchmarks.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A rival that answers wrongly proves nothing: it is held against a sorted list. */
class SpanSkipListTest {
  private static final Comparator<Place> ORDER =
      Comparator.comparingLong(Place::key)
          .thenComparingLong(Place::reached)
          .thenComparingInt(Place::user);

  private record Place(long key, long reached, int user) {}

  private final List<Place> sorted = new ArrayList<>();
  private final SpanSkipList list = new SpanSkipList(7);

  @Test
  void rank_randomInsertsAndRemoves_asInASortedList() {
    long seed = Long.getLong("laurel.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int step = 0; step < 20_000; step++) {
      // Grows to some hundreds, shrinks to nothing, and again: levels come and go.
      boolean grow = step / 1000 % 2 == 0;
      if (sorted.isEmpty() || random.nextInt(10) < (grow ? 7 : 2)) {
        insert(new Place(random.nextInt(50) - 25, random.nextInt(5), step));
      } else {
        Place place = sorted.remove(random.nextInt(sorted.size()));
        assertThat(list.remove(place.key, place.reached, place.user)).isTrue();
        assertThat(list.remove(place.key, place.reached, place.user)).isFalse();
        assertThat(list.rank(place.key, place.reached, place.user)).isZero();
      }
      if (step % 100 == 0) {
        check(random, "seed " + seed + ", step " + step);
      }
    }
  }

  private void insert(Place place) {
    sorted.add(-1 - Collections.binarySearch(sorted, place, ORDER), place);
    list.insert(place.key, place.reached, place.user);
  }

  private void check(SplittableRandom random, String when) {
    assertThat(list.size()).as(when).isEqualTo(sorted.size());
    for (int i = 0; i < sorted.size(); i++) {
      Place place = sorted.get(i);
      assertThat(list.rank(place.key, place.reached, place.user)).as(when).isEqualTo(i + 1);
    }
    int offset = random.nextInt(sorted.size() + 3);
    int limit = random.nextInt(20);
    List<Place> page = new ArrayList<>();
    list.page(
        offset,
        limit,
        (rank, node) -> {
          assertThat(rank).as(when).isEqualTo(offset + page.size() + 1);
          page.add(new Place(node.key, node.reached, node.user));
        });
    int from = Math.min(offset, sorted.size());
    int to = Math.min(sorted.size(), from + limit);
    assertThat(page).as(when).isEqualTo(sorted.subList(from, to));
  }
}
