package dev.laurel.core.rank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.Seeds;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots among whose users, all of them nearly equal, ids become others. */
class ReorderedSnapshotTest {
  private static final int USERS = 2_000;

  private static UserDictionary dictionary() {
    UserDictionary ids = new UserDictionary();
    for (int user = 1; user <= USERS; user++) {
      ids.append(user, "user-" + Integer.toUnsignedString(user * 0x9E3779B9, 36));
    }
    return ids;
  }

  private static String erased(Random random) {
    return (random.nextBoolean() ? "erased-" : "zz-") + Long.toHexString(random.nextLong());
  }

  /** Scores of two values, times of two: whoever is there, equals are many. */
  private static void change(RankSnapshot.Editor editor, Random random) {
    int user = 1 + random.nextInt(USERS);
    if (random.nextInt(4) == 0) {
      editor.remove(user);
    } else {
      editor.put(user, random.nextInt(2), random.nextInt(2), random.nextBoolean());
    }
  }

  private static List<Ranking.Row> rows(RankSnapshot snapshot) {
    List<Ranking.Row> rows = new ArrayList<>();
    snapshot.forEach(
        (rank, user, score, reached) ->
            rows.add(new Ranking.Row(rank, user, score, reached, hasMetadata(snapshot.row(user)))));
    return rows;
  }

  private static boolean hasMetadata(Ranking.@Nullable Row row) {
    return row != null && row.hasMetadata();
  }

  /** The same entries, sorted by the ids of now. */
  private static List<Ranking.Row> builtAnew(RankSnapshot snapshot, UserDictionary ids) {
    var builder = RankSnapshot.builder(snapshot.order(), snapshot.ties(), ids);
    for (Ranking.Row row : rows(snapshot)) {
      builder.add(row.user(), row.score(), row.reached(), row.hasMetadata());
    }
    return rows(builder.build(0));
  }

  private static RankSnapshot some(@Nullable RankSnapshot snapshot) {
    assertThat(snapshot).isNotNull();
    return snapshot == null
        ? RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.DENSE, dictionary())
        : snapshot;
  }

  @ParameterizedTest
  @EnumSource(Ties.class)
  void reordered_afterRenames_isWhatWouldBeBuiltAnew(Ties ties) {
    Seeds.withSeed(
        random -> {
          UserDictionary ids = dictionary();
          RankSnapshot snapshot = RankSnapshot.empty(Order.HIGHEST_FIRST, ties, ids);
          for (int round = 0; round < 60; round++) {
            var editor = snapshot.edit();
            for (int i = random.nextInt(300); i >= 0; i--) {
              // An edit that is under way goes on as it began.
              if (random.nextInt(100) == 0) {
                ids.rename(1 + random.nextInt(USERS), erased(random));
              }
              change(editor, random);
            }
            snapshot = editor.build(round);
            snapshot.checkInvariants();
            for (int i = random.nextInt(3); i > 0; i--) {
              ids.rename(1 + random.nextInt(USERS), erased(random));
            }
            List<Ranking.Row> before = rows(snapshot);
            snapshot.checkInvariants();
            RankSnapshot reordered = some(snapshot.reordered());
            reordered.checkInvariants();
            assertThat(rows(reordered)).isEqualTo(builtAnew(snapshot, ids));
            assertThat(rows(snapshot)).isEqualTo(before);
            if (random.nextBoolean()) {
              snapshot = reordered;
            }
          }
        });
  }

  @Test
  void reordered_withPlacesAndAFloor_holdsAllDownToTheFloor() {
    Seeds.withSeed(
        random -> {
          int places = 20;
          UserDictionary ids = dictionary();
          RankSnapshot all = RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.EARLIEST_FIRST, ids);
          var editor = all.edit();
          for (int user = 1; user <= USERS; user++) {
            editor.put(user, 5, 5, false);
          }
          all = editor.build(1);
          RankSnapshot capped =
              RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.EARLIEST_FIRST, ids, places);
          var best = capped.edit();
          all.forEach((rank, user, score, reached) -> best.put(user, score, reached, false));
          capped = best.build(1).trimmed();
          for (int round = 0; round < 40; round++) {
            // Also the very last one, who is the floor.
            int user =
                random.nextBoolean()
                    ? rows(capped).getLast().user()
                    : rows(capped).get(random.nextInt((int) capped.size())).user();
            ids.rename(user, erased(random));
            all = some(all.reordered());
            RankSnapshot next = capped.reordered();
            if (next == null) {
              return; // too few are left, and it is built anew
            }
            next.checkInvariants();
            assertThat(next.size()).isGreaterThanOrEqualTo(places);
            assertThat(rows(next)).isEqualTo(rows(all).subList(0, (int) next.size()));
            capped = next;
          }
        });
  }

  @Test
  void find_whileIdsBecomeOthers_neverMissesARow() throws Exception {
    UserDictionary ids = dictionary();
    var builder = RankSnapshot.builder(Order.HIGHEST_FIRST, Ties.EARLIEST_FIRST, ids);
    for (int user = 1; user <= USERS; user++) {
      builder.add(user, 5, 5, false);
    }
    RankSnapshot snapshot = builder.build(1);
    long[] position = new long[USERS + 1];
    for (int user = 1; user <= USERS; user++) {
      position[user] = snapshot.position(user);
    }
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<Boolean>> readers = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        int first = thread;
        Callable<Boolean> reading =
            () -> {
              for (int user = first; !done.get(); user = (user + 7) % USERS) {
                assertThat(snapshot.position(user + 1)).isEqualTo(position[user + 1]);
                var editor = snapshot.edit();
                assertThat(editor.remove(user + 1)).isTrue();
              }
              return true;
            };
        readers.add(threads.submit(reading));
      }
      Seeds.withSeed(
          random -> {
            for (int i = 0; i < 500; i++) {
              ids.rename(1 + random.nextInt(USERS), erased(random));
            }
          });
      done.set(true);
      for (Future<Boolean> reader : readers) {
        assertThat(reader.get()).isTrue();
      }
    }
  }
}
