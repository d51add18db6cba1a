package dev.laurel.benchmarks;

import dev.laurel.core.model.Units;
import dev.laurel.core.model.UserIds;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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
 * What a submission costs before it is one: its number as exact units, and its user id. The rivals
 * are a BigDecimal for every number, and a regular expression for every id.
 *
 * <p>{@code mvn -q -pl core,benchmarks -am package -DskipTests && java -jar
 * benchmarks/target/benchmarks.jar ValidationBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseCompactObjectHeaders")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ValidationBenchmark {
  private static final int TEXTS = 1 << 10;
  private static final int DECIMALS = 2;

  /** Laurel's rule but for lone surrogates, which a pattern cannot see. */
  private static final Pattern ID = Pattern.compile("[^\\p{Cc}\\x{2028}\\x{2029}]{1,128}");

  /** Whole numbers have a short way through Units; fractions go the long one. */
  @Param({"WHOLE", "FRACTION"})
  Numbers numbers;

  /** The kind of numbers that are submitted. */
  public enum Numbers {
    WHOLE,
    FRACTION
  }

  private final String[] texts = new String[TEXTS];
  private final String[] ids = new String[TEXTS];
  private int next;

  @Setup
  public void build() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < TEXTS; i++) {
      int number = random.nextInt(1, Season.SCORES);
      texts[i] = numbers == Numbers.WHOLE ? "" + number : number + "." + random.nextInt(1, 1000);
      ids[i] = "user_%06d".formatted(random.nextInt(1_000_000));
    }
  }

  @Benchmark
  public OptionalLong units() {
    return Units.parse(texts[next++ & (TEXTS - 1)], DECIMALS);
  }

  /** Without the checks that it is a JSON number and of a sane size. */
  @Benchmark
  public long unitsBigDecimal() {
    return new BigDecimal(texts[next++ & (TEXTS - 1)])
        .setScale(DECIMALS, RoundingMode.HALF_UP)
        .unscaledValue()
        .longValueExact();
  }

  @Benchmark
  public boolean userId() {
    return UserIds.isValid(ids[next++ & (TEXTS - 1)]);
  }

  @Benchmark
  public boolean userIdPattern() {
    return ID.matcher(ids[next++ & (TEXTS - 1)]).matches();
  }
}
