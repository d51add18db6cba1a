package dev.laurel.benchmarks;

import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.UserDictionary;
import java.util.SplittableRandom;

/**
 * Bytes an entry, with its user's id: heap after a collection, with and without.
 *
 * <p>{@code java -Xmx3g -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -cp
 * benchmarks/target/benchmarks.jar dev.laurel.benchmarks.MemoryBenchmark 1000000}
 */
public final class MemoryBenchmark {
  private MemoryBenchmark() {}

  public static void main(String[] args) {
    int users = args.length == 0 ? 1_000_000 : Integer.parseInt(args[0]);
    long start = used();
    UserDictionary ids = new UserDictionary();
    for (int user = 1; user <= users; user++) {
      ids.append(user, "user_%06d".formatted(user));
    }
    long withIds = used();

    SplittableRandom random = new SplittableRandom(1);
    var builder = RankSnapshot.builder(Order.HIGHEST_FIRST, Ties.EARLIEST_FIRST, ids);
    for (int user = 1; user <= users; user++) {
      builder.add(user, random.nextInt(Season.SCORES), 1_700_000_000_000L + user, false);
    }
    long began = System.nanoTime();
    RankSnapshot snapshot = builder.build(1);
    long millis = (System.nanoTime() - began) / 1_000_000;
    builder = null;
    long built = used();

    for (int batch = 0; batch < users / 1000; batch++) {
      var editor = snapshot.edit();
      for (int i = 0; i < 1000; i++) {
        editor.put(1 + random.nextInt(users), random.nextInt(Season.SCORES), 2L << 40, false);
      }
      snapshot = editor.build(batch);
    }
    long updated = used();

    System.out.printf("built from unsorted rows in %d ms%n", millis);
    System.out.printf("dictionary              %5.1f bytes a user%n", each(withIds - start, users));
    System.out.printf(
        "tree and table          %5.1f bytes an entry%n", each(built - withIds, users));
    System.out.printf("all                     %5.1f bytes an entry%n", each(built - start, users));
    System.out.printf(
        "all, as many updates on %5.1f bytes an entry%n", each(updated - start, users));
    if (snapshot.size() != ids.size()) {
      throw new AssertionError(snapshot.size());
    }
  }

  private static double each(long bytes, int users) {
    return (double) bytes / users;
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
