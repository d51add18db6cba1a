package dev.laurel.server;

import dev.laurel.core.scoring.CompiledExpression;
import dev.laurel.core.scoring.Evaluation;
import dev.laurel.core.scoring.ExpressionCompiler;
import dev.laurel.core.scoring.Features;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;

/** How long scoring expressions take and how often they fail, in the metrics. */
final class ExpressionMetrics implements ExpressionCompiler {
  private final ExpressionCompiler compiler;
  private final DistributionSummary micros;
  private final Counter failures;

  ExpressionMetrics(ExpressionCompiler compiler, MeterRegistry registry) {
    this.compiler = compiler;
    Meters meters = new Meters(registry);
    micros =
        meters.summary(
            "laurel.expression.micros",
            "Microseconds that a scoring expression took",
            1,
            2,
            5,
            10,
            20,
            50,
            100,
            1000,
            10_000);
    failures =
        meters.counter(
            "laurel.expression.failures", "Evaluations that gave no number for their values");
  }

  @Override
  public CompiledExpression compile(String text, Features features) {
    CompiledExpression expression = compiler.compile(text, features);
    return values -> {
      long start = System.nanoTime();
      Evaluation result = expression.evaluate(values);
      micros.record((System.nanoTime() - start) / 1e3);
      if (result instanceof Evaluation.Failed) {
        failures.increment();
      }
      return result;
    };
  }
}
