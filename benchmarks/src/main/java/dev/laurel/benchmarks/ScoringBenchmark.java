package dev.laurel.benchmarks;

import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.UpdateRule;
import java.math.BigDecimal;
import java.time.Instant;
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
 * What a submission does to an entry: {@link UpdateRule}, against the same rule on decimals and
 * instants.
 *
 * <p>{@code mvn -q -pl core,benchmarks -am package -DskipTests && java -jar
 * benchmarks/target/benchmarks.jar ScoringBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseCompactObjectHeaders")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScoringBenchmark {
  private static final int ENTRIES = 1 << 10;
  private static final Bounds BOUNDS = new Bounds(0, Long.MAX_VALUE);
  private static final BigDecimal MIN = BigDecimal.ZERO;
  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE, 2);

  private record Decimal(BigDecimal score, Instant reached, Instant seen) {}

  @Param({"BEST", "LATEST", "SUM"})
  Update mode;

  private final Entry[] entries = new Entry[ENTRIES];
  private final Decimal[] decimals = new Decimal[ENTRIES];
  private final long[] values = new long[ENTRIES];
  private final BigDecimal[] decimalValues = new BigDecimal[ENTRIES];
  private final long[] times = new long[ENTRIES];
  private final Instant[] instants = new Instant[ENTRIES];
  private int next;

  @Setup
  public void build() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < ENTRIES; i++) {
      long score = random.nextInt(Season.SCORES);
      long reached = 1_700_000_000_000L + random.nextInt(1000);
      entries[i] = new Entry(score, reached, reached, i + 1, i + 1, false, null);
      decimals[i] =
          new Decimal(
              BigDecimal.valueOf(score, 2),
              Instant.ofEpochMilli(reached),
              Instant.ofEpochMilli(reached));
      values[i] = random.nextInt(Season.SCORES);
      decimalValues[i] = BigDecimal.valueOf(values[i], 2);
      times[i] = 1_700_000_000_000L + random.nextInt(1000);
      instants[i] = Instant.ofEpochMilli(times[i]);
    }
  }

  @Benchmark
  public UpdateRule.Result rule() {
    int i = next++ & (ENTRIES - 1);
    return UpdateRule.apply(
        Order.HIGHEST_FIRST, BOUNDS, entries[i], mode, values[i], times[i], 5000, null);
  }

  @Benchmark
  public Object decimals() {
    int i = next++ & (ENTRIES - 1);
    Decimal current = decimals[i];
    BigDecimal value = decimalValues[i];
    Instant at = instants[i];
    Instant seen = at.isAfter(current.seen) ? at : current.seen;
    int better = value.compareTo(current.score);
    return switch (mode) {
      case BEST -> {
        if (better > 0) {
          yield new Decimal(value, at, seen);
        }
        boolean earlier = better == 0 && at.isBefore(current.reached);
        yield new Decimal(current.score, earlier ? at : current.reached, seen);
      }
      case LATEST ->
          at.isBefore(current.seen)
              ? current
              : new Decimal(value, better == 0 ? current.reached : at, at);
      case SUM -> {
        BigDecimal sum = current.score.add(value);
        if (sum.compareTo(MIN) < 0 || sum.compareTo(MAX) > 0) {
          yield "out of bounds";
        }
        boolean later = value.signum() != 0 && at.isAfter(current.reached);
        yield new Decimal(sum, later ? at : current.reached, seen);
      }
    };
  }
}
