package dev.laurel.spel;

import dev.laurel.core.model.RejectedException;
import dev.laurel.core.scoring.CompiledExpression;
import dev.laurel.core.scoring.Evaluation;
import dev.laurel.core.scoring.ExpressionCompiler;
import dev.laurel.core.scoring.Features;
import java.math.BigDecimal;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Compiles scoring expressions: see the package. Thread-safe. */
public final class SpelExpressionCompiler implements ExpressionCompiler {
  @Override
  public CompiledExpression compile(String text, Features features) {
    SourceGuard.check(text);
    Typed<?> result = new Translator(text, features).translate(parse(text));
    Code.Strict<BigDecimal> code = result.number("as the result");
    return values -> {
      try {
        return new Evaluation.Value(code.run(values));
      } catch (RejectedException failure) {
        return new Evaluation.Failed(failure.rejection());
      }
    };
  }

  /** A parser of its own for each call: Spring's keeps its place in a field. */
  private static SpelNode parse(String text) {
    try {
      return new SpelExpressionParser().parseRaw(text).getAST();
    } catch (ParseException e) {
      throw Refusals.invalid(Math.max(0, e.getPosition()), e.getSimpleMessage(), "valid SpEL");
    } catch (RuntimeException e) {
      // Unfinished text takes it beyond its array, or to a missing node: "1e", "a ? b :".
      throw Refusals.invalid(text.length() - 1, "cannot be parsed", "valid SpEL");
    }
  }
}
