package dev.laurel.core.scoring;

import dev.laurel.core.model.RejectedException;

/** Turns the text of an expression into a function of features. Thread-safe. */
public interface ExpressionCompiler {
  /**
   * Takes hostile text: whatever it is, the answer is a function whose cost is bounded, or a
   * refusal.
   *
   * @throws RejectedException with EXPRESSION_INVALID: where it is wrong, and what was expected
   */
  CompiledExpression compile(String text, Features features);
}
