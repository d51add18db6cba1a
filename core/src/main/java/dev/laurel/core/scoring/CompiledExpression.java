package dev.laurel.core.scoring;

/**
 * A number as a function of features: pure, the same answer for the same values. Immutable and
 * thread-safe.
 */
@FunctionalInterface
public interface CompiledExpression {
  /**
   * @param values checked against the very features it was compiled for
   */
  Evaluation evaluate(FeatureValues values);
}
