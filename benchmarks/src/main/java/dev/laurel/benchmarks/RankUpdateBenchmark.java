package dev.laurel.benchmarks;

import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.UserDictionary;
import java.util.Comparator;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What a batch costs, against the map the JDK has for it, which has no ranks and no snapshots and
 * so shows what those cost; and against Redis' skip list with spans, which has ranks.
 *
 * <p>{@code mvn -q -pl core,benchmarks -am package -DskipTests && java -jar
 * benchmarks/target/benchmarks.jar RankUpdateBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-Xms3g",
      "-Xmx3g",
      "-XX:+UseCompactObjectHeaders",
      "-XX:+UseTransparentHugePages"
    })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RankUpdateBenchmark {
  private static final int BATCH = 1000;

  @Param({"10000", "1000000"})
  int users;

  private UserDictionary ids;
  private RankSnapshot snapshot;
  private ConcurrentSkipListMap<Place, Boolean> rival;
  private Place[] places;
  private SplittableRandom random;
  private long now = 1_800_000_000_000L;

  private record Place(long score, long reached, int user) {
    static final Comparator<Place> ORDER =
        (a, b) ->
            a.score != b.score
                ? Long.compare(b.score, a.score)
                : a.reached != b.reached
                    ? Long.compare(a.reached, b.reached)
                    : Integer.compare(a.user, b.user);
  }

  @Setup
  public void build() {
    random = new SplittableRandom(3);
    Season season = Season.of(users, Ties.EARLIEST_FIRST);
    ids = season.ids();
    snapshot = season.snapshot();
    rival = new ConcurrentSkipListMap<>(Place.ORDER);
    places = new Place[users + 1];
    snapshot.forEach(
        (rank, user, score, reached) -> {
          places[user] = new Place(score, reached, user);
          rival.put(places[user], true);
        });
  }

  /** Built only for the benchmarks that ask for it. */
  @State(Scope.Benchmark)
  public static class Rival {
    private SkipListSeason season;

    @Setup
    public void build(RankUpdateBenchmark benchmark) {
      season = new SkipListSeason(benchmark.snapshot, benchmark.ids);
    }
  }

  @Benchmark
  public RankSnapshot update1() {
    var editor = snapshot.edit();
    editor.put(1 + random.nextInt(users), random.nextInt(Season.SCORES), now++, false);
    snapshot = editor.build(now);
    return snapshot;
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public RankSnapshot update1000() {
    var editor = snapshot.edit();
    for (int i = 0; i < BATCH; i++) {
      editor.put(1 + random.nextInt(users), random.nextInt(Season.SCORES), now++, false);
    }
    snapshot = editor.build(now);
    return snapshot;
  }

  @Benchmark
  public void updateSkipListMap() {
    int user = 1 + random.nextInt(users);
    Place next = new Place(random.nextInt(Season.SCORES), now++, user);
    rival.remove(places[user]);
    rival.put(next, true);
    places[user] = next;
  }

  @Benchmark
  public void updateSpanSkipList(Rival rival) {
    rival.season.update(random, now++);
  }

  @Benchmark
  public void top10(Blackhole blackhole) {
    snapshot.page(
        0,
        10,
        (rank, user, score, reached) -> {
          blackhole.consume(user);
          blackhole.consume(score);
        });
  }

  @Benchmark
  public void top10SkipListMap(Blackhole blackhole) {
    Iterator<Place> best = rival.keySet().iterator();
    for (int i = 0; i < 10; i++) {
      Place place = best.next();
      blackhole.consume(place.user);
      blackhole.consume(place.score);
    }
  }
}
