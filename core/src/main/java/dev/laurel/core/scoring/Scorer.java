package dev.laurel.core.scoring;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Strategy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A board's way from an event's features to a score in its units. Immutable and thread-safe. */
public final class Scorer {
  /** Where the value of {@link Strategy.Direct} without a feature is looked for. */
  public static final String SCORE = "score";

  private static final Features SCORE_ONLY =
      Features.of(List.of(new Feature(SCORE, FeatureType.FLOAT, true)));

  private final Features features;
  private final CompiledExpression expression;
  private final int decimals;

  private Scorer(Features features, CompiledExpression expression, int decimals) {
    this.features = features;
    this.expression = expression;
    this.decimals = decimals;
  }

  /**
   * @throws RejectedException if the strategy does not fit the features
   */
  public static Scorer of(
      Strategy strategy, Features features, int decimals, ExpressionCompiler compiler) {
    return switch (strategy) {
      case Strategy.Expression(String text) ->
          new Scorer(features, compiler.compile(text, features), decimals);
      case Strategy.Direct(@Nullable String feature) -> {
        Features read = feature == null ? SCORE_ONLY : features;
        yield new Scorer(read, direct(feature == null ? SCORE : feature, read), decimals);
      }
    };
  }

  private static CompiledExpression direct(String name, Features features) {
    int index = features.indexOf(name);
    FeatureType type = index < 0 ? null : features.get(index).type();
    if (type != FeatureType.INTEGER && type != FeatureType.FLOAT) {
      throw Rejection.invalid("feature", name, "a declared feature of type INTEGER or FLOAT")
          .asException();
    }
    return values -> {
      BigDecimal number = values.number(index);
      return number == null
          ? new Evaluation.Failed(
              Rejection.expectation(
                  ErrorCode.FEATURE_MISSING, "features." + name, "missing", "a number"))
          : new Evaluation.Value(number);
    };
  }

  /** What it reads: the declared features, or the event's own score alone. */
  public Features features() {
    return features;
  }

  /** See {@link Features#check} for the values. */
  public Score score(Map<String, ? extends @Nullable Object> raw) {
    return switch (features.check(raw)) {
      case FeatureValues values -> score(values);
      case Checked.Refused(Rejection rejection) -> new Score.Rejected(rejection);
    };
  }

  /** For values that are typed already, such as {@link Features#sample}. */
  public Score score(FeatureValues values) {
    if (values.features() != features) {
      throw new IllegalArgumentException("values: of other features (expected: this scorer's)");
    }
    return Score.of(expression.evaluate(values), decimals);
  }
}
