package dev.laurel.spel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.scoring.Evaluation;
import dev.laurel.core.scoring.FeatureValues;
import dev.laurel.core.scoring.Features;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What boards are made of works, and gives the exact number. */
class UsefulExpressionsTest {
  private static final Features FEATURES =
      Features.of(
          List.of(
              new Feature("transactionAmount", FeatureType.FLOAT, true),
              new Feature("transactionCount", FeatureType.INTEGER, true),
              new Feature("averageTransactionValue", FeatureType.FLOAT, true),
              new Feature("successfulPayments", FeatureType.INTEGER, true),
              new Feature("failedPayments", FeatureType.INTEGER, true),
              new Feature("kills", FeatureType.INTEGER, true),
              new Feature("deaths", FeatureType.INTEGER, true),
              new Feature("round", FeatureType.INTEGER, true),
              new Feature("accuracy", FeatureType.FLOAT, true),
              new Feature("region", FeatureType.STRING, true),
              new Feature("tier", FeatureType.STRING, true),
              new Feature("vip", FeatureType.BOOLEAN, true),
              new Feature("streak", FeatureType.INTEGER, false),
              new Feature("bonus", FeatureType.FLOAT, false),
              new Feature("referrer", FeatureType.STRING, false),
              new Feature("trial", FeatureType.BOOLEAN, false)));

  private static final Map<String, Object> EVENT =
      Map.ofEntries(
          Map.entry("transactionAmount", new BigDecimal("5000.50")),
          Map.entry("transactionCount", 12L),
          Map.entry("averageTransactionValue", new BigDecimal("416.71")),
          Map.entry("successfulPayments", 11L),
          Map.entry("failedPayments", 1L),
          Map.entry("kills", 7L),
          Map.entry("deaths", 2L),
          Map.entry("round", 4L),
          Map.entry("accuracy", new BigDecimal("0.875")),
          Map.entry("region", "eu-west"),
          Map.entry("tier", "gold"),
          Map.entry("vip", true),
          Map.entry("streak", 3L));

  private final SpelExpressionCompiler compiler = new SpelExpressionCompiler();

  static List<String> useful() {
    return Corpus.read("useful.txt");
  }

  @ParameterizedTest
  @MethodSource("useful")
  void evaluate_usefulExpression_isExact(String line) {
    String[] parts = line.split("  => ", -1);
    assertThat(evaluate(parts[0]))
        .isInstanceOfSatisfying(
            Evaluation.Value.class,
            value -> assertThat(value.number()).isEqualByComparingTo(new BigDecimal(parts[1])));
  }

  @Test
  void useful_corpus_isLargeAndHasNoDoubles() {
    assertThat(useful()).hasSizeGreaterThan(60).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          kills / (deaths - 2)              | 7  | division by 0
          kills % (deaths - 2)              | 7  | division by 0
          bonus * 2                         | 1  | bonus is null
          1 + (vip ? bonus : streak)        | 10 | ? : is null
          bonus > 1 ? 1 : 0                 | 1  | bonus is null
          trial ? 1 : 0                     | 1  | trial is null
          vip and trial ? 1 : 0             | 9  | trial is null
          referrer.length()                 | 1  | referrer is null
          bonus                             | 1  | bonus is null
          kills ^ (deaths * 100)            | 7  | exponent 200
          kills ^ accuracy                  | 7  | exponent 0.875
          sqrt(deaths - kills)              | 1  | sqrt of -5
          (transactionAmount ^ 9) * 10000L  | 25 | a result of 10^34
          """)
  void evaluate_withoutAValueForTheEvent_saysWhereAndWhy(String text, int position, String found) {
    assertThat(evaluate(text))
        .isInstanceOfSatisfying(
            Evaluation.Failed.class,
            failed -> {
              Rejection rejection = failed.rejection();
              assertThat(rejection.code()).isEqualTo(ErrorCode.EVALUATION_FAILED);
              assertThat(rejection.message())
                  .startsWith("expression at character " + position + ": " + found);
              assertThat(rejection.details()).containsEntry("position", position);
            });
  }

  @Test
  void evaluate_stringsJoinedBeyondTheBound_fails() {
    Features one = Features.of(List.of(new Feature("s", FeatureType.STRING, true)));
    FeatureValues values = (FeatureValues) one.check(Map.of("s", "x".repeat(200)));
    assertThat(compiler.compile("(s + s).length()", one).evaluate(values))
        .isInstanceOf(Evaluation.Failed.class);
    FeatureValues growing = (FeatureValues) one.check(Map.of("s", "\u0390".repeat(200)));
    assertThat(compiler.compile("s.toUpperCase().length()", one).evaluate(growing))
        .isInstanceOf(Evaluation.Failed.class);
  }

  private Evaluation evaluate(String text) {
    return compiler.compile(text, FEATURES).evaluate((FeatureValues) FEATURES.check(EVENT));
  }
}
