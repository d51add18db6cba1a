package dev.laurel.benchmarks;

import dev.laurel.core.model.Order;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One comparison of two entries in the one order: the better score, then the earlier time, then the
 * user. Laurel compares longs that ascend; the rival is the comparator one would write first, on
 * decimals and instants.
 *
 * <p>{@code mvn -q -pl core,benchmarks -am package -DskipTests && java -jar
 * benchmarks/target/benchmarks.jar OrderBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseCompactObjectHeaders")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class OrderBenchmark {
  private static final int ENTRIES = 1 << 12;

  private record Place(BigDecimal score, Instant reached, String user) {
    static final Comparator<Place> HIGHEST_FIRST =
        Comparator.comparing(Place::score)
            .reversed()
            .thenComparing(Place::reached)
            .thenComparing(Place::user);
  }

  /** How many different scores there are: with few, the times decide. */
  @Param({"10", "1000000"})
  int scores;

  private final Order order = Order.HIGHEST_FIRST;
  private final long[] score = new long[ENTRIES];
  private final long[] reached = new long[ENTRIES];
  private final int[] user = new int[ENTRIES];
  private final Place[] places = new Place[ENTRIES];
  private int next;

  @Setup
  public void build() {
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < ENTRIES; i++) {
      score[i] = random.nextInt(scores);
      reached[i] = 1_700_000_000_000L + random.nextInt(1000);
      user[i] = i;
      places[i] =
          new Place(
              BigDecimal.valueOf(score[i], 2),
              Instant.ofEpochMilli(reached[i]),
              "user_%06d".formatted(i));
    }
  }

  @Benchmark
  public int longs() {
    int a = next++ & (ENTRIES - 1);
    int b = next & (ENTRIES - 1);
    long keyA = order.key(score[a]);
    long keyB = order.key(score[b]);
    return keyA != keyB
        ? Long.compare(keyA, keyB)
        : reached[a] != reached[b]
            ? Long.compare(reached[a], reached[b])
            : Integer.compare(user[a], user[b]);
  }

  @Benchmark
  public int comparator() {
    int a = next++ & (ENTRIES - 1);
    return Place.HIGHEST_FIRST.compare(places[a], places[next & (ENTRIES - 1)]);
  }
}
