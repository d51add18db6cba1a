package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Order;
import dev.laurel.core.store.RankReads;
import dev.laurel.core.store.RankReads.Place;
import dev.laurel.core.store.RankReads.Placed;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the entries of some seasons should be. Ids of users sort as their numbers. */
final class EntryModel {
  private final long[] seasons;
  private final int users;
  private final Map<Long, Map<Integer, Entry>> entries = new HashMap<>();

  EntryModel(long[] seasons, int users) {
    this.seasons = seasons;
    this.users = users;
  }

  EntryModel copy() {
    EntryModel copy = new EntryModel(seasons, users);
    entries.forEach((season, all) -> copy.of(season).putAll(all));
    return copy;
  }

  static String userId(int number) {
    return "user-%05d".formatted(number);
  }

  private Map<Integer, Entry> of(long season) {
    return entries.computeIfAbsent(season, s -> new TreeMap<>());
  }

  long size() {
    return entries.values().stream().mapToLong(Map::size).sum();
  }

  void put(List<EntryWrite> writes) {
    writes.forEach(write -> of(write.season()).put(write.user(), write.entry()));
  }

  /** Few scores and times, so that there are ties; each user at most once a season. */
  List<EntryWrite> random(Random random) {
    Map<List<Long>, EntryWrite> writes = new HashMap<>();
    int count = 2 + random.nextInt(30);
    for (int i = 0; i < count; i++) {
      long season = seasons[random.nextInt(seasons.length)];
      int user = 1 + random.nextInt(users);
      Entry entry =
          new Entry(
              random.nextInt(20),
              random.nextInt(3),
              random.nextLong(),
              random.nextLong(),
              random.nextLong(),
              random.nextInt(6) == 0,
              random.nextInt(5) == 0 ? "{\"n\":" + random.nextInt() + "}" : null);
      writes.put(List.of(season, (long) user), new EntryWrite(season, user, entry));
    }
    return List.copyOf(writes.values());
  }

  /** Always true; fails if the transaction sees anything else. */
  boolean check(ReadTransaction tx, Random random) {
    for (long season : seasons) {
      Map<Integer, Entry> expected = of(season);
      int[] everyone = IntStream.rangeClosed(1, users).toArray();
      List<@Nullable Entry> found = tx.entries(season, everyone);
      for (int user : everyone) {
        assertThat(found.get(user - 1)).as("user %d", user).isEqualTo(expected.get(user));
      }
      checkStream(tx, season);
      for (Order order : Order.values()) {
        checkRanks(tx.ranks(), season, order, random);
      }
    }
    return true;
  }

  private void checkStream(ReadTransaction tx, long season) {
    List<String> streamed = new ArrayList<>();
    tx.entries(
        season,
        (user, score, reached, hasMetadata) ->
            streamed.add(user + " " + score + " " + reached + " " + hasMetadata));
    List<String> expected = new ArrayList<>();
    of(season)
        .forEach(
            (user, e) -> {
              if (!e.deleted()) {
                expected.add(
                    user + " " + e.score() + " " + e.reached() + " " + (e.metadata() != null));
              }
            });
    assertThat(streamed).isEqualTo(expected);
  }

  private void checkRanks(RankReads ranks, long season, Order order, Random random) {
    List<Placed> ranked = new ArrayList<>();
    of(season)
        .forEach(
            (user, e) -> {
              if (!e.deleted()) {
                ranked.add(new Placed(user, e.score(), e.reached()));
              }
            });
    Comparator<Placed> byScore = Comparator.comparingLong(Placed::score);
    ranked.sort(
        (order == Order.HIGHEST_FIRST ? byScore.reversed() : byScore)
            .thenComparingLong(Placed::reached)
            .thenComparingInt(Placed::user));
    assertThat(ranks.count(season)).isEqualTo(ranked.size());
    assertThat(ranks.page(season, order, 0, users)).isEqualTo(ranked);
    if (!ranked.isEmpty()) {
      int at = random.nextInt(ranked.size());
      Placed placed = ranked.get(at);
      Place place = new Place(placed.score(), placed.reached(), userId(placed.user()));
      assertThat(ranks.countBefore(season, order, place)).isEqualTo(at);
      assertThat(ranks.after(season, order, place, 5))
          .isEqualTo(ranked.subList(at + 1, Math.min(ranked.size(), at + 6)));
      assertThat(ranks.before(season, order, place, 5))
          .isEqualTo(ranked.subList(Math.max(0, at - 5), at).reversed());
    }
  }
}
