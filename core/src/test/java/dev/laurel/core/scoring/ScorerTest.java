package dev.laurel.core.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Strategy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScorerTest {
  private static final Features FEATURES =
      Features.of(
          List.of(
              new Feature("points", FeatureType.INTEGER, true),
              new Feature("time", FeatureType.FLOAT, false),
              new Feature("name", FeatureType.STRING, false)));

  /** Knows one text: the points of the event. */
  private static final ExpressionCompiler COMPILER =
      (text, features) -> {
        if (!text.equals("points")) {
          throw Rejection.of(ErrorCode.EXPRESSION_INVALID, text).asException();
        }
        return values -> {
          BigDecimal points = values.number(0);
          return points != null && points.signum() >= 0
              ? new Evaluation.Value(points)
              : new Evaluation.Failed(Rejection.of(ErrorCode.EVALUATION_FAILED, "negative"));
        };
      };

  @Test
  void score_byExpression_isInUnits() {
    Scorer scorer = Scorer.of(new Strategy.Expression("points"), FEATURES, 2, COMPILER);
    assertThat(scorer.score(Map.of("points", 12L))).isEqualTo(new Score.Scored(1200));
    assertThat(scorer.score(FEATURES.sample(false))).isEqualTo(new Score.Scored(1000));
    assertRejected(scorer.score(Map.of("points", -1L)), ErrorCode.EVALUATION_FAILED);
    assertRejected(scorer.score(Map.of()), ErrorCode.FEATURE_MISSING);
    assertRejected(scorer.score(Map.of("points", "12")), ErrorCode.FEATURE_INVALID);
    assertRejected(scorer.score(Map.of("points", Long.MAX_VALUE)), ErrorCode.SCORE_OUT_OF_BOUNDS);
  }

  @Test
  void of_expressionThatDoesNotCompile_isRefused() {
    assertThatThrownBy(() -> Scorer.of(new Strategy.Expression("nonsense"), FEATURES, 2, COMPILER))
        .isInstanceOf(RejectedException.class)
        .hasMessageStartingWith("EXPRESSION_INVALID");
  }

  @Test
  void score_byAFeature_isItsValue() {
    Scorer scorer = Scorer.of(new Strategy.Direct("time"), FEATURES, 1, COMPILER);
    assertThat(scorer.score(Map.of("points", 1L, "time", new BigDecimal("9.25"))))
        .isEqualTo(new Score.Scored(93));
    assertRejected(scorer.score(Map.of("points", 1L)), ErrorCode.FEATURE_MISSING);
  }

  @Test
  void score_byTheEventsOwnScore_needsNoFeatures() {
    Scorer scorer = Scorer.of(new Strategy.Direct(null), FEATURES, 0, COMPILER);
    assertThat(scorer.score(Map.of(Scorer.SCORE, 7L))).isEqualTo(new Score.Scored(7));
    assertRejected(scorer.score(Map.of("points", 7L)), ErrorCode.FEATURE_MISSING);
  }

  @Test
  void of_featureThatIsNoNumber_isRefused() {
    for (String feature : List.of("name", "nosuch")) {
      assertThatThrownBy(() -> Scorer.of(new Strategy.Direct(feature), FEATURES, 0, COMPILER))
          .isInstanceOf(RejectedException.class)
          .hasMessageContaining("feature: " + feature);
    }
  }

  @Test
  void score_valuesOfOtherFeatures_isAMistake() {
    Scorer scorer = Scorer.of(new Strategy.Direct(null), FEATURES, 0, COMPILER);
    assertThatThrownBy(() -> scorer.score(FEATURES.sample(true)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 0, 1", "-0.5, 0, -1", "2.4999, 0, 2", "580.050, 2, 58005", "1e-34, 9, 0"})
  void of_aNumber_isRoundedHalfAwayFromZero(BigDecimal number, int decimals, long units) {
    assertThat(Score.of(new Evaluation.Value(number), decimals)).isEqualTo(new Score.Scored(units));
  }

  @ParameterizedTest
  @CsvSource({"9223372036854775808, 0", "1e33, 0", "-9223372036854775809, 0", "9223372037, 9"})
  void of_aNumberThatDoesNotFit_isRejected(BigDecimal number, int decimals) {
    assertRejected(Score.of(new Evaluation.Value(number), decimals), ErrorCode.SCORE_OUT_OF_BOUNDS);
  }

  private static void assertRejected(Score score, ErrorCode code) {
    assertThat(score)
        .isInstanceOfSatisfying(
            Score.Rejected.class,
            rejected -> assertThat(rejected.rejection().code()).isEqualTo(code));
  }
}
