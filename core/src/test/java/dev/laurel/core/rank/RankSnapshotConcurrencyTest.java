package dev.laurel.core.rank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.Seeds;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Readers beside a writer: every answer of one snapshot is about one state. */
class RankSnapshotConcurrencyTest {
  private static final int BATCHES = 2_000;

  private final UserDictionary ids = new UserDictionary();
  private volatile RankSnapshot published =
      RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.EARLIEST_FIRST, ids);

  @Test
  void page_whileAWriterPublishes_isOneState() {
    Seeds.withSeed(
        random -> {
          List<Callable<Void>> threads = new ArrayList<>();
          long writerSeed = random.nextLong();
          threads.add(() -> write(new Random(writerSeed)));
          for (int i = 0; i < 3; i++) {
            long seed = random.nextLong();
            threads.add(() -> read(new Random(seed)));
          }
          try (var executor = Executors.newFixedThreadPool(threads.size())) {
            for (Future<Void> done : executor.invokeAll(threads)) {
              done.get();
            }
          }
          published.checkInvariants();
        });
  }

  /** Every batch keeps the sum of all scores at 0, which half a batch would not. */
  private Void write(Random random) {
    try {
      for (int line = 1; line <= BATCHES; line++) {
        var editor = published.edit();
        for (int i = random.nextInt(20); i >= 0; i--) {
          int user = 2 * random.nextInt(2_000) + 1;
          while (ids.size() < user + 1) {
            ids.append(ids.size() + 1, "user_" + ids.size());
          }
          if (random.nextInt(5) == 0) {
            editor.remove(user);
            editor.remove(user + 1);
          } else {
            long score = random.nextInt(1000);
            editor.put(user, score, line, false);
            editor.put(user + 1, -score, line, false);
          }
        }
        published = editor.build(line);
      }
    } finally {
      if (published.line() < BATCHES) {
        published = published.edit().build(BATCHES);
      }
    }
    return null;
  }

  private Void read(Random random) {
    long lastLine = 0;
    while (lastLine < BATCHES) {
      RankSnapshot snapshot = published;
      assertThat(snapshot.line()).isGreaterThanOrEqualTo(lastLine);
      lastLine = snapshot.line();
      long[] seen = new long[4];
      seen[1] = Long.MAX_VALUE;
      snapshot.forEach(
          (rank, user, score, reached) -> {
            if (rank != ++seen[0] || score > seen[1] || (score == seen[1] && reached < seen[2])) {
              throw new AssertionError("rank " + rank + " of user " + user + " at " + seen[0]);
            }
            seen[1] = score;
            seen[2] = reached;
            seen[3] += score;
          });
      assertThat(seen[0]).isEqualTo(snapshot.size());
      assertThat(seen[3]).isZero();
      if (snapshot.size() > 0) {
        snapshot.page(
            random.nextInt((int) snapshot.size()),
            10,
            (rank, user, score, reached) ->
                assertThat(snapshot.row(user))
                    .isEqualTo(new Ranking.Row(rank, user, score, reached, false)));
      }
    }
    return null;
  }
}
