package dev.laurel.benchmarks;

import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.Strategy;
import dev.laurel.core.scoring.Features;
import dev.laurel.core.scoring.Score;
import dev.laurel.core.scoring.Scorer;
import dev.laurel.spel.SpelExpressionCompiler;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Scoring an event with five features: from the map of its five features to units of the board,
 * with the types checked. The goal is 500,000 events a second on one core. The rivals are SpEL
 * itself, interpreted on the same exact numbers, and on doubles interpreted and compiled to byte
 * code (SpEL compiles no BigDecimal); they check no types, and have the features as variables.
 *
 * <p>{@code mvn -q -pl benchmarks -am package -DskipTests && java -jar
 * benchmarks/target/benchmarks.jar ExpressionBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseCompactObjectHeaders")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ExpressionBenchmark {
  private static final int EVENTS = 1 << 10;
  private static final int DECIMALS = 2;

  /** What a board computes. */
  public enum Kind {
    /** A weighted sum of four features. */
    TYPICAL(
        "#transactionAmount * 0.1 + #transactionCount * 5 + (#successfulPayments -"
            + " #failedPayments) * 2"),
    /** With a rate (a division of whole numbers) and a condition. */
    RATE(
        "(#successfulPayments * 1.0 / (#successfulPayments + #failedPayments) > 0.9 ? 2 : 1) *"
            + " #transactionAmount + #averageTransactionValue");

    final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  @Param Kind kind;

  private final List<Map<String, Object>> events = new ArrayList<>();
  private final List<Map<String, Object>> doubles = new ArrayList<>();
  private Scorer scorer;
  private SpelExpression interpreted;
  private SpelExpression compiled;
  private int next;

  @Setup
  public void build() {
    Features features =
        Features.of(
            List.of(
                new Feature("transactionAmount", FeatureType.FLOAT, true),
                new Feature("transactionCount", FeatureType.INTEGER, true),
                new Feature("averageTransactionValue", FeatureType.FLOAT, true),
                new Feature("successfulPayments", FeatureType.INTEGER, true),
                new Feature("failedPayments", FeatureType.INTEGER, true)));
    scorer =
        Scorer.of(
            new Strategy.Expression(kind.text), features, DECIMALS, new SpelExpressionCompiler());
    interpreted = new SpelExpressionParser().parseRaw(kind.text);
    compiled =
        new SpelExpressionParser(
                new SpelParserConfiguration(
                    SpelCompilerMode.IMMEDIATE, getClass().getClassLoader()))
            .parseRaw(kind.text);
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < EVENTS; i++) {
      int count = random.nextInt(1, 1000);
      int failed = random.nextInt(count);
      long cents = random.nextLong(1, 100_000_000);
      Map<String, Object> event = new HashMap<>();
      event.put("transactionAmount", BigDecimal.valueOf(cents, 2));
      event.put("transactionCount", (long) count);
      event.put("averageTransactionValue", BigDecimal.valueOf(cents / count, 2));
      event.put("successfulPayments", (long) (count - failed));
      event.put("failedPayments", (long) failed);
      events.add(event);
      Map<String, Object> inexact = new HashMap<>();
      event.forEach((name, value) -> inexact.put(name, ((Number) value).doubleValue()));
      doubles.add(inexact);
    }
  }

  @Benchmark
  public Score laurel() {
    return scorer.score(events.get(next++ & (EVENTS - 1)));
  }

  @Benchmark
  public Object spelExact() {
    return evaluate(interpreted, events);
  }

  @Benchmark
  public Object spelDoubles() {
    return evaluate(interpreted, doubles);
  }

  @Benchmark
  public Object spelDoublesCompiled() {
    return evaluate(compiled, doubles);
  }

  private Object evaluate(SpelExpression expression, List<Map<String, Object>> from) {
    StandardEvaluationContext context = new StandardEvaluationContext();
    context.setVariables(from.get(next++ & (EVENTS - 1)));
    return expression.getValue(context);
  }
}
